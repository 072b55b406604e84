import { widthLadder } from '../../lib/width-ladder.ts'
import { describe } from './described.ts'
import { imageUrl, type Service } from './image-url.ts'

/** What `next/image` asks a loader with. */
export interface LoaderProps {
  readonly src: string
  readonly width: number
  readonly quality?: number
}

/** Of `images` in the configuration of Next: the widths that it asks for are those of the ladder. */
export const imageSizes = widthLadder.filter((width) => width < 600)
export const deviceSizes = widthLadder.filter((width) => width >= 600)

/** The loader of `next/image`. */
export const createLoader =
  (service: Service) =>
  ({ src, width, quality }: LoaderProps): string =>
    imageUrl(src, { width, quality }, service)

/** What `next/image` needs of an image so that nothing moves, and something is shown while it comes. */
export async function imageProps(path: string, service: Service & { readonly lang?: string }) {
  const { lang } = service
  const found = await describe(path, service, lang === undefined ? {} : { lang })
  const { Path, Src, Width, Height, Alt, Placeholder } = found
  const sha = /[?&]v=([0-9a-f]+)/u.exec(Src)?.[1] ?? ''
  return {
    src: `/${Path}?v=${sha}`,
    width: Width,
    height: Height,
    alt: Alt[lang ?? 'en'] ?? Alt['en'] ?? Object.values(Alt)[0] ?? '',
    ...(Placeholder !== null && { placeholder: 'blur' as const, blurDataURL: Placeholder }),
  }
}

/** A few hundred bytes that stand for the image until it is there; `undefined` where there are none. */
export const blurDataURL = async (path: string, service: Service): Promise<string | undefined> =>
  (await describe(path, service)).Placeholder ?? undefined
