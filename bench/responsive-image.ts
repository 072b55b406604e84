/**
 * What a page pays for asking what it needs of an image: `/api/picture`, hot, beside its own 304, in
 * requests per CPU-second of the service's process, over its socket.
 */
import sharp from 'sharp'

import {
  access,
  account,
  startService,
  temporaryDirectory,
} from '../test/support/service-process.ts'
import { asInProduction, compare, type Contender, report } from './harness.ts'
import { cpuSeconds } from './process-usage.ts'

const requestsPerRound = 8000
const connections = 16
const rounds = Number(process.env['ROUNDS'] ?? 7)
const path = 'acme/v1/banners/photo.jpg'

await using directory = await temporaryDirectory()
await using service = await startService({
  dataDirectory: directory.path,
  environment: { ...asInProduction, IDLE_WORK: 'none' },
})
const zone = { method: 'POST', headers: account, body: '{"Name":"acme"}' }
await fetch(`${service.url}/api/core/zones`, zone)
const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
const image = sharp({
  create: { width: 1920, height: 1280, channels: 3, background: '#246', noise },
})
const body = new Uint8Array(await image.jpeg().toBuffer())
await fetch(`${service.url}/api/storage/${path}`, { method: 'PUT', headers: access, body })

const ask = (headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${service.url}/api/picture?path=${path}`, {
    headers: { 'Accept-Encoding': 'identity', ...headers },
  })
const first = await ask()
if (first.status !== 200) throw new Error(await first.text())
const { length } = await first.bytes()
const etag = first.headers.get('etag') ?? ''

const contender = (name: string, status: number, headers = {}): Contender => ({
  name,
  async run() {
    const start = await cpuSeconds(service.pid)
    const askAll = async (): Promise<void> => {
      for (let count = 0; count < requestsPerRound / connections; count += 1) {
        const response = await ask(headers)
        if (response.status !== status) throw new Error(`${name} answered ${response.status}`)
        await response.arrayBuffer()
      }
    }
    await Promise.all(Array.from({ length: connections }, askAll))
    return requestsPerRound / ((await cpuSeconds(service.pid)) - start)
  },
})

const ours = contender(`200 with ${length} bytes`, 200)
const peer = contender('304', 304, { 'If-None-Match': etag })
await ours.run(0)
await peer.run(0)
const ratios = await compare({
  title: '/api/picture, hot (requests per CPU-second)',
  ours,
  peers: [peer],
  rounds,
})
await report('responsive-image', [
  {
    what: `/api/picture hot (${length} bytes), CPU of its own 304`,
    figure: '≤ 1.2x',
    measured: `${(1 / (ratios.get(peer.name) ?? Number.NaN)).toFixed(2)}x`,
  },
])
