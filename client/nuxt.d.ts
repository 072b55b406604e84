/** What Nuxt Image hands to a provider: how the image is wanted, and the provider's options. */
export interface ProviderContext {
  readonly modifiers?: {
    readonly width?: number | string
    readonly height?: number | string
    readonly quality?: number | string
    readonly format?: string
    readonly fit?: string
  }
  /** Where the service is. */
  readonly baseURL?: string
}

/** For `image` in `nuxt.config`: a screen for each step of the ladder, by the name of its width. */
export declare const screens: Readonly<Record<string, number>>

/** A provider of Nuxt Image. */
declare const provider: () => {
  getImage: (src: string, context: ProviderContext) => { url: string }
}
export default provider
