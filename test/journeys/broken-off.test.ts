import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

import { openKernelSentBytes } from '../../src/adapters/linux/kernel-sent-bytes.ts'
import { have } from '../support/needs.ts'
import { kernelTellsSentBytes } from '../support/sent-bytes-need.ts'
import {
  access,
  account,
  startService,
  temporaryDirectory,
  testKeys,
} from '../support/service-process.ts'

const canRun = have('bytes of broken-off downloads', kernelTellsSentBytes)
const path = 'acme/v1/banners/big.bin'
const sizeBytes = 25_000_000
const takenBytes = 65_536
/** Longer than what was sent takes to be counted, or taken for sent to its end. */
const settlingMs = 600
const limitMs = 120_000

async function setUp(environment: Readonly<Record<string, string>> = {}) {
  const directory = await temporaryDirectory()
  const service = await startService({
    dataDirectory: join(directory.path, 'data'),
    environment: { LOG_LEVEL: 'error', ...environment },
  })
  const port = Number(new URL(service.url).port)
  const kernel = openKernelSentBytes(() => performance.now())
  const created = await fetch(`${service.url}/api/core/zones`, {
    method: 'POST',
    headers: account,
    body: JSON.stringify({ Name: 'acme' }),
  })
  expect(created.status).toBe(201)
  await created.arrayBuffer()
  const stored = await fetch(`${service.url}/api/storage/${path}`, {
    method: 'PUT',
    headers: access,
    body: new Uint8Array(sizeBytes),
  })
  expect(stored.status).toBe(201)
  await stored.arrayBuffer()

  async function begin(target: string, fields = '') {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    const closed = once(socket, 'close')
    const { promise: hasTaken, resolve } = Promise.withResolvers<void>()
    socket.on('data', () => {
      if (socket.bytesRead < takenBytes) return
      socket.pause()
      resolve()
    })
    const ends = {
      localPort: port,
      peerAddress: '127.0.0.1',
      peerPort: socket.localPort ?? 0,
    }
    socket.write(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${fields}\r\n`)
    await hasTaken
    return {
      sentBytes: () => kernel?.connection(ends)?.measure()?.sentBytes ?? Number.NaN,
      async breakOff() {
        socket.resetAndDestroy()
        await closed
      },
    }
  }

  return {
    url: service.url,
    /** Takes some of a body, and breaks off once no more is sent; answers how much the kernel had sent. */
    async takeSome(target: string, fields?: string): Promise<number> {
      const download = await begin(target, fields)
      let before = -1
      while (before !== download.sentBytes()) {
        before = download.sentBytes()
        await wait(settlingMs)
      }
      await download.breakOff()
      return before
    },
    async takeSomeAtOnce(target: string): Promise<void> {
      await (await begin(target)).breakOff()
    },
    async takeAll(target: string, init: RequestInit = {}): Promise<number> {
      const response = await fetch(`${service.url}${target}`, init)
      return (await response.arrayBuffer()).byteLength
    },
    async bandwidth(): Promise<{ readonly requests: number; readonly bytes: number }> {
      await wait(settlingMs)
      const response = await fetch(`${service.url}/api/insights/summary?days=1&zone=acme`, {
        headers: access,
      })
      const { TotalRequests, TotalBandwidthBytes } = (await response.json()) as {
        readonly TotalRequests: number
        readonly TotalBandwidthBytes: number
      }
      return { requests: TotalRequests, bytes: TotalBandwidthBytes }
    },
    async [Symbol.asyncDispose]() {
      kernel?.[Symbol.dispose]()
      await service[Symbol.asyncDispose]()
      await directory[Symbol.asyncDispose]()
    },
  }
}

function signed(): string {
  const expires = Math.floor(Date.now() / 1000) + 600
  const sig = createHmac('sha256', testKeys.SIGNED_URL_SECRET)
    .update(`${path}:${expires}`)
    .digest('hex')
  return `/api/signed?path=${path}&expires=${expires}&sig=${sig}`
}

const ways = [
  { name: 'a whole file', target: () => `/${path}`, fields: '' },
  { name: 'a range', target: () => `/${path}`, fields: 'Range: bytes=0-19999999\r\n' },
  { name: 'a signed address', target: signed, fields: '' },
] as const

for (const { name, target, fields } of ways)
  test.skipIf(!canRun)(
    `a download of ${name} that is broken off counts what was sent of it`,
    async () => {
      await using world = await setUp()
      const sent = await world.takeSome(target(), fields)
      expect(sent).toBeGreaterThanOrEqual(takenBytes)
      expect(sent).toBeLessThan(sizeBytes / 2)
      const { requests, bytes } = await world.bandwidth()
      expect(requests).toBe(1)
      expect(bytes).toBeGreaterThanOrEqual(takenBytes)
      expect(bytes).toBeLessThanOrEqual(sent)
    },
    limitMs,
  )

for (const { environment, target } of [
  { environment: {}, target: () => `/${path}` },
  { environment: { EDGE_WORKERS: '1' }, target: () => `/${path}` },
  { environment: { EDGE_WORKERS: '1' }, target: signed },
])
  test.skipIf(!canRun)(
    `many downloads broken off at once count together what was sent: ${target === signed ? 'signed' : 'plain'}, ${JSON.stringify(environment)}`,
    async () => {
      await using world = await setUp(environment)
      const all = await Promise.all(Array.from({ length: 6 }, () => world.takeSome(target())))
      const sent = all.reduce((sum, each) => sum + each, 0)
      const { requests, bytes } = await world.bandwidth()
      expect(requests).toBe(6)
      expect(bytes).toBeGreaterThanOrEqual(6 * takenBytes)
      expect(bytes).toBeLessThanOrEqual(sent)
    },
    limitMs,
  )

test.skipIf(!canRun)(
  'downloads that are broken off in the first moment count what was sent of them',
  async () => {
    await using world = await setUp()
    for (let turn = 0; turn < 20; turn += 1) await world.takeSomeAtOnce(`/${path}`)
    const { requests, bytes } = await world.bandwidth()
    expect(requests).toBe(20)
    expect(bytes).toBeGreaterThanOrEqual(20 * takenBytes)
    expect(bytes).toBeLessThan((20 * sizeBytes) / 4)
  },
  limitMs,
)

for (const environment of [{}, { EDGE_WORKERS: '1' }])
  test.skipIf(!canRun)(
    `downloads that are taken to their end count exactly, and answers without a body nothing: ${JSON.stringify(environment)}`,
    async () => {
      await using world = await setUp(environment)
      const target = `/${path}`
      const [first, ...others] = await Promise.all([
        world.takeAll(target),
        world.takeAll(target),
        world.takeAll(target, { headers: { Connection: 'close' } }),
        world.takeAll(target, { headers: { Range: 'bytes=5-9999999' } }),
        world.takeAll(signed()),
      ])
      await world.takeAll(target, { method: 'HEAD' })
      const { headers } = await fetch(`${world.url}${target}`, { method: 'HEAD' })
      const etag = headers.get('etag') ?? ''
      expect(await world.takeAll(target, { headers: { 'If-None-Match': etag } })).toBe(0)
      const bytes = others.reduce((sum, each) => sum + each, first)
      expect(bytes).toBe(4 * sizeBytes + 9_999_995)
      expect(await world.bandwidth()).toEqual({ requests: 8, bytes })
    },
    limitMs,
  )
