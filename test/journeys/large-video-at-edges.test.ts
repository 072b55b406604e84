import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { peakGrowth } from '../../bench/process-usage.ts'
import { edgeTokenOf, type EdgeProcess, startEdge } from '../support/edge-process.ts'
import {
  createZone,
  type LargeVideo,
  makeLargeVideo,
  playAndSeek,
  uploadLarge,
} from '../support/large-video.ts'
import { ffmpeg, have } from '../support/needs.ts'
import {
  type ServiceProcess,
  startService,
  temporaryDirectory,
} from '../support/service-process.ts'
import { until } from '../support/until.ts'

/** A video of `LARGE_FILE_MB`, 60 where that is left out. Whatever its size, memory stays what it is. */
const minBytes = Number(process.env['LARGE_FILE_MB'] ?? 60) * 2 ** 20
const limitMs = 600_000
const path = 'acme/v1/films/film.mp4'
/** A few slices on their way, and garbage. */
const maxGrowthBytes = 96 * 2 ** 20

const undo = new AsyncDisposableStack()
let video: LargeVideo
let sha256: string
let service: ServiceProcess
let edge: EdgeProcess
let cacheDirectory: string

const isPossible = have('large files at an edge elsewhere', ffmpeg)

beforeAll(async () => {
  if (!isPossible) return
  const { path: directory } = undo.use(await temporaryDirectory())
  video = await makeLargeVideo(directory, minBytes)
  sha256 = await hashOf(Bun.file(video.file).stream())
  service = undo.use(
    await startService({
      dataDirectory: join(directory, 'origin'),
      environment: { MAX_STAGED_GB: '20' },
    }),
  )
  await createZone(service.url, 'acme')
  const growth = await peakGrowth(service.pid, () => uploadLarge(service.url, path, video.file))
  console.log(`stored ${video.sizeBytes} bytes; the service grew by ${inMb(growth)}`)
  const token = await edgeTokenOf(service.url)
  cacheDirectory = join(directory, 'edge')
  edge = undo.use(
    await startEdge({
      origin: service.url,
      token,
      name: 'one',
      directory: cacheDirectory,
      args: ['--disk', '256'],
    }),
  )
  await until(async () => (await fetch(`${edge.url}/${path}`, { method: 'HEAD' })).status === 200)
}, limitMs)

afterAll(() => undo.disposeAsync(), limitMs)

