import type { BlobBytes, BlobStore } from '../../ports/content/blob-store.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import type { S3FifoCache } from '../../lib/collections/s3-fifo-cache.ts'
import { ServiceError } from '../errors.ts'
import { assembleSegment, type Part } from './segments/assemble.ts'
import { unprocessable, type SubtitleFile } from './video-library.ts'
import { fragmentHeaderBytes, payloadBytes } from './segments/fragment.ts'
import { initSegment } from './segments/init-segment.ts'
import type { Rendition } from './presentation.ts'
import type { SegmentRequest } from './stream-request.ts'
import type { Track } from './index/stream-index.ts'
import { UnstreamableMediaError } from './mp4/byte-source.ts'

export interface Segment {
  readonly contentType: string
  readonly sizeBytes: number
  /** Names the bytes: equal tags, equal bytes. */
  readonly tag: string
  /** Whether the URL names these very bytes, so that the response holds for ever. */
  readonly isImmutable: boolean
  /** The video that was asked for, and the file that the bytes are of. */
  readonly sources: readonly AssetRecord[]
  /** Reads nothing before it is called. */
  read(): Promise<readonly Part[]>
}

type Blobs = Pick<BlobStore, 'open'>

/** The bytes of a segment by its tag; most viewers of a video ask for the same ones. */
export type SegmentCache = Pick<S3FifoCache<Uint8Array<ArrayBuffer>>, 'get' | 'set'>

interface Sources {
  readonly blobs: Blobs
  readonly cache: SegmentCache
}

export interface RequestedSegment {
  readonly video: AssetRecord
  readonly request: SegmentRequest
}

export function videoSegment(
  { blobs, cache }: Sources,
  rendition: Rendition,
  { video, request: { segment: number, version } }: RequestedSegment,
): Segment {
  const { track, record, segments } = rendition
  checkVersion(version, rendition.version)
  const tag = `${rendition.version}-${rendition.id}-${number}`
  const facts = {
    tag,
    isImmutable: version !== undefined,
    sources: [video, record],
  }
  if (number === 'init') {
    const bytes = initSegment(track)
    const contentType = `${track.kind}/mp4`
    return { ...facts, contentType, sizeBytes: bytes.length, read: async () => [bytes] }
  }
  const segment = segments[number]
  if (segment === undefined) throw unknownSegment(number, segments.length)
  return {
    ...facts,
    contentType: contentTypes[track.kind],
    sizeBytes: fragmentHeaderBytes(track, segment) + payloadBytes(track.samples, segment),
    async read() {
      const known = cache.get(tag)
      if (known !== undefined) return [known]
      const { from, to } = segment
      const span = { from, to, sequenceNumber: number + 1 }
      const parts = await assembleSegment(await opened(blobs, record), track, span).catch(
        translated,
      )
      const [first] = parts
      if (parts.length === 1 && first instanceof Uint8Array) cache.set(tag, first, first.byteLength)
      return parts
    },
  }
}

const contentTypes: Readonly<Record<Track['kind'], string>> = {
  video: 'video/iso.segment',
  audio: 'audio/iso.segment',
}

/** The stored file as it is. */
export function subtitleSegment(
  blobs: Blobs,
  { record }: SubtitleFile,
  { video, request: { segment, version } }: RequestedSegment,
): Segment {
  checkVersion(version, record.sha256)
  if (segment !== 0) throw unknownSegment(segment, 1)
  return {
    contentType: 'text/vtt; charset=utf-8',
    sizeBytes: record.sizeBytes,
    tag: record.sha256,
    isImmutable: version !== undefined,
    sources: [video, record],
    read: async () => [await opened(blobs, record)],
  }
}

/** Bytes are never given out under the name of others, though an old playlist then ends. */
function checkVersion(given: string | undefined, current: string): void {
  if (given !== undefined && given !== current)
    throw new ServiceError('NotFound', 'The video has changed: load its playlist again', {
      target: 'v',
    })
}

function translated(error: unknown): never {
  throw error instanceof UnstreamableMediaError ? unprocessable(error) : error
}

const unknownSegment = (segment: number | 'init', count: number): ServiceError =>
  new ServiceError(
    'NotFound',
    `There is no segment "${segment}": the playlist lists 0 to ${count - 1}`,
    { target: 'segment' },
  )

async function opened(blobs: Blobs, record: AssetRecord): Promise<BlobBytes> {
  const blob = await blobs.open(record.sha256)
  if (blob === undefined)
    throw new ServiceError('Unavailable', `The bytes of "${record.path}" cannot be read now`)
  return blob
}
