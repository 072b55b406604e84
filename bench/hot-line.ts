/**
 * What the whole service takes for what is at hand, as clients meet it: over its listener, with metrics, asked with
 * the fields that browsers send. Requests per CPU-second of all its processes, with the hot line and without, beside
 * nginx that sends the same fields, and beside a bare socket that answers without reading: nobody can be cheaper
 * there. `ONLY` names the rows, `ROUNDS` how often each is measured.
 */
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

import { freePort } from '../test/support/free-port.ts'
import {
  access,
  account,
  startService,
  temporaryDirectory,
} from '../test/support/service-process.ts'
import { browser } from './browser-fields.ts'
import { asInProduction, compare, type Contender, report, type Row } from './harness.ts'
import { LineProcess } from './images/line-process.ts'
import { type Load, sendAll } from './keep-alive-load.ts'
import { startLikeNginx } from './like-nginx.ts'
import { exactCpuSecondsOfTree } from './process-usage.ts'

const requests = Number(process.env['REQUESTS'] ?? 20_000)
const rounds = Number(process.env['ROUNDS'] ?? 9)
const connections = 64
/** A compiler that is still at work would be a tenth of what the first rounds cost, and is gone for good after. */
const warmingRequests = requests
const only = process.env['ONLY']
interface Server {
  readonly name: string
  readonly url: string
  readonly pid: number
}

await using directory = await temporaryDirectory()
const start = async (hotLine: 'on' | 'off') =>
  await startService({
    dataDirectory: join(directory.path, hotLine),
    environment: {
      ...asInProduction,
      IDLE_WORK: 'none',
      HOT_LINE: hotLine,
      METRICS_PORT: String(await freePort()),
    },
  })
await using on = await start('on')
await using off = await start('off')

const text = (lines: number) =>
  Buffer.from(
    Array.from({ length: lines }, (_, line) => `.rule-${line} { margin: ${line % 97}px }\n`).join(
      '',
    ),
  )
const noise = (length: number): Buffer<ArrayBuffer> => {
  const bytes = Buffer.alloc(length)
  for (let at = 0; at < length; at += 65_536)
    crypto.getRandomValues(bytes.subarray(at, at + 65_536))
  return bytes
}
const files: Readonly<Record<string, Buffer<ArrayBuffer>>> = {
  'a.png': noise(10 * 1024),
  'b.css': text(1200),
  'c.css': text(3400),
  'big.png': noise(1024 * 1024),
}
for (const service of [on, off]) {
  await send(service.url, 'core/zones', {
    method: 'POST',
    headers: account,
    body: '{"Name":"bench"}',
  })
  for (const [name, body] of Object.entries(files))
    await send(service.url, `storage/bench/v1/icons/${name}`, {
      method: 'PUT',
      headers: access,
      body,
    })
}
await using nginx = await startLikeNginx({
  directory: directory.path,
  files: Object.fromEntries(
    Object.entries(files).map(([name, body]) => [`bench/v1/icons/${name}`, body]),
  ),
  coded: brotliCompressSync(files['b.css'] ?? ''),
  headers: await (await fetch(`${on.url}/bench/v1/icons/a.png`)).headers,
})
const floor = new LineProcess([process.execPath, join(import.meta.dir, 'raw-floor.ts')])
await using _floor = floor
const floorUrl = await floor.next()

const ours: Server = { name: 'the service', url: on.url, pid: on.pid }
const without: Server = { name: 'without its hot line', url: off.url, pid: off.pid }
const peer: Server = { name: 'nginx', url: nginx.url, pid: nginx.pid }
const rawFloor: Server = { name: 'a bare socket', url: floorUrl, pid: floor.pid }

type Asked = Pick<Load, 'path' | 'status' | 'headers' | 'reconnects'>

