import { type AssetRecord, assetWith } from '../../../ports/records/asset.ts'
import type { MediaFacts } from '../../../ports/media/media-facts-store.ts'
import type { DominantColor } from '../../../ports/media/image-summary.ts'
import type { Point } from '../../../ports/media/renderer.ts'
import { ServiceError } from '../../errors.ts'
import type { Payer } from '../../access/quotas/encode-quota.ts'
import type { KnownMedia } from '../facts/known-media.ts'
import type { ImageService } from '../image-service.ts'
import { stillName } from '../stills/still-names.ts'
import { blurHashOf } from './blur-hash.ts'
import { type ResponsiveImage, responsiveImageOf } from './responsive-image.ts'

/** All that a page needs to show an image well. */
export interface DescribedImage extends ResponsiveImage {
  readonly isAnimated: boolean
  /** By language. */
  readonly alt: Readonly<Record<string, string>>
  /** Absent until its pixels have been looked at, as colours are. */
  readonly thumbHash: string | undefined
  readonly blurHash: string | undefined
  readonly colors: readonly DominantColor[]
  /** Where the owner says that the subject is, or else where the eye goes. */
  readonly focalPoint: Point | undefined
  /** A data URI of at most 700 bytes. */
  readonly placeholder: string | undefined
}

export interface DescribedImages {
  /** Throws `UnprocessableImage` for what is no image. */
  describe(asset: AssetRecord, asking: Asking): Promise<DescribedImage>
}

export interface Asking {
  /** What the URLs begin with. */
  readonly baseUrl: string
  /** Of the asset, where it is not what is published. */
  readonly version?: string | undefined
  readonly signal?: AbortSignal
  readonly payer?: Payer
  /** Whether an image that nobody has looked at yet is looked at now. */
  readonly isAnalysed: boolean
  /** Which moment of a video is shown; the telling one where left out. */
  readonly seconds?: number | undefined
}

interface Dependencies {
  readonly media: Pick<KnownMedia, 'find' | 'analysed'>
  readonly images: Pick<ImageService, 'transform'>
}

const maxPlaceholderBytes = 700
/** Small enough to be a few hundred bytes, large enough to show what is where. */
const placeholderQuery = new URLSearchParams('w=24&format=webp&q=30&anim=0')

export function createDescribedImages({ media, images }: Dependencies): DescribedImages {
  /** It is nothing that a page cannot be without. */
  async function placeholderOf(
    asset: AssetRecord,
    { signal, payer, seconds }: Asking,
  ): Promise<string | undefined> {
    const query = new URLSearchParams(placeholderQuery)
    if (seconds !== undefined) query.set('t', String(seconds))
    const preferences = { accept: null, savesData: false, ...(signal && { signal }) }
    const wanted = {
      asset,
      query,
      isVouched: true,
      ...preferences,
      ...(payer && { payer }),
    }
    try {
      const { body } = await images.transform(wanted)
      const bytes = body instanceof Uint8Array ? body : new Uint8Array()
      const uri = `data:image/webp;base64,${Buffer.from(bytes).toString('base64')}`
      return bytes.length > 0 && uri.length <= maxPlaceholderBytes ? uri : undefined
    } catch (error) {
      if (error instanceof ServiceError) return undefined
      throw error
    }
  }

  async function factsOf(asset: AssetRecord, { signal, isAnalysed }: Asking): Promise<MediaFacts> {
    const facts = await media.find(asset, signal)
    if (facts.analysis !== undefined || !isAnalysed) return facts
    return await media.analysed(asset, { priority: 'interactive', signal })
  }

  return {
    async describe(asset, asking) {
      const { seconds } = asking
      const sha256 = stillName(asset.sha256, { seconds })
      const facts = await factsOf(assetWith(asset, { sha256 }), asking)
      const { header, analysis, summary = analysis } = facts
      const { metadata = {} } = asset
      return {
        ...responsiveImageOf(asset, facts, asking),
        isAnimated: header.frames > 1,
        alt: { ...metadata.alt },
        thumbHash: summary?.thumbHash,
        blurHash: summary && blurHashOf(summary.thumbHash),
        colors: summary?.colors ?? [],
        focalPoint: metadata.focalPoint ?? analysis?.saliency.point,
        placeholder: await placeholderOf(asset, asking),
      }
    },
  }
}
