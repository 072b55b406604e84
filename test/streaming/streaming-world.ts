import { MemoryBlobStore } from '../../src/adapters/memory/content/memory-blob-store.ts'
import { MemoryStreamIndexStore } from '../../src/adapters/memory/media/memory-stream-index-store.ts'
import { contentTypeOf } from '../../src/domain/content/media-type.ts'
import { createStreams, type Streams } from '../../src/domain/streaming/streams.ts'
import type { Part } from '../../src/domain/streaming/segments/assemble.ts'
import type { AssetRecord } from '../../src/ports/records/asset.ts'
import type { ZoneRecord } from '../../src/ports/records/zone.ts'
import { sampleVideo, sampleVideos } from '../fixtures/media/sample-videos.ts'

/** A service's worth of videos in memory. */
export interface StreamingWorld {
  readonly streams: Streams
  readonly blobs: MemoryBlobStore
  readonly indexes: MemoryStreamIndexStore
  readonly assets: Map<string, AssetRecord>
  readonly zones: Map<string, ZoneRecord>
  store(path: string, bytes: Uint8Array): Promise<AssetRecord>
}

interface Options {
  readonly sign?: (path: string, expires: string) => string
}

const epoch = new Date('2026-01-01T00:00:00.000Z')

export function createStreamingWorld({ sign }: Options = {}): StreamingWorld {
  const blobs = new MemoryBlobStore()
  const indexes = new MemoryStreamIndexStore()
  const assets = new Map<string, AssetRecord>()
  const zones = new Map<string, ZoneRecord>()
  zones.set('acme', { name: 'acme', createdAt: epoch, enabled: true, suspended: false })
  const manifest = {
    asset: (path: string) => assets.get(path),
    zone: (name: string) => zones.get(name),
  }
  const streams = createStreams({ assets: manifest, blobs, indexes, ...(sign && { sign }) })

  return {
    streams,
    blobs,
    indexes,
    assets,
    zones,
    async store(path, bytes) {
      await using incoming = await blobs.receive(bytes)
      const blob = await incoming.keep()
      const [zone = '', , category = ''] = path.split('/')
      const name = path.slice(path.lastIndexOf('/') + 1)
      const record: AssetRecord = {
        ...blob,
        path,
        zone,
        category,
        name,
        format: name.slice(name.lastIndexOf('.') + 1),
        contentType: contentTypeOf(name),
        createdAt: epoch,
        changedAt: epoch,
        commitId: 'c1',
      }
      assets.set(path, record)
      return record
    },
  }
}

export const pathOf = (name: string): string =>
  `acme/v1/films/${name}.${name === 'quicktime' ? 'mov' : 'mp4'}`

/** Every video of the fixtures, and subtitles for the ladder. */
export async function storeVideos(house: StreamingWorld): Promise<void> {
  for (const name of sampleVideos) await house.store(pathOf(name), await sampleVideo(name))
  await house.store('acme/v1/films/ladder.en.vtt', Buffer.from(subtitles('Hello')))
  await house.store('acme/v1/films/ladder_pt-BR.vtt', Buffer.from(subtitles('Olá')))
}

const subtitles = (text: string): string =>
  `WEBVTT\n\n00:00.000 --> 00:03.000\n${text}\n\n00:07.000 --> 00:10.000\n${text}!\n`

/** What is at a URL that a playlist names, as a player would get it. */
export async function fetchStream(house: StreamingWorld, uri: string): Promise<StreamResponse> {
  const query = new URLSearchParams(uri.slice(uri.indexOf('?') + 1))
  const path = query.get('path') ?? ''
  const quality = query.get('quality')?.replace('.m3u8', '')
  const number = query.get('segment')
  if (number === null || quality === undefined) {
    const { text } = await house.streams.playlist({ path, quality, grant: undefined })
    return { contentType: 'application/vnd.apple.mpegurl', bytes: Buffer.from(text) }
  }
  const segment = await house.streams.segment({
    path,
    quality,
    segment: number === 'init.mp4' ? 'init' : Number.parseInt(number, 10),
    version: query.get('v') ?? undefined,
    grant: undefined,
  })
  const bytes = await joined(await segment.read())
  if (bytes.length !== segment.sizeBytes) throw new Error(`${uri} is not as long as it says`)
  return { contentType: segment.contentType, bytes }
}

export const joined = async (parts: readonly Part[]): Promise<Uint8Array> =>
  Buffer.concat(
    await Promise.all(parts.map((part) => (part instanceof Uint8Array ? part : part.bytes()))),
  )

export interface StreamResponse {
  readonly contentType: string
  readonly bytes: Uint8Array
}
