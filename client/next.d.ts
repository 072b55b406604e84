/** Where the service is; the site's own origin where left out. */
export interface Service {
  readonly url?: string | undefined
}

/** What `next/image` asks a loader with. */
export interface LoaderProps {
  readonly src: string
  readonly width: number
  readonly quality?: number
}

/** For `images` in `next.config`: the widths that Next asks for are those of the ladder. */
export declare const imageSizes: number[]
export declare const deviceSizes: number[]

/** The loader of `next/image`: the default export of the file that `images.loaderFile` names. */
export declare const createLoader: (service: Service) => (props: LoaderProps) => string

export interface ImageProps {
  src: string
  width: number
  height: number
  alt: string
  placeholder?: 'blur'
  blurDataURL?: string
}

/**
 * What `next/image` needs of an image (`acme/v1/banners/hero.jpg`) so that nothing moves, and something is
 * shown while it comes. Throws where the service refuses.
 */
export declare function imageProps(
  path: string,
  service: Service & { readonly lang?: string },
): Promise<ImageProps>

/** A few hundred bytes that stand for the image until it is there; `undefined` where there are none. */
export declare const blurDataURL: (path: string, service: Service) => Promise<string | undefined>
