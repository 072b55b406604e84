import type { BlobStore } from '../../ports/content/blob-store.ts'
import { type Deliverable, unexpired } from '../content/delivered/expiry.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import type { StreamIndexStore } from '../../ports/media/stream-index-store.ts'
import { createS3FifoCache } from '../../lib/collections/s3-fifo-cache.ts'
import { admit, isVideo } from './admission.ts'
import { createVideoLibrary } from './video-library.ts'
import {
  videoPlaylist,
  renditionOf,
  subtitleOf,
  unknownQuality,
  type Playlist,
} from './video-playlist.ts'
import type { Indexed } from './index/index-codec.ts'
import { createIndexShelf } from './index/index-shelf.ts'
import { videoSegment, subtitleSegment, type Segment } from './segment-response.ts'
import { createStoredPlaylists } from './uploaded-playlists.ts'
import { endOf } from './index/stream-index.ts'
import type { PlaylistRequest, SegmentRequest } from './stream-request.ts'
import { UnstreamableMediaError } from './mp4/byte-source.ts'

export type { Playlist, PlaylistRequest, Segment, SegmentRequest }

/** What is known of a stored video without playing it. */
export type StreamFacts =
  | { readonly isStreamable: false; readonly reason: string }
  | {
      readonly isStreamable: true
      readonly durationSeconds: number
      readonly width: number | undefined
      readonly height: number | undefined
      readonly codecs: readonly string[]
    }

/** Stored videos as HTTP Live Streaming (RFC 8216), packaged when they are asked for. */
export interface Streams {
  /**
   * Reads a video's tables once, when it is published, so that no request has to. Answers what was found;
   * `undefined` for what is no video.
   */
  prepare(record: AssetRecord): Promise<StreamFacts | undefined>
  playlist(request: PlaylistRequest): Promise<Playlist>
  segment(request: SegmentRequest): Promise<Segment>
  /** Forgets what was read of a video whose bytes are gone. */
  forget(sha256: string): Promise<void>
}

export interface StreamsDependencies {
  readonly assets: Deliverable
  readonly blobs: Pick<BlobStore, 'open' | 'read'>
  readonly indexes: StreamIndexStore
  /** The signature of an asset path, lower-case hex, for what a stored playlist names. */
  readonly sign?: (path: string, expires: string) => string
  /** For indexes, and as much again for planned videos. */
  readonly memoryBytes?: number
  /** For segments that were put together; one is kept only where it is asked for again. */
  readonly segmentMemoryBytes?: number
}

const defaultMemoryBytes = 64 * 2 ** 20

export function createStreams(dependencies: StreamsDependencies): Streams {
  const { assets, blobs, indexes, memoryBytes = defaultMemoryBytes } = dependencies
  const { segmentMemoryBytes = defaultMemoryBytes } = dependencies
  const cache = createS3FifoCache<Uint8Array<ArrayBuffer>>(segmentMemoryBytes)
  const shelf = createIndexShelf({ blobs, store: indexes, memoryBytes })
  const storedPlaylists = createStoredPlaylists(dependencies)
  const library = createVideoLibrary({ assets: unexpired(assets), shelf, memoryBytes })

  return {
    async prepare(record) {
      const indexed = isVideo(record) ? await shelf.indexOf(record.sha256) : undefined
      return indexed && factsOf(indexed)
    },
    async playlist(request) {
      const record = admit(request.pin?.assets ?? assets, request)
      if (isVideo(record)) return videoPlaylist(library, record, request)
      if (request.quality !== undefined) throw unknownQuality(request.quality)
      const text = await storedPlaylists.read(record, request)
      return { kind: 'file', text, sources: [record] }
    },
    async segment(request) {
      const among = request.pin && unexpired(request.pin.assets)
      const video = admit(request.pin?.assets ?? assets, request)
      const { quality } = request
      if (!isVideo(video)) throw unknownQuality(quality)
      const { presentation } = await library.open(video, among)
      const rendition = renditionOf(presentation, quality)
      return rendition === undefined
        ? subtitleSegment(blobs, subtitleOf(library.subtitles(video, among), quality), {
            video,
            request,
          })
        : videoSegment({ blobs, cache }, rendition, { video, request })
    },
    async forget(sha256) {
      cache.clear()
      await shelf.forget(sha256)
    },
  }
}

function factsOf(indexed: Indexed): StreamFacts {
  if (indexed instanceof UnstreamableMediaError)
    return { isStreamable: false, reason: indexed.message }
  const { video, audio } = indexed
  const tracks = video === undefined ? audio : [video, ...audio]
  return {
    isStreamable: true,
    durationSeconds: Math.max(...tracks.map(endOf)),
    width: video?.width,
    height: video?.height,
    codecs: tracks.map(({ codec }) => codec),
  }
}
