import { expect, test } from 'bun:test'
import { cp } from 'node:fs/promises'
import { connect as connectHttp2 } from 'node:http2'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'

import { makeCertificate, openssl } from '../support/certificates.ts'
import { have } from '../support/needs.ts'
import {
  access,
  account,
  type ServiceProcess,
  startService,
  temporaryDirectory,
} from '../support/service-process.ts'
import { holders, sharedPorts, workersOf } from '../support/shared-port.ts'

const canRun = have('TLS', openssl)
const canShare = canRun && have('TLS of edge workers', sharedPorts)
const limitMs = 60_000
const renewedWithinMs = 10_000

interface Greeting {
  /** The name in the certificate. */
  readonly commonName: string
  readonly protocol: string | false | null
}

/** What a new connection is shown. */
async function greet(url: string, serverName: string, protocols: readonly string[]) {
  const { promise, resolve, reject } = Promise.withResolvers<Greeting>()
  const socket = connectTls({
    port: Number(new URL(url).port),
    host: '127.0.0.1',
    servername: serverName,
    ALPNProtocols: [...protocols],
    rejectUnauthorized: false,
  })
  socket.once('error', reject).once('secureConnect', () =>
    resolve({
      commonName: String(socket.getPeerCertificate().subject.CN),
      protocol: socket.alpnProtocol,
    }),
  )
  const greeting = await promise
  socket.destroy()
  return greeting
}

/** Whether a client that speaks no newer version of TLS gets a connection. */
async function speaks(url: string, maxVersion: 'TLSv1.1' | 'TLSv1.2'): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connectTls({
    port: Number(new URL(url).port),
    host: '127.0.0.1',
    rejectUnauthorized: false,
    minVersion: 'TLSv1',
    maxVersion,
  })
  socket.once('secureConnect', () => resolve(true)).once('error', () => resolve(false))
  const isConnected = await promise
  socket.destroy()
  return isConnected
}

const nameOf = async (url: string, serverName: string) =>
  (await greet(url, serverName, ['h2'])).commonName

/** One request over HTTP/2; the response's status, headers and body. */
async function askHttp2(url: string, path: string, headers: Readonly<Record<string, string>> = {}) {
  const session = connectHttp2(url, { rejectUnauthorized: false })
  try {
    const stream = session.request({ ':path': path, ...headers })
    const { promise, resolve, reject } = Promise.withResolvers<Record<string, unknown>>()
    stream.once('response', resolve).once('error', reject)
    session.once('error', reject)
    const response = await promise
    let body = ''
    for await (const chunk of stream.setEncoding('utf8')) body += String(chunk)
    return { status: response[':status'], headers: response, body }
  } finally {
    session.close()
  }
}

const overTls = { tls: { rejectUnauthorized: false } }

