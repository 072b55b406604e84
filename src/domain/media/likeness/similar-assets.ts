import type { MediaFactsStore } from '../../../ports/media/media-facts-store.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import { type Actor, reaches } from '../../access/actor.ts'
import { ServiceError } from '../../errors.ts'
import type { ImageRecord } from '../facts/inspection.ts'
import { isImageFormat } from '../stills/still-formats.ts'
import type { KnownMedia } from '../facts/known-media.ts'
import { bitsOf } from './bits.ts'
import type { KnownLikenesses } from './known-likenesses.ts'

export interface SimilarAsset {
  readonly asset: AssetRecord
  /** How many of 128 bits differ. */
  readonly distance: number
  /** Whether it has the very same bytes. */
  readonly isIdentical: boolean
}

interface Asking {
  /** Whose zones alone are looked at. */
  readonly actor: Pick<Actor, 'zones'>
  readonly distance: number
  readonly limit: number
}

/** An image that somebody asks about; `path` is left out of what is found. */
type Asked = ImageRecord & Pick<AssetRecord, 'path' | 'format'>

/** Published images that look like another. */
export interface SimilarAssets {
  /**
   * The nearest first; none where there is too little in the image to be told from others. Looks at the
   * image where nobody has. Throws `UnprocessableImage` for what is no image that can be worked on.
   */
  similarTo(asset: Asked, asking: Asking & Waiting): Promise<readonly SimilarAsset[]>
  /** The same, of an image whose bytes somebody has; `undefined` where there is none to see. */
  similarToBytes(sha256: string, asking: Asking): Promise<readonly SimilarAsset[] | undefined>
  /**
   * What an upload was like; `undefined` where nobody has looked at it by now, or by the end of the
   * signal where it may be waited for. Never rejects for what is wrong with the image.
   */
  ofUpload(upload: Asked, asking: Asking & Waiting): Promise<readonly SimilarAsset[] | undefined>
}

interface Waiting {
  /** Until then it may be waited for an image to be looked at; not at all where left out. */
  readonly signal?: AbortSignal | undefined
}

interface Dependencies {
  readonly likenesses: Pick<KnownLikenesses, 'similar' | 'note'>
  readonly store: Pick<MediaFactsStore, 'likenesses'>
  readonly media: Pick<KnownMedia, 'analysed' | 'known'>
  readonly published: Pick<Manifest, 'asset'>
}

/** More bits than this differ in what is not a copy that was scaled, encoded anew or cut by a little. */
export const usualDistance = 32
/** Nearly always the same image: for those who did not ask. */
export const sureDistance = 24

export function createSimilarAssets(dependencies: Dependencies): SimilarAssets {
  const { likenesses, store, media, published } = dependencies

  function find(likeness: string, sha256: string, asking: Asking & { readonly path?: string }) {
    if (likeness === '') return []
    const { actor, distance, limit } = asking
    const accepts = (path: string): boolean => {
      const asset = path === asking.path ? undefined : published.asset(path)
      return asset !== undefined && reaches(actor, asset.zone)
    }
    return likenesses.similar(bitsOf(likeness), { distance, limit, accepts }).flatMap((found) => {
      const asset = published.asset(found.path)
      if (asset === undefined) return []
      return { asset, distance: found.distance, isIdentical: asset.sha256 === sha256 }
    })
  }

  async function likenessOf(asset: Asked, signal: AbortSignal | undefined): Promise<string> {
    const asking = { priority: 'interactive', signal, withLikeness: true } as const
    return (await media.analysed(asset, asking)).analysis?.likeness ?? ''
  }

  return {
    async similarTo(asset, { signal, ...asking }) {
      const likeness = await likenessOf(asset, signal)
      // A copy of it is found though nobody has looked at the copy.
      await likenesses.note(asset, likeness)
      return find(likeness, asset.sha256, { ...asking, path: asset.path })
    },
    async similarToBytes(sha256, asking) {
      const likeness = (await store.likenesses([sha256])).get(sha256)
      if (likeness === undefined) return undefined
      const same = find(likeness, sha256, { ...asking, distance: 0, limit: maxCopies })
      // Whoever may not see the bytes is not told what they look like either.
      if (!same.some(({ isIdentical }) => isIdentical)) return undefined
      return find(likeness, sha256, asking)
    },
    async ofUpload(upload, { signal, ...asking }) {
      if (!isImageFormat(upload.format)) return undefined
      const known = (await media.known(upload.sha256))?.analysis?.likeness
      const likeness =
        known ??
        (signal &&
          (await likenessOf(upload, signal).catch((error: unknown) => none(error, signal))))
      if (likeness === undefined) return undefined
      // The next upload is told of this one, however long the news of it takes.
      await likenesses.note(upload, likeness)
      return find(likeness, upload.sha256, { ...asking, path: upload.path })
    },
  }
}

/** Of one image; whoever has more of them finds it by one of the others. */
const maxCopies = 100

/** The time is over, or the image cannot be looked at: the upload is as good as it was. */
function none(error: unknown, signal: AbortSignal): undefined {
  if (signal.aborted || error instanceof ServiceError) return undefined
  throw error
}
