import { expect, test } from 'bun:test'
import { once } from 'node:events'
import { type ClientHttp2Stream, connect } from 'node:http2'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

import { makeCertificate, openssl } from '../support/certificates.ts'
import { have } from '../support/needs.ts'
import { kernelTellsSentBytes } from '../support/sent-bytes-need.ts'
import { access, account, startService, temporaryDirectory } from '../support/service-process.ts'

const canRun = have('bytes of broken-off downloads over TLS', kernelTellsSentBytes, openssl)
const path = 'acme/v1/banners/big.bin'
const sizeBytes = 20_000_000
const takenBytes = 65_536
const settlingMs = 600
const overTls = { tls: { rejectUnauthorized: false } }
const limitMs = 120_000

async function setUp() {
  await using opening = new AsyncDisposableStack()
  const directory = opening.use(await temporaryDirectory())
  const { certificateFile, keyFile } = makeCertificate(directory.path, 'one', 'one.example')
  const service = opening.use(
    await startService({
      dataDirectory: join(directory.path, 'data'),
      environment: { TLS_CERT_FILE: certificateFile, TLS_KEY_FILE: keyFile, LOG_LEVEL: 'silent' },
    }),
  )
  const zone = { method: 'POST', headers: account, body: '{"Name":"acme"}', ...overTls }
  expect((await fetch(`${service.url}/api/core/zones`, zone)).status).toBe(201)
  const file = { method: 'PUT', headers: access, body: new Uint8Array(sizeBytes), ...overTls }
  expect((await fetch(`${service.url}/api/storage/${path}`, file)).status).toBe(201)
  const opened = opening.move()
  return {
    url: service.url,
    async bandwidth() {
      await wait(settlingMs)
      const url = `${service.url}/api/insights/summary?days=1&zone=acme`
      const response = await fetch(url, { headers: access, ...overTls })
      const { TotalBandwidthBytes } = (await response.json()) as {
        readonly TotalBandwidthBytes: number
      }
      return TotalBandwidthBytes
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function lengthOf(stream: ClientHttp2Stream): Promise<number> {
  let length = 0
  for await (const chunk of stream) length += (chunk as Buffer).length
  return length
}

async function takeSome(stream: ClientHttp2Stream): Promise<void> {
  let taken = 0
  const { promise, resolve } = Promise.withResolvers<void>()
  stream.on('data', (chunk: Buffer) => {
    taken += chunk.length
    if (taken >= takenBytes) {
      stream.pause()
      resolve()
    }
  })
  await promise
}

test.skipIf(!canRun)(
  'over TLS, a download of HTTP/1.1 counts exactly where it is complete, and what was sent where not',
  async () => {
    await using world = await setUp()
    const target = `${world.url}/${path}`
    const whole = await fetch(target, overTls)
    expect((await whole.arrayBuffer()).byteLength).toBe(sizeBytes)
    expect(await world.bandwidth()).toBe(sizeBytes)
    const ending = new AbortController()
    const response = await fetch(target, { ...overTls, signal: ending.signal })
    await response.body?.getReader().read()
    ending.abort()
    const more = (await world.bandwidth()) - sizeBytes
    expect(more).toBeGreaterThan(0)
    expect(more).toBeLessThan(sizeBytes)
  },
  limitMs,
)

test.skipIf(!canRun)(
  'the streams of an HTTP/2 connection count exactly where they are complete, and together no more than was sent where not',
  async () => {
    await using world = await setUp()
    const session = connect(world.url, { rejectUnauthorized: false })
    const streams = [1, 2].map(() => session.request({ ':path': `/${path}` }))
    expect(await Promise.all(streams.map(lengthOf))).toEqual([sizeBytes, sizeBytes])
    expect(await world.bandwidth()).toBe(2 * sizeBytes)
    const brokenOff = [1, 2, 3].map(() => session.request({ ':path': `/${path}` }))
    await Promise.all(brokenOff.map(takeSome))
    for (const stream of brokenOff) stream.close(8)
    const reset = (await world.bandwidth()) - 2 * sizeBytes
    expect(reset).toBeGreaterThanOrEqual(takenBytes)
    expect(reset).toBeLessThan(sizeBytes)
    await takeSome(session.request({ ':path': `/${path}` }))
    const closed = once(session, 'close')
    session.destroy()
    await closed
    const cut = (await world.bandwidth()) - 2 * sizeBytes - reset
    expect(cut).toBeGreaterThanOrEqual(takenBytes)
    expect(cut).toBeLessThan(sizeBytes / 2)
  },
  limitMs,
)
