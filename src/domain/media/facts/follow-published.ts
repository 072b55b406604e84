import type { Calm } from '../../../lib/async/calm.ts'
import type { MediaFacts } from '../../../ports/media/media-facts-store.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { Streams } from '../../streaming/streams.ts'
import { isImageFormat, isStillFormat, isVideoFormat } from '../stills/still-formats.ts'
import type { VideoThumbnails } from '../stills/video-thumbnails.ts'
import { type FilesToFollow, followFiles, type Following, type Looking } from './follow-files.ts'
import type { KnownMedia } from './known-media.ts'

interface Dependencies extends FilesToFollow {
  readonly media: Pick<KnownMedia, 'analysed' | 'find' | 'known' | 'recall' | 'summarised'>
  readonly streams: Pick<Streams, 'prepare'>
  /** Left out where a player's are made when they are asked for. */
  readonly thumbnails?: Pick<VideoThumbnails, 'prepare'> | undefined
}

export interface FollowingPublished extends Omit<Following, 'settled'> {
  /** Reached once all else is calm, and what stands for each published image is known: for what is slower. */
  readonly summarised: Pick<Calm, 'reached'>
  /**
   * Tells the path of each image of which more is known, however long after it was published: first what stands
   * for it until it is there, and then all that is to be known.
   */
  subscribe(listener: (path: string, isWhole: boolean) => void): Disposable
}

/**
 * Looks at images and videos once, when they are published, so that requests find it done: at the
 * headers of images first, which takes next to nothing, then at as few pixels as will do for what a page needs
 * until they are there, and at every pixel when that is known of all. Of what is no image a still is made then.
 */
export function followPublished(dependencies: Dependencies): FollowingPublished {
  const { media, calm, ...following } = dependencies
  const listeners = new Set<(path: string, isWhole: boolean) => void>()
  const recall = (assets: readonly AssetRecord[]): Promise<void> =>
    media.recall(assets.filter(hasFacts).map(({ sha256 }) => sha256))

  function announce({ path }: AssetRecord, isWhole: boolean): void {
    for (const listener of listeners) listener(path, isWhole)
  }

  const headers = followFiles({
    ...following,
    ...headersIn(media),
    calm,
    recall,
    atOnce: 1,
    rest: undefined,
  })
  const summaries = followFiles({
    ...following,
    ...summariesIn(media, announce),
    calm,
    recall,
    // One more is got ready meanwhile: what is done with each takes little.
    atOnce: (following.atOnce ?? 1) + 1,
  })
  const summarised: Pick<Calm, 'reached'> = {
    async reached(signal) {
      await calm?.reached(signal)
      await summaries.settled(signal)
    },
  }
  const pixels = followFiles({
    ...following,
    ...pixelsIn(dependencies, announce),
    calm: summarised,
    recall,
  })
  const passes = [headers, summaries, pixels]
  return {
    summarised,
    async catchUp() {
      // Headers come with them: going through everything takes long enough where nothing is missing.
      await summaries.catchUp()
      await pixels.catchUp()
    },
    subscribe(listener) {
      listeners.add(listener)
      return { [Symbol.dispose]: () => void listeners.delete(listener) }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(passes.map((pass) => pass[Symbol.asyncDispose]()))
    },
  }
}

type Announce = (asset: AssetRecord, isWhole: boolean) => void

const headersIn = (media: Dependencies['media']): Looking => ({
  async look(asset, signal) {
    if (isImageFormat(asset.format)) await media.find(asset, signal)
  },
  isOverlooked: async ({ format, sha256 }) =>
    isImageFormat(format) && (await media.known(sha256)) === undefined,
})

const summariesIn = (media: Dependencies['media'], announce: Announce): Looking => ({
  async look(asset, signal) {
    if (!isImageFormat(asset.format)) return
    const { analysis } = await media.summarised(asset, { priority: 'background', signal })
    // Of what is known whole it is told when that was found, or will be.
    if (analysis === undefined) announce(asset, false)
  },
  isOverlooked: async ({ format, sha256 }) =>
    isImageFormat(format) && !isSummarised(await media.known(sha256)),
})

const pixelsIn = ({ media, streams, thumbnails }: Dependencies, announce: Announce): Looking => ({
  async look(asset, signal) {
    const { format } = asset
    if (!isImageFormat(format)) await streams.prepare(asset)
    if (!isImageFormat(format) && !isStillFormat(format)) return
    await media.analysed(asset, { priority: 'background', signal, withLikeness: true })
    announce(asset, true)
    if (isVideoFormat(format)) await thumbnails?.prepare(asset, { signal })
  },
  isOverlooked: async (asset) =>
    hasFacts(asset) && (await media.known(asset.sha256))?.analysis?.likeness === undefined,
})

const isSummarised = (facts: MediaFacts | undefined): boolean =>
  (facts?.summary ?? facts?.analysis) !== undefined

const hasFacts = ({ format }: AssetRecord): boolean =>
  isImageFormat(format) || isStillFormat(format)