async function setUp(environment: Readonly<Record<string, string>>) {
  await using opening = new AsyncDisposableStack()
  const directory = opening.use(await temporaryDirectory())
  const standard = makeCertificate(directory.path, 'standard', 'standard.example')
  const other = makeCertificate(directory.path, 'other', 'other.example')
  const service = opening.use(
    await startService({
      dataDirectory: join(directory.path, 'data'),
      environment: {
        TLS_CERT_FILE: standard.certificateFile,
        TLS_KEY_FILE: standard.keyFile,
        TLS_CERTIFICATES: `other.example=${other.certificateFile}:${other.keyFile}`,
        LOG_LEVEL: 'silent',
        ...environment,
      },
    }),
  )
  const zone = { method: 'POST', headers: account, body: '{"Name":"acme"}', ...overTls }
  expect((await fetch(`${service.url}/api/core/zones`, zone)).status).toBe(201)
  const file = { method: 'PUT', headers: access, body: 'hello', ...overTls }
  expect((await fetch(`${service.url}/api/storage/acme/v1/a.txt`, file)).status).toBe(201)
  const opened = opening.move()
  return { service, directory, standard, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

test.skipIf(!canRun)(
  'with certificates the service speaks TLS, HTTP/2 and HTTP/1.1, and has one for each host name',
  async () => {
    await using world = await setUp({})
    const { url } = world.service

    expect(url).toStartWith('https:')
    expect(await greet(url, 'standard.example', ['h2', 'http/1.1'])).toEqual({
      commonName: 'standard.example',
      protocol: 'h2',
    })
    expect((await greet(url, 'standard.example', ['http/1.1'])).protocol).toBe('http/1.1')
    expect(await nameOf(url, 'other.example')).toBe('other.example')
    expect(await nameOf(url, 'stranger.example')).toBe('standard.example')
    expect(await askHttp2(url, '/acme/v1/a.txt')).toMatchObject({ status: 200, body: 'hello' })
    const range = await askHttp2(url, '/acme/v1/a.txt', { range: 'bytes=1-2' })
    expect(range).toMatchObject({ status: 206, body: 'el' })
    expect((await askHttp2(url, '/api/health')).status).toBe(200)
    expect([await speaks(url, 'TLSv1.1'), await speaks(url, 'TLSv1.2')]).toEqual([false, true])
  },
  limitMs,
)

test.skipIf(!canRun)(
  'SIGHUP brings renewed certificates to new connections, and wrong files change nothing',
  async () => {
    await using world = await setUp({})
    const { service, directory, standard } = world
    const renewed = makeCertificate(directory.path, 'renewed', 'renewed.example')
    await Bun.write(standard.certificateFile, 'nonsense')
    process.kill(service.pid, 'SIGHUP')
    await wait(300)
    expect(await nameOf(service.url, 'any.example')).toBe('standard.example')

    await cp(renewed.certificateFile, standard.certificateFile)
    await cp(renewed.keyFile, standard.keyFile)
    process.kill(service.pid, 'SIGHUP')
    await renewedEverywhere(service.url, 1)
    expect((await fetch(`${service.url}/acme/v1/a.txt`, overTls)).status).toBe(200)
    expect(await service.stop()).toBe(0)
  },
  limitMs,
)

/** Waits until so many new connections in a row are shown the renewed certificate. */
async function renewedEverywhere(url: string, wanted: number): Promise<void> {
  const deadline = performance.now() + renewedWithinMs
  for (let inRow = 0; inRow < wanted;) {
    // A connection that is made in the very moment of the change may be reset.
    const name = await nameOf(url, 'any.example').catch(() => undefined)
    inRow = name === 'renewed.example' ? inRow + 1 : 0
    if (performance.now() > deadline) throw new Error('the certificate is not renewed in time')
  }
}

test.skipIf(!canShare)(
  'edge workers speak TLS too, hand over what came by https, and renew their certificates',
  async () => {
    await using world = await setUp({ EDGE_WORKERS: '1' })
    const { service, directory, standard } = world
    await workerListens(service)
    const responses = []
    for (let time = 0; time < 12; time += 1) {
      const { status, body } = await askHttp2(service.url, '/acme/v1/a.txt')
      responses.push(`${String(status)} ${body}`)
    }
    expect(new Set(responses)).toEqual(new Set(['200 hello']))
    const links = new Set<string>()
    for (let time = 0; time < 12; time += 1) {
      const zone = await askHttp2(service.url, '/api/core/zones/acme', account)
      expect([zone.status, zone.body]).toEqual([200, expect.stringContaining('OriginUrl')])
      links.add((JSON.parse(zone.body) as { OriginUrl: string }).OriginUrl)
    }
    expect([...links].filter((link) => !link.startsWith('https://'))).toEqual([])
    expect(links.size).toBe(1)

    const renewed = makeCertificate(directory.path, 'renewed', 'renewed.example')
    await cp(renewed.certificateFile, standard.certificateFile)
    await cp(renewed.keyFile, standard.keyFile)
    process.kill(service.pid, 'SIGHUP')
    await renewedEverywhere(service.url, 12)
  },
  limitMs,
)

/** Waits until a connection was taken by the worker. */
async function workerListens({ url, pid }: ServiceProcess): Promise<void> {
  const port = Number(new URL(url).port)
  const deadline = performance.now() + 20_000
  for (;;) {
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
    await new Promise<void>((resolve, reject) => {
      socket.once('secureConnect', () => resolve()).once('error', reject)
    })
    const taken = await holders(await workersOf(pid), port)
    const isTaken = taken.has(socket.localPort ?? 0)
    socket.destroy()
    if (isTaken) return
    if (performance.now() > deadline) throw new Error('the worker takes no connection in time')
  }
}

test.skipIf(!canRun)(
  'HTTP/3 is offered where it is switched on, and nowhere else',
  async () => {
    const offers: (string | null)[] = []
    for (const switched of ['true', 'false']) {
      await using world = await setUp({ HTTP3: switched })
      const { headers } = await fetch(`${world.service.url}/acme/v1/a.txt`, overTls)
      offers.push(headers.get('alt-svc'))
    }

    expect(offers).toEqual([expect.stringContaining('h3='), null])
  },
  limitMs,
)

test.skipIf(!canRun)(
  'a start with files that are no pair says which they are',
  async () => {
    await using directory = await temporaryDirectory()
    const one = makeCertificate(directory.path, 'one', 'one.example')
    const two = makeCertificate(directory.path, 'two', 'two.example')
    const failure = await startService({
      dataDirectory: join(directory.path, 'data'),
      environment: { TLS_CERT_FILE: one.certificateFile, TLS_KEY_FILE: two.keyFile },
    }).catch((error: unknown) => error)

    expect(String(failure)).toContain('ended with 1')
  },
  limitMs,
)
