import { LruCache } from '../../lib/collections/lru-cache.ts'
import { Mutex } from '../../lib/async/mutex.ts'
import { createSingleFlight } from '../../lib/async/single-flight.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import { ServiceError } from '../errors.ts'
import type { IndexShelf } from './index/index-shelf.ts'
import { planPresentation, type Presentation, type Source } from './presentation.ts'
import { renditionNames, subtitleNames } from './related-files.ts'
import type { StreamIndex } from './index/stream-index.ts'
import { UnstreamableMediaError } from './mp4/byte-source.ts'

/** A stored video with all of its sizes. */
export interface Video {
  readonly record: AssetRecord
  readonly presentation: Presentation
}

/** WebVTT beside a video. */
export interface SubtitleFile {
  /** BCP 47. */
  readonly language: string
  readonly record: AssetRecord
}

/** Other sizes and subtitles are found among what is published, where nothing else is said. */
export interface VideoLibrary {
  open(record: AssetRecord, among?: Pick<Manifest, 'asset'>): Promise<Video>
  subtitles(record: AssetRecord, among?: Pick<Manifest, 'asset'>): readonly SubtitleFile[]
}

interface Dependencies {
  readonly assets: Pick<Manifest, 'asset'>
  readonly shelf: IndexShelf
  /** How many bytes of planned videos are kept ready. */
  readonly memoryBytes: number
}

interface Planned {
  readonly presentation: Presentation
  readonly weight: number
}

const bytesPerSegment = 200
const bytesPerSample = 28
/** Of all other sizes of a video together: all of them are held while it is planned. */
const maxFrames = 600_000

export function createVideoLibrary({ assets, shelf, memoryBytes }: Dependencies): VideoLibrary {
  const planned = new LruCache<Planned>({ maxWeight: memoryBytes, weigh: ({ weight }) => weight })
  const flights = createSingleFlight<Planned>()
  const planning = new Mutex()

  /** Sizes that cannot be streamed, or are too many, are left out; the video itself must be good. */
  async function otherSizes(
    path: string,
    among: Pick<Manifest, 'asset'>,
  ): Promise<readonly Source[]> {
    const found = renditionNames(path).flatMap(({ path: sibling, label }) => {
      const record = among.asset(sibling)
      return record === undefined ? [] : [{ record, label }]
    })
    const sources: Source[] = []
    let samplesLeft = maxFrames
    for (const { record, label } of found) {
      const index = await shelf.indexOf(record.sha256)
      if (index === undefined || index instanceof UnstreamableMediaError) continue
      if (index.video === undefined || index.video.samples.count > samplesLeft) continue
      samplesLeft -= index.video.samples.count
      sources.push({ record, label, index })
    }
    return sources
  }

  async function plan(sources: readonly Source[]): Promise<Planned> {
    using _turn = await planning.acquire()
    const presentation = await planPresentation(sources)
    return { presentation, weight: weightOf(presentation) }
  }

  async function ownIndex(record: AssetRecord): Promise<StreamIndex> {
    const index = await shelf.indexOf(record.sha256)
    if (index === undefined)
      throw new ServiceError('Unavailable', `The bytes of "${record.path}" cannot be read now`)
    if (index instanceof UnstreamableMediaError) throw unprocessable(index)
    return index
  }

  return {
    async open(record, among = assets) {
      const index = await ownIndex(record)
      const others = index.video === undefined ? [] : await otherSizes(record.path, among)
      const sources = [{ record, index }, ...others]
      const key = sources
        .map((source) => `${source.record.path} ${source.record.sha256}`)
        .join('\n')
      const known = planned.get(key)
      if (known !== undefined) return { record, presentation: known.presentation }
      const { value } = await flights.run(key, undefined, async () => plan(sources))
      planned.set(key, value)
      return { record, presentation: value.presentation }
    },
    subtitles: (record, among = assets) =>
      subtitleNames(record.path).flatMap(({ path, label }) => {
        const subtitle = among.asset(path)
        return subtitle === undefined ? [] : [{ language: label, record: subtitle }]
      }),
  }
}

/** The reason is written for whoever stored the file. */
export const unprocessable = (error: UnstreamableMediaError): ServiceError =>
  new ServiceError('UnprocessableMedia', error.message, { target: 'path', cause: error })

function weightOf({ video, audio, iframes }: Presentation): number {
  const renditions = [...video, ...audio, ...iframes]
  return renditions.reduce(
    (sum, { segments, track }) =>
      sum + segments.length * bytesPerSegment + track.samples.count * bytesPerSample,
    0,
  )
}
