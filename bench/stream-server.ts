import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { openDiskBlobStore } from '../src/adapters/disk/disk-blob-store.ts'
import { DiskStreamIndexStore } from '../src/adapters/disk/disk-stream-index-store.ts'
import { createStreams, type Streams } from '../src/domain/streaming/streams.ts'
import { testApp } from '../src/http/testing.ts'
import { Secret } from '../src/lib/secrets/secret.ts'
import { createWithheldAssets } from '../src/domain/content/delivered/withheld-assets.ts'
import { getStream } from '../src/planes/delivery/streams/stream.ts'
import type { AssetRecord } from '../src/ports/records/asset.ts'

export const videoPath = 'acme/v1/films/film.mp4'

/** One video on disk, streamed as the service does it; without memory every segment is made anew. */
export async function openVideo(
  directory: string,
  segmentMemoryBytes = 0,
): Promise<{
  readonly streams: Streams
  readonly file: string
}> {
  const file = join(directory, 'film.mp4')
  const blobs = await openDiskBlobStore({ directory: join(directory, 'blobs') })
  await mkdir(join(directory, 'indexes'), { recursive: true })
  await using incoming = await blobs.receive(await readFile(file))
  const blob = await incoming.keep()
  const at = new Date()
  const record: AssetRecord = {
    ...blob,
    path: videoPath,
    zone: 'acme',
    category: 'films',
    name: 'film.mp4',
    format: 'mp4',
    contentType: 'video/mp4',
    createdAt: at,
    changedAt: at,
    commitId: 'c1',
  }
  const streams = createStreams({
    assets: {
      asset: (path) => (path === videoPath ? record : undefined),
      zone: (name) => ({ name, createdAt: at, enabled: true, suspended: false }),
    },
    blobs,
    segmentMemoryBytes,
    indexes: new DiskStreamIndexStore({ directory: join(directory, 'indexes') }),
  })
  return { streams, file }
}

/**
 * Serves segments as `/api/stream` and the same bytes from `segment.m4s` as `/file`, and says at
 * `/cpu` how many microseconds of CPU it has used.
 */
async function serve(directory: string, segmentMemoryBytes: number): Promise<void> {
  const { streams } = await openVideo(directory, segmentMemoryBytes)
  const app = testApp([
    getStream.endpoint({
      previewOfHost: () => undefined,
      zoneOfHost: () => undefined,
      withheld: createWithheldAssets({ ruleFile: () => undefined, zone: () => undefined }),
      pinned: { from: async () => ({ asset: () => undefined, zone: () => undefined }) },
      streams,
      signedUrlSecret: new Secret('secret'),
      signedUrlMaxAgeSeconds: 604_800,
      now: () => new Date(),
    }),
  ])
  const file = Bun.file(join(directory, 'segment.m4s'))
  const headers = { 'Content-Type': 'video/iso.segment', ETag: '"x"', 'Accept-Ranges': 'bytes' }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    routes: {
      '/file': () => new Response(file, { headers }),
      '/cpu': () => {
        const { user, system } = process.cpuUsage()
        return Response.json(user + system)
      },
    },
    fetch: (request) => app.fetch(request, '127.0.0.1'),
  })
  console.log(server.port)
}

if (import.meta.main) await serve(process.argv[2] ?? '', Number(process.argv[3]))