const rows: Row[] = []
await race('10 KB', { figure: '≥ 1.15x nginx, ≥ 0.77x of a bare socket', path: 'a.png' })
await race('304', { figure: '≥ 1.1x nginx', path: 'a.png', is304: true })
await race('br', { figure: '≥ 1.1x nginx', path: 'b.css', nginxPath: '/coded/b.css' })
await race('100 KB of CSS without coding', {
  figure: '≥ 1.1x nginx',
  path: 'c.css',
  headers: { 'Accept-Encoding': 'identity' },
  share: 0.2,
})
await race('1 MB', { figure: '≥ 2x nginx', path: 'big.png', share: 0.05 })
await race('10 KB, a connection for each', {
  figure: '≥ 0.9x of without',
  path: 'a.png',
  reconnects: true,
  share: 0.1,
})
await raceOwn('an operation', '/api/assets?per_page=5', access)
if (only === undefined) await report('hot-line', rows)

interface Race {
  readonly figure: string
  readonly path: string
  readonly nginxPath?: string
  readonly is304?: boolean
  readonly headers?: Readonly<Record<string, string>>
  /** Whether each request has a connection of its own. */
  readonly reconnects?: boolean
  /** Of the usual number of requests. */
  readonly share?: number
}

async function race(what: string, { figure, share = 1, ...asked }: Race): Promise<void> {
  if (only !== undefined && !what.includes(only)) return
  const count = Math.ceil(requests * share)
  const contenders = [
    contender(ours, await askedOf(ours, asked), count),
    contender(peer, await askedOf(peer, asked), count),
    contender(without, await askedOf(without, asked), count),
  ]
  if (what === '10 KB' || what === '304')
    contenders.push(
      contender(
        rawFloor,
        { path: asked.is304 ? '/304' : '/10k', status: asked.is304 ? 304 : 200 },
        count,
      ),
    )
  const [mine, ...peers] = contenders
  if (mine === undefined) return
  const ratios = await compare({
    title: `${what} (requests per CPU-second)`,
    ours: mine,
    peers,
    rounds,
  })
  rows.push({
    what,
    figure,
    measured: [...ratios]
      .filter(([name]) => name !== ours.name)
      .map(([name, ratio]) => `${ratio.toFixed(2)}x of ${name}`)
      .join(', '),
  })
}

async function raceOwn(what: string, path: string, headers: Readonly<Record<string, string>>) {
  if (only !== undefined && !what.includes(only)) return
  const count = Math.ceil(requests * 0.1)
  const asked = { path, status: 200, headers }
  const ratios = await compare({
    title: `${what} (requests per CPU-second)`,
    ours: contender(ours, asked, count),
    peers: [contender(without, asked, count)],
    rounds,
  })
  rows.push({
    what,
    figure: '≥ 0.95x of without',
    measured: `${(ratios.get(without.name) ?? Number.NaN).toFixed(2)}x`,
  })
}

async function askedOf(server: Server, asked: Omit<Race, 'figure'>): Promise<Asked> {
  const { nginxPath, is304 = false, reconnects = false, headers } = asked
  const path =
    server === peer && nginxPath !== undefined ? nginxPath : `/bench/v1/icons/${asked.path}`
  const sent = { ...browser, ...headers }
  for (let time = 0; time < 3; time += 1)
    await (await fetch(server.url + path, { headers: sent })).bytes()
  const response = await fetch(server.url + path, { headers: sent })
  await response.bytes()
  const etag = response.headers.get('etag') ?? ''
  return is304
    ? { path, status: 304, headers: { ...sent, 'If-None-Match': etag }, reconnects }
    : { path, status: 200, headers: sent, reconnects }
}

function contender(server: Server, asked: Asked, count: number): Contender {
  const load = { ...asked, url: new URL(server.url), connections, requests: count }
  return {
    name: server.name,
    async run(round) {
      if (round === 0) await sendAll({ ...load, requests: warmingRequests })
      const before = await exactCpuSecondsOfTree(server.pid)
      await sendAll(load)
      return count / ((await exactCpuSecondsOfTree(server.pid)) - before)
    },
  }
}

async function send(url: string, path: string, init: RequestInit): Promise<void> {
  const response = await fetch(`${url}/api/${path}`, init)
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
}