const inMb = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`

async function hashOf(stream: ReadableStream<Uint8Array> | null): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256')
  for await (const piece of stream ?? []) hasher.update(piece)
  return hasher.digest('hex')
}

/** What the edge keeps of bytes. */
async function keptBytes(): Promise<number> {
  const blobs = join(cacheDirectory, 'blobs')
  const names = await readdir(blobs, { recursive: true })
  const all = await Promise.all(names.map((name) => stat(join(blobs, name)).catch(() => undefined)))
  return all.reduce((sum, found) => sum + (found?.isFile() === true ? found.size : 0), 0)
}

const local = (start: number, end: number) => Bun.file(video.file).slice(start, end).bytes()

async function rangeAt(base: string, start: number, end: number) {
  const response = await fetch(`${base}/${path}`, {
    headers: { Range: `bytes=${start}-${end - 1}` },
  })
  return { response, bytes: await response.bytes() }
}

if (isPossible) {
  test(
    'an edge fetches the ranges that are asked for, and answers as the origin does',
    async () => {
      expect(await keptBytes()).toBeLessThan(2 ** 20)
      const middle = Math.floor(video.sizeBytes / 2)
      for (const base of [service.url, edge.url]) {
        const head = await fetch(`${base}/${path}`, { method: 'HEAD' })
        expect(head.headers.get('content-length')).toBe(String(video.sizeBytes))
        expect(head.headers.get('accept-ranges')).toBe('bytes')
        const { response, bytes } = await rangeAt(base, middle, middle + 500_000)
        expect([response.status, response.headers.get('content-range')]).toEqual([
          206,
          `bytes ${middle}-${middle + 499_999}/${video.sizeBytes}`,
        ])
        expect(Bun.hash(bytes)).toBe(Bun.hash(await local(middle, middle + 500_000)))
        const last = await fetch(`${base}/${path}`, { headers: { Range: 'bytes=-10' } })
        expect(await last.bytes()).toEqual(await local(video.sizeBytes - 10, video.sizeBytes))

        const etag = head.headers.get('etag') ?? ''
        const partIf = (given: string) =>
          fetch(`${base}/${path}`, { headers: { Range: 'bytes=5-9', 'If-Range': given } })
        expect(await (await partIf(etag)).bytes()).toEqual(await local(5, 10))
        const other = await partIf('"other"')
        expect(other.status).toBe(200)
        await other.body?.cancel()
        const several = await fetch(`${base}/${path}`, {
          headers: { Range: `bytes=0-4,${middle}-${middle + 4}` },
        })
        expect(several.headers.get('content-type')).toStartWith('multipart/byteranges')
        expect(Buffer.from(await several.bytes()).includes(await local(middle, middle + 5))).toBe(
          true,
        )
        const none = await fetch(`${base}/${path}`, {
          headers: { Range: `bytes=${video.sizeBytes}-` },
        })
        expect(none.status).toBe(416)
        const known = await fetch(`${base}/${path}`, { headers: { 'If-None-Match': etag } })
        expect(known.status).toBe(304)
      }
      expect(await keptBytes()).toBeLessThan(16 * 2 ** 20)
    },
    limitMs,
  )

  test(
    'it plays by HLS and seeks, at the origin and at the edge, of which little is fetched',
    async () => {
      const before = await keptBytes()
      const answers = []
      for (const base of [service.url, edge.url])
        answers.push(await playAndSeek(base, path, video.seconds))
      expect(answers[1]).toEqual(answers[0])
      expect((await keptBytes()) - before).toBeLessThan(24 * 2 ** 20)
    },
    limitMs,
  )

  test(
    'the whole of it goes out while memory stays flat, within the room that the edge has',
    async () => {
      for (const [pid, base] of [
        [service.pid, service.url],
        [edge.pid, edge.url],
      ] as const) {
        const growth = await peakGrowth(pid, async () => {
          const response = await fetch(`${base}/${path}`)
          expect(await hashOf(response.body)).toBe(sha256)
        })
        console.log(`${base === edge.url ? 'the edge' : 'the service'} grew by ${inMb(growth)}`)
        expect(growth).toBeLessThan(maxGrowthBytes)
      }
      expect(await keptBytes()).toBeLessThan(256 * 2 ** 20)
    },
    limitMs,
  )

  test(
    'a frame of it is shown without the whole being fetched',
    async () => {
      for (const base of [service.url, edge.url]) {
        const transform = await fetch(`${base}/api/transform?url=${path}&w=100`)
        expect(transform.status).toBe(200)
        await transform.body?.cancel()
      }
      expect(await keptBytes()).toBeLessThan(256 * 2 ** 20)
    },
    limitMs,
  )

  test(
    'a client that leaves ends what is fetched for it',
    async () => {
      await using fresh = await startEdge({
        origin: service.url,
        token: await edgeTokenOf(service.url),
        name: 'leaving',
        directory: join(cacheDirectory, '..', 'leaving'),
      })
      const leaving = new AbortController()
      await until(
        async () => (await fetch(`${fresh.url}/${path}`, { method: 'HEAD' })).status === 200,
      )
      const response = await fetch(`${fresh.url}/${path}`, { signal: leaving.signal })
      // More than the first piece, so that a part of the file stays here.
      let received = 0
      for await (const chunk of response.body ?? []) {
        received += chunk.length
        if (received > 128 * 1024) break
      }
      leaving.abort()
      const countSlices = async () =>
        (await readdir(join(cacheDirectory, '..', 'leaving', 'blobs'), { recursive: true })).length
      await until(async () => {
        const count = await countSlices()
        // As long as no further one comes.
        await Bun.sleep(300)
        return count === (await countSlices())
      })
      expect(await countSlices()).toBeLessThan(60)
    },
    limitMs,
  )

  test(
    'without its origin an edge serves what it has, and refuses the rest',
    async () => {
      const start = 10 * 2 ** 20
      const held = await rangeAt(edge.url, start, start + 1_000)
      await service.stop()
      const again = await rangeAt(edge.url, start, start + 1_000)
      expect(again.bytes).toEqual(held.bytes)
      await using lonely = await startEdge({
        origin: service.url,
        token: await edgeTokenOf(edge.url).catch(() => 'cdnsk_none'),
        name: 'two',
        directory: cacheDirectory.replace(/edge$/u, 'leaving'),
      })
      const absent = Math.floor(video.sizeBytes * 0.6)
      const refused = await rangeAt(lonely.url, absent, absent + 10)
      expect(refused.response.status).toBe(503)
      const known = await fetch(`${lonely.url}/${path}`, { method: 'HEAD' })
      expect(known.status).toBe(200)
    },
    limitMs,
  )
}
