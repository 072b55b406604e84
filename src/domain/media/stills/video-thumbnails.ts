import { createSingleFlight } from '../../../lib/async/single-flight.ts'
import { LruCache } from '../../../lib/collections/lru-cache.ts'
import type { BlobStore } from '../../../ports/content/blob-store.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import { ServiceError } from '../../errors.ts'
import { openKeyFrames } from '../../streaming/key-frames/open-key-frames.ts'
import {
  planThumbnails,
  thumbnailsVersion,
  type Thumbnails,
} from '../../streaming/key-frames/thumbnails.ts'
import { UnstreamableMediaError } from '../../streaming/mp4/byte-source.ts'
import { unprocessable } from '../../streaming/video-library.ts'
import { sourceMissing } from '../render/render-refusal.ts'
import type { Work } from '../render/render-queue.ts'
import { type Sources, withSoundSource } from '../render/sources.ts'
import { stillName } from './still-names.ts'
import type { Stills } from './stills.ts'

/** Small images of all of a video, for the seek bar of a player. */
export interface VideoThumbnails {
  /**
   * Where each stands on the sprite, and when it is shown. The sprite is there from then on. Refuses with
   * `UnprocessableMedia` what has no images, and else as `Stills.find` does.
   */
  plan(video: VideoRecord, asking: Asking): Promise<NamedThumbnails>
  /** Makes the sprite of a video while nobody waits for anything. Refuses as {@link plan} does. */
  prepare(video: Omit<VideoRecord, 'path'>, asking: Asking): Promise<void>
  /** The sprite, a WebP. */
  sprite(video: VideoRecord, asking: Asking): Promise<Uint8Array>
}

export interface NamedThumbnails extends Thumbnails {
  /** Names the sprite: another video, or one that is made otherwise, has another one. */
  readonly version: string
}

type VideoRecord = Pick<AssetRecord, 'sha256' | 'zone' | 'sizeBytes' | 'path'>

interface Asking {
  readonly signal?: AbortSignal | undefined
}

interface Dependencies {
  readonly stills: Pick<Stills, 'find' | 'read'>
  readonly blobs: Pick<BlobStore, 'open'>
  readonly mend?: Sources['mend']
}

const maxPlans = 200

export const versionOf = ({ sha256 }: Pick<AssetRecord, 'sha256'>): string =>
  `${sha256.slice(0, 16)}-${thumbnailsVersion}`

export function createVideoThumbnails({ stills, blobs, mend }: Dependencies): VideoThumbnails {
  const plans = new LruCache<Thumbnails>({ maxWeight: maxPlans, weigh: () => 1 })
  const flights = createSingleFlight<Thumbnails>()

  async function planned(video: VideoRecord): Promise<Thumbnails> {
    const blob = await blobs.open(video.sha256)
    if (blob === undefined) throw sourceMissing()
    const frames = await openKeyFrames(blob).catch(translated)
    if (frames === undefined)
      throw new ServiceError('UnprocessableMedia', 'The file has no pictures', { target: 'path' })
    const plan = planThumbnails(frames)
    plans.set(video.sha256, plan)
    return plan
  }

  const made = async (
    video: Omit<VideoRecord, 'path'>,
    asking: Asking & Pick<Work<never>, 'priority'>,
  ) => {
    const { zone, sizeBytes } = video
    const still = { zone, sizeBytes, sha256: stillName(video.sha256, { isSprite: true }) }
    await withSoundSource({ mend }, video.sha256, () => stills.find(still, 'video', asking))
    return still
  }

  return {
    async plan(video, { signal }) {
      const known = plans.get(video.sha256)
      const plan = known ?? (await flights.share(video.sha256, () => planned(video)))
      await made(video, { priority: 'interactive', signal })
      return { ...plan, version: versionOf(video) }
    },
    async prepare(video, { signal }) {
      await made(video, { priority: 'background', signal })
    },
    async sprite(video, { signal }) {
      const still = await made(video, { priority: 'interactive', signal })
      const bytes = await stills.read(still)
      if (bytes === undefined) throw sourceMissing()
      return bytes
    },
  }
}

function translated(error: unknown): never {
  throw error instanceof UnstreamableMediaError ? unprocessable(error) : error
}
