import { widthLadder } from '../../lib/width-ladder.ts'
import { imageUrl } from './image-url.ts'

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

/** Of `image` in the configuration of Nuxt: for each step of the ladder a screen, by the name of its width. */
export const screens: Readonly<Record<string, number>> = Object.fromEntries(
  widthLadder.filter((width) => width >= 308).map((width) => [String(width), width]),
)

const numberOf = (value: number | string | undefined): number | undefined =>
  value === undefined || Number.isNaN(Number(value)) ? undefined : Number(value)

function getImage(src: string, { modifiers = {}, baseURL }: ProviderContext): { url: string } {
  const { width, height, quality, format, fit } = modifiers
  const wanted = {
    width: numberOf(width),
    height: numberOf(height),
    quality: numberOf(quality),
    format,
    fit,
  }
  return { url: imageUrl(src, wanted, { url: baseURL }) }
}

/** The provider, as Nuxt Image opens it. */
const provider = () => ({ getImage })
// oxlint-disable-next-line import/no-default-export -- Nuxt Image takes a provider so
export default provider
