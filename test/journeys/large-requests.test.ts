import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createMainProxy, openProxyTarget } from '../../src/server/workers/worker-proxy.ts'
import { openListener } from '../../src/server/listener.ts'
import { openLocalService } from '../support/local-service.ts'
import { account, temporaryDirectory, testKeys } from '../support/service-process.ts'

const opened = new AsyncDisposableStack()
/** Of the service itself, and of a process beside it that hands requests over. */
const ports: number[] = []

beforeAll(async () => {
  const directory = opened.use(await temporaryDirectory())
  const service = opened.use(await openLocalService({ dataDirectory: directory.path }))
  const body = JSON.stringify({ Name: 'acme' })
  await fetch(`${service.url}/api/core/zones`, { method: 'POST', headers: account, body })

  const sockets = await mkdtemp(join(tmpdir(), 'sedge-large-'))
  opened.defer(() => rm(sockets, { recursive: true }))
  const socket = join(sockets, 'main.sock')
  opened.use(openProxyTarget(socket, service.fetch))
  const beside = openListener({
    port: 0,
    hostname: '127.0.0.1',
    sharesPort: false,
    respond: createMainProxy(socket, {
      log: { warn: () => undefined },
      peerPortOf: () => undefined,
    }),
  })
  opened.defer(() => beside.stop(0))
  ports.push(service.port, beside.port)
})

afterAll(() => opened.disposeAsync())

interface Upload {
  readonly port: number
  readonly line: string
  readonly fields: readonly string[]
  /** How many megabytes to write at most; the client stops where it is answered. */
  readonly megabytes: number
}

interface Seen {
  readonly status: number
  readonly headers: string
  readonly body: Record<string, unknown>
}

/** What a client sees that reads while it writes. */
function upload({ port, line, fields, megabytes }: Upload): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.on('data', (data) => {
      text += String(data)
      if (/\r\n\r\n\{.*\}$/su.test(text)) socket.destroy()
    })
    socket.on('error', (error) => (text === '' ? reject(error) : undefined))
    socket.on('close', () => {
      const [headers = '', body = ''] = text.split('\r\n\r\n')
      resolve({ status: Number(headers.slice(9, 12)), headers, body: JSON.parse(body || '{}') })
    })
    socket.write(`${[`${line} HTTP/1.1`, 'Host: localhost', ...fields].join('\r\n')}\r\n\r\n`)
    const isChunked = fields.some((field) => field.startsWith('Transfer-Encoding'))
    const piece = Buffer.alloc(1_000_000, 'x')
    const frame = isChunked
      ? Buffer.concat([Buffer.from('f4240\r\n'), piece, Buffer.from('\r\n')])
      : piece
    let left = megabytes
    const writeMore = () => {
      while (left > 0 && !socket.destroyed) {
        left -= 1
        if (socket.write(frame)) continue
        socket.once('drain', writeMore)
        break
      }
    }
    writeMore()
  })
}

const accessKey = `AccessKey: ${testKeys.ACCESS_KEY}`
const announced = 'Content-Length: 200000000'
const chunked = 'Transfer-Encoding: chunked'
const file = 'PUT /api/storage/acme/v1/titles/film.mp4'
const batch = 'POST /api/storage/batch'

for (const [via, index] of [
  ['the service', 0],
  ['a process that hands over', 1],
] as const) {
  test.each([
    [file, announced, 0, 26_214_400],
    [file, announced, 200, 26_214_400],
    [file, chunked, 200, 26_214_400],
    [batch, announced, 0, 134_217_728],
    [batch, chunked, 200, 134_217_728],
    ['POST /api/analytics', announced, 0, 8192],
  ] as const)(
    `%s with %s and %d MB sent is 413 in the envelope by ${via}`,
    async (...[line, length, megabytes, maxSize]) => {
      const port = ports[index] ?? 0
      const seen = await upload({ port, line, fields: [accessKey, length], megabytes })
      expect(seen.status).toBe(413)
      expect(seen.body).toMatchObject({ HttpCode: 413, MaxSize: maxSize })
      expect(seen.headers).toContain(`X-Request-ID: ${String(seen.body['requestId'])}`)
      expect(seen.headers).toContain('X-API-Version: ')
    },
    30_000,
  )

  test(`whatever is announced to ${via}, the first thing that is wrong is told`, async () => {
    const port = ports[index] ?? 0
    const huge = 'Content-Length: 9000000000000'
    const status = async (line: string, ...fields: string[]) =>
      (await upload({ port, line, fields: [huge, ...fields], megabytes: 0 })).status
    expect(await status(file)).toBe(401)
    expect(await status('PUT /acme/v1/titles/film.mp4', accessKey)).toBe(404)
    expect(await status('PUT /api/none', accessKey)).toBe(404)
    expect(await status('PUT /api/assets', accessKey)).toBe(405)
  })
}
