/** How Astro asks for an image, as far as it is read here. */
export interface ImageTransform {
  src: unknown
  width?: number | undefined
  height?: number | undefined
  widths?: readonly number[] | undefined
  densities?: readonly (number | `${number}x`)[] | undefined
  quality?: unknown
  format?: string | undefined
  fit?: string | undefined
  [attribute: string]: unknown
}

export interface ImageConfig {
  /** `url` is where the service is. */
  readonly service: { readonly config: { readonly url?: string } }
}

/** An image service of Astro: `image.service.entrypoint` names this module. */
declare const service: {
  getURL: (options: ImageTransform, config: ImageConfig) => string
  getSrcSet: (options: ImageTransform) => {
    transform: ImageTransform
    descriptor: string
    attributes: Record<string, never>
  }[]
  getHTMLAttributes: (options: ImageTransform) => Record<string, unknown>
}
export default service
