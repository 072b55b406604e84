/** Where the service is; the site's own origin where left out. */
export interface Service {
  readonly url?: string | undefined
}

/** How Unpic asks for an image. */
export interface ImageOperations {
  width?: number | string
  height?: number | string
  quality?: number | string
  format?: string
  fit?: string
}

/** For `breakpoints` of its components, so that they ask for the steps of the ladder. */
export declare const breakpoints: number[]

/** The `transformer` of Unpic's components (`@unpic/react/base` and the others). */
export declare const createTransformer: (
  service: Service,
) => (src: string | URL, operations: ImageOperations) => string
