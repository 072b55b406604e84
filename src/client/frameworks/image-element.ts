import { snappedWidth, widthLadder } from '../../lib/width-ladder.ts'
import { describe } from './described.ts'
import { imageUrl } from './image-url.ts'

const passedOn = ['alt', 'sizes', 'loading', 'fetchpriority', 'decoding', 'class', 'style']

/**
 * `<sedge-picture src="/acme/v1/a.jpg" width="1200" height="800" sizes="50vw">` shows an image in the sizes
 * that its page needs. With width and height nothing is asked for first, and nothing moves; without them
 * the service is asked, which knows the alternative text and what stands for the image until it is there.
 * `url` is where the service is.
 */
export class ImageElement extends HTMLElement {
  static readonly observedAttributes = ['src', 'url', 'width', 'height', 'lang', ...passedOn]
  #shown = 0

  connectedCallback(): void {
    this.style.display ||= 'block'
    this.attributeChangedCallback()
  }

  /** Of many changes at once, the last alone counts. */
  attributeChangedCallback(): void {
    const shown = (this.#shown += 1)
    queueMicrotask(() => {
      if (this.isConnected && shown === this.#shown)
        this.#show(shown).catch(() => this.dispatchEvent(new Event('error')))
    })
  }

  async #show(shown: number): Promise<void> {
    const path = this.getAttribute('src') ?? ''
    const url = this.getAttribute('url') ?? ''
    const [width, height] = ['width', 'height'].map((name) => Number(this.getAttribute(name)))
    const image = new Image(width, height)
    const usual = { loading: 'lazy', decoding: 'async', sizes: '100vw', alt: '' }
    for (const [name, value] of Object.entries(usual)) image.setAttribute(name, value)
    image.style.cssText = `max-width:100%;height:auto;aspect-ratio:${width && height ? width / height : 'auto'}`
    if (width && height) {
      const widths = widthLadder.filter((step) => step >= 160 && step <= snappedWidth(2 * width))
      const set = widths.map((step) => `${imageUrl(path, { width: step }, { url })} ${step}w`)
      Object.assign(image, { srcset: set.join(', '), src: imageUrl(path, { width }, { url }) })
    } else if (path !== '') {
      const lang = this.lang || document.documentElement.lang || 'en'
      const found = await describe(path, { url }, { lang })
      const { Width, Height, Srcset, Src, Alt, Placeholder } = found
      const alt = Alt[lang] ?? Alt['en'] ?? Object.values(Alt)[0] ?? ''
      Object.assign(image, { width: Width, height: Height, alt, srcset: Srcset ?? '', src: Src })
      if (Placeholder) image.style.background = `url(${Placeholder}) center/cover no-repeat`
    }
    for (const name of passedOn.filter((each) => this.hasAttribute(each) && each !== 'style'))
      image.setAttribute(name, this.getAttribute(name) ?? '')
    if (shown === this.#shown) this.replaceChildren(image)
  }
}

customElements.define('sedge-picture', ImageElement)
