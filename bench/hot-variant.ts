/**
 * What a variant that was asked for before costs beside a static asset of the very same bytes, and its 304 beside
 * that asset's: requests per CPU-second of all the service's processes, over its socket. `ONLY` names the rows.
 */
import sharp from 'sharp'

import {
  access,
  account,
  startService,
  temporaryDirectory,
} from '../test/support/service-process.ts'
import { asInProduction, compare, type Contender, report, type Row } from './harness.ts'
import { type Load, sendAll } from './keep-alive-load.ts'
import { exactCpuSecondsOfTree } from './process-usage.ts'

const requests = Number(process.env['REQUESTS'] ?? 20_000)
const rounds = Number(process.env['ROUNDS'] ?? 9)
const connections = 16
const only = process.env['ONLY']
/** As a browser asks for an image. */
const browser = {
  'User-Agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  Accept: 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8',
  'Accept-Encoding': 'gzip, deflate, br, zstd',
  'Accept-Language': 'en-GB,en;q=0.9',
}

const photo = 'acme/v1/banners/photo'
const forms = {
  '/api/transform': `/api/transform?url=/${photo}.jpg&w=320&format=webp`,
  'a named transform': `/api/transform?url=/${photo}.jpg&t=card`,
  'its path': `/${photo}.jpg/card.webp`,
  '/api/auto': `/api/auto?path=${photo}`,
  '/api/auto, by its path': `/api/auto/${photo}`,
}

await using directory = await temporaryDirectory()
await using service = await startService({
  dataDirectory: directory.path,
  environment: { ...asInProduction, IDLE_WORK: 'none' },
})
const url = new URL(service.url)
await core('zones', { Name: 'acme' })
const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
const image = sharp({
  create: { width: 640, height: 426, channels: 3, background: '#246', noise },
})
await put(`${photo}.jpg`, Uint8Array.from(await image.jpeg({ quality: 60 }).toBuffer()))
await core('rules', { File: '_transforms', Content: 'card w=320 format=webp\n' })

const rows: Row[] = []
for (const [name, path] of Object.entries(forms)) {
  if (only !== undefined && !name.includes(only)) continue
  const { bytes, etag } = await warm(path)
  const file = `/acme/v1/same/${bytes.length}.${rows.length}.webp`
  await put(file.slice(1), bytes)
  const same = await warm(file)
  const size = `${name}, ${bytes.length} bytes`
  await race(size, { path, status: 200 }, { path: file, status: 200 })
  await race(
    `${name}, 304`,
    { path, status: 304, headers: { 'If-None-Match': etag } },
    { path: file, status: 304, headers: { 'If-None-Match': same.etag } },
  )
}
if (only === undefined) await report('hot-variant', rows)

async function race(
  what: string,
  variant: Pick<Load, 'path' | 'status' | 'headers'>,
  asset: Pick<Load, 'path' | 'status' | 'headers'>,
): Promise<void> {
  const ratios = await compare({
    title: `${what} (requests per CPU-second)`,
    ours: contender('variant', variant),
    peers: [contender('static asset', asset)],
    rounds,
  })
  const ratio = ratios.get('static asset') ?? Number.NaN
  rows.push({ what, figure: '≥ 0.9x of a static asset', measured: `${ratio.toFixed(2)}x` })
}

function contender(name: string, load: Pick<Load, 'path' | 'status' | 'headers'>): Contender {
  const whole = { ...load, url, connections, headers: { ...browser, ...load.headers } }
  return {
    name,
    async run(round) {
      if (round === 0) await sendAll({ ...whole, requests: 5_000 })
      const before = await exactCpuSecondsOfTree(service.pid)
      await sendAll({ ...whole, requests })
      return requests / ((await exactCpuSecondsOfTree(service.pid)) - before)
    },
  }
}

/** Has it made, and kept where it is kept. */
async function warm(path: string) {
  const ask = () => fetch(service.url + path, { headers: browser })
  await (await ask()).bytes()
  const response = await ask()
  if (response.status !== 200) throw new Error(`${path}: ${await response.text()}`)
  return { bytes: await response.bytes(), etag: response.headers.get('etag') ?? '' }
}

async function put(path: string, body: Uint8Array<ArrayBuffer>): Promise<void> {
  await send(`storage/${path}`, { method: 'PUT', headers: access, body })
}

async function core(path: string, body: object): Promise<void> {
  await send(`core/${path}`, { method: 'POST', headers: account, body: JSON.stringify(body) })
}

async function send(path: string, init: RequestInit): Promise<void> {
  const response = await fetch(`${service.url}/api/${path}`, init)
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
}
