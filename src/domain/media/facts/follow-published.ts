import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { Streams } from '../../streaming/streams.ts'
import { type FilesToFollow, followFiles, type Following } from './follow-files.ts'
import type { KnownMedia } from './known-media.ts'

interface Dependencies extends FilesToFollow {
  readonly media: Pick<KnownMedia, 'analysed' | 'find' | 'known'>
  readonly streams: Pick<Streams, 'prepare'>
}

const pictureFormats: ReadonlySet<string> = new Set('jpg jpeg png webp gif avif svg'.split(' '))

export const isImageFormat = (format: string): boolean => pictureFormats.has(format)

export interface FollowingPublished extends Following {
  /** Tells the path of each image that has been looked at, however long after it was published. */
  subscribe(listener: (path: string) => void): Disposable
}

/**
 * Looks at images and videos once, when they are published, so that requests find it done: at the
 * headers of images first, which takes next to nothing, and at every pixel when there is time.
 */
export function followPublished({ media, streams, ...rest }: Dependencies): FollowingPublished {
  const listeners = new Set<(path: string) => void>()
  const headers = followFiles({
    ...rest,
    atOnce: 1,
    async look(asset, signal) {
      if (isImageFormat(asset.format)) await media.find(asset, signal)
    },
    isOverlooked: async ({ format, sha256 }) =>
      isImageFormat(format) && (await media.known(sha256)) === undefined,
  })

  async function look(asset: AssetRecord, signal: AbortSignal): Promise<void> {
    if (!isImageFormat(asset.format)) return void (await streams.prepare(asset))
    await media.analysed(asset, { priority: 'background', signal })
    for (const listener of listeners) listener(asset.path)
  }

  const pixels = followFiles({
    ...rest,
    look,
    isOverlooked: async ({ format, sha256 }) =>
      isImageFormat(format) && (await media.known(sha256))?.analysis === undefined,
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
