/**
 * `<sedge-picture src="/acme/v1/a.jpg" width="1200" height="800" sizes="50vw">`: an image in the sizes that
 * its page needs. `url` is where the service is.
 */
export declare class ImageElement extends HTMLElement {
  static readonly observedAttributes: string[]
  connectedCallback(): void
  attributeChangedCallback(): void
}

declare global {
  interface HTMLElementTagNameMap {
    'sedge-picture': ImageElement
  }
}
