import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { Streams } from '../../streaming/streams.ts'
import { isImageFormat, isStillFormat, isVideoFormat } from '../stills/still-formats.ts'
import type { VideoThumbnails } from '../stills/video-thumbnails.ts'
import { type FilesToFollow, followFiles, type Following } from './follow-files.ts'
import type { KnownMedia } from './known-media.ts'

interface Dependencies extends FilesToFollow {
  readonly media: Pick<KnownMedia, 'analysed' | 'find' | 'known' | 'recall'>
  readonly streams: Pick<Streams, 'prepare'>
  /** Left out where a player's are made when they are asked for. */
  readonly thumbnails?: Pick<VideoThumbnails, 'prepare'> | undefined
}

export interface FollowingPublished extends Following {
  /** Tells the path of each image that has been looked at, however long after it was published. */
  subscribe(listener: (path: string) => void): Disposable
}

/**
 * Looks at images and videos once, when they are published, so that requests find it done: at the
 * headers of images first, which takes next to nothing, and at every pixel when there is time. Of what is
 * no image a still is made then.
 */
export function followPublished({
  media,
  streams,
  thumbnails,
  ...rest
}: Dependencies): FollowingPublished {
  const listeners = new Set<(path: string) => void>()
  const recall = (assets: readonly AssetRecord[]): Promise<void> =>
    media.recall(assets.filter(hasFacts).map(({ sha256 }) => sha256))
  const headers = followFiles({
    ...rest,
    recall,
    atOnce: 1,
    async look(asset, signal) {
      if (isImageFormat(asset.format)) await media.find(asset, signal)
    },
    isOverlooked: async ({ format, sha256 }) =>
      isImageFormat(format) && (await media.known(sha256)) === undefined,
  })

  async function look(asset: AssetRecord, signal: AbortSignal): Promise<void> {
    const { format } = asset
    if (!isImageFormat(format)) await streams.prepare(asset)
    if (!isImageFormat(format) && !isStillFormat(format)) return
    await media.analysed(asset, { priority: 'background', signal, withLikeness: true })
    for (const listener of listeners) listener(asset.path)
    if (isVideoFormat(format)) await thumbnails?.prepare(asset, { signal })
  }

  const pixels = followFiles({
    ...rest,
    recall,
    look,
    isOverlooked: async (asset) =>
      hasFacts(asset) && (await media.known(asset.sha256))?.analysis?.likeness === undefined,
  })
  return {
    async catchUp() {
      await headers.catchUp()
      await pixels.catchUp()
    },
    subscribe(listener) {
      listeners.add(listener)
      return { [Symbol.dispose]: () => void listeners.delete(listener) }
    },
    async [Symbol.asyncDispose]() {
      await headers[Symbol.asyncDispose]()
      await pixels[Symbol.asyncDispose]()
    },
  }
}

const hasFacts = ({ format }: AssetRecord): boolean =>
  isImageFormat(format) || isStillFormat(format)
