/**
 * Style elements that scripts of this page make are let in by the page's nonce; those that come as
 * markup, in whatever text is shown, are not.
 */
const nonce = document.querySelector('meta[property=csp-nonce]')?.getAttribute('content') ?? ''
const createElement = document.createElement.bind(document)

document.createElement = (name: string, options?: ElementCreationOptions) => {
  const element = createElement(name, options)
  if (element instanceof HTMLStyleElement) element.nonce = nonce
  return element
}
