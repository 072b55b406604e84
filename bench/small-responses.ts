/**
 * What small answers take while the render queue is full of heavy images, beside what they take while nothing goes on,
 * in turns: a static asset, its 304, a variant that is there, an operation. What a server that does nothing takes
 * meanwhile, in a process of its own, says what of that is the machine's.
 */
import { join } from 'node:path'
import sharp from 'sharp'

import {
  access,
  account,
  startService,
  temporaryDirectory,
} from '../test/support/service-process.ts'
import { asInProduction, median, report, type Row } from './harness.ts'
import { LineProcess } from './images/line-process.ts'

const rounds = Number(process.env['ROUNDS'] ?? 7)
const requests = Number(process.env['REQUESTS'] ?? 1500)
/** More than are made at once on any machine that this runs on. */
const waiting = 8
const fileBytes = 10_240

interface Asked {
  readonly name: string
  readonly url: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

interface Latency {
  readonly p50: number
  readonly p99: number
}

await using directory = await temporaryDirectory()
await using service = await startService({
  dataDirectory: directory.path,
  environment: { ...asInProduction, IDLE_WORK: 'none', TRANSFORMS_PER_MINUTE: '1000000' },
})
const words = [process.execPath, join(import.meta.dir, 'bare-server.ts'), String(fileBytes)]
await using bare = new LineProcess(words)
await send('core/zones', { method: 'POST', headers: account, body: '{"Name":"acme"}' })
for (let index = 0; index < 4; index += 1) await put(`large-${index}.jpg`, await photo(4000))
await put('small.jpg', await photo(400))
await put('file.bin', crypto.getRandomValues(new Uint8Array(fileBytes)))

const variant = '/api/transform?url=/acme/v1/banners/small.jpg&w=200&format=webp'
const asset = '/acme/v1/banners/file.bin'
const asked: readonly Asked[] = [
  ask('a static asset of 10 KB', asset),
  { ...ask('its 304', asset), status: 304, headers: { 'If-None-Match': await etagOf(asset) } },
  ask('a variant that is there', variant),
  { ...ask('an operation', '/api/assets?per_page=5'), headers: access },
  { ...ask('a server that does nothing', ''), url: await bare.next() },
]
await etagOf(variant)
const program = join(import.meta.dir, 'small-responses-client.ts')
await using client = new LineProcess([process.execPath, program])
const measured = new Map<string, Latencies>(asked.map(({ name }) => [name, { idle: [], busy: [] }]))
interface Latencies {
  readonly idle: Latency[]
  readonly busy: Latency[]
}

let width = 900
for (let round = 0; round < rounds; round += 1) {
  await measure('idle')
  await using _flood = startFlood()
  await Bun.sleep(500)
  await measure('busy')
}
await report('small-responses', asked.map(rowOf))

function ask(name: string, path: string): Asked {
  return { name, url: service.url + path, status: 200, headers: {} }
}

async function measure(when: keyof Latencies): Promise<void> {
  const all: readonly Latency[] = JSON.parse(await client.ask(JSON.stringify({ asked, requests })))
  for (const [index, { name }] of asked.entries()) {
    const latency = all[index]
    if (latency !== undefined) measured.get(name)?.[when].push(latency)
  }
}

/** Keeps the queue full until it is let go of. */
function startFlood(): AsyncDisposable {
  const stopping = new AbortController()
  let made = 0
  const work = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      width += 1
      const path = `/acme/v1/banners/large-${width % 4}.jpg`
      const url = `${service.url}/api/transform?url=${path}&w=${width}&format=avif`
      const response = await fetch(url, { signal: stopping.signal }).catch(() => undefined)
      await response?.bytes().catch(() => undefined)
      if (response?.ok) made += 1
      // Whoever was told that there are too many.
      else await Bun.sleep(250)
    }
  }
  const workers = Array.from({ length: waiting }, work)
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await Promise.all(workers)
      console.log(`made ${made} images meanwhile`)
    },
  }
}

function rowOf({ name }: Asked): Row {
  const { idle = [], busy = [] } = measured.get(name) ?? {}
  const of = (all: readonly Latency[], which: keyof Latency) =>
    median(all.map((latency) => latency[which]))
  const ratio = (which: keyof Latency) =>
    median(busy.map((latency, round) => latency[which] / (idle[round]?.[which] ?? Number.NaN)))
  const [p99, was] = [of(busy, 'p99').toFixed(2), of(idle, 'p99').toFixed(2)]
  return {
    what: `${name} while the render queue is full, against idle`,
    figure: 'p99 ≤ 2x',
    measured: `p99 ${ratio('p99').toFixed(2)}x (${p99} against ${was} ms), p50 ${ratio('p50').toFixed(2)}x`,
  }
}

/** A picture with as much in it as one of a camera. */
async function photo(wide: number): Promise<Uint8Array<ArrayBuffer>> {
  const noise = { type: 'gaussian', mean: 128, sigma: 25 } as const
  const height = Math.round(wide * 0.75)
  const image = sharp({ create: { width: wide, height, channels: 3, background: '#246', noise } })
  return Uint8Array.from(await image.blur(2).jpeg({ quality: 85 }).toBuffer())
}

async function etagOf(path: string): Promise<string> {
  const response = await fetch(service.url + path)
  await response.bytes()
  return response.headers.get('etag') ?? ''
}

async function put(name: string, body: Uint8Array<ArrayBuffer>): Promise<void> {
  await send(`storage/acme/v1/banners/${name}`, { method: 'PUT', headers: access, body })
}

async function send(path: string, init: RequestInit): Promise<void> {
  const response = await fetch(`${service.url}/api/${path}`, init)
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
}
