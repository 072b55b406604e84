import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'bun:test'

import { pebble, startAcmeServer } from '../support/acme-server.ts'
import { makeCertificate, openssl } from '../support/certificates.ts'
import { freePorts } from '../support/free-port.ts'
import { have } from '../support/needs.ts'
import {
  access,
  account,
  type ServiceProcess,
  startService,
  temporaryDirectory,
} from '../support/service-process.ts'
import { shownCertificate } from '../support/shown-certificate.ts'

const canRun = have('domains and their certificates', pebble, openssl)
const limitMs = 120_000
const target = 'edge.cdn.example'
/** A test that has to wait for something for longer fails. */
const patienceMs = 30_000

interface Domain {
  readonly SslStatus: string
  readonly SslError: string | null
  readonly SslExpires: string | null
  readonly SslHistory: readonly { readonly SslStatus: string }[]
}

const overTls = { tls: { rejectUnauthorized: false } }

async function setUp(
  given: { readonly validitySeconds?: number; readonly challengePort?: number } = {},
) {
  await using opening = new AsyncDisposableStack()
  const directory = opening.use(await temporaryDirectory())
  const [httpPort = 0] = freePorts(1)
  const acme = opening.use(
    await startAcmeServer({ httpPort: given.challengePort ?? httpPort, ...given }),
  )
  const standard = makeCertificate(directory.path, 'standard', 'standard.example')
  const dataDirectory = join(directory.path, 'data')
  const start = () =>
    startService({
      dataDirectory,
      environment: {
        TLS_CERT_FILE: standard.certificateFile,
        TLS_KEY_FILE: standard.keyFile,
        HTTP_PORT: String(httpPort),
        HSTS_MAX_AGE: '3600',
        CNAME_TARGET: target,
        ACME_DIRECTORY: acme.directoryUrl,
        ACME_EMAIL: 'operator@cdn.example',
        ACME_CA_FILE: acme.caFile,
        DNS_SERVERS: acme.nameServer,
        SECRETS_KEY: 'a secret for certificates',
        LOG_LEVEL: 'silent',
      },
    })
  let service = await start()
  opening.defer(() => service[Symbol.asyncDispose]())
  const opened = opening.move()
  return {
    acme,
    httpPort,
    certificates: join(dataDirectory, 'certificates'),
    get service() {
      return service
    },
    async restart() {
      await service.kill()
      service = await start()
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function core(service: ServiceProcess, ...[method, path, body]: [string, string, unknown?]) {
  return await fetch(`${service.url}/api/core/${path}`, {
    method,
    headers: account,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...overTls,
  })
}

async function createZone(service: ServiceProcess, zone: string): Promise<void> {
  expect((await core(service, 'POST', 'zones', { Name: zone })).status).toBe(201)
  const file = { method: 'PUT', headers: access, body: `of ${zone}`, ...overTls }
  const url = `${service.url}/api/storage/${zone}/v1/a.txt`
  expect((await fetch(url, file)).status).toBe(201)
}

const addDomain = async (service: ServiceProcess, zone: string, hostname: string) =>
  await core(service, 'POST', `zones/${zone}/domains`, { Hostname: hostname })

const domainOf = async (service: ServiceProcess, zone: string, hostname: string) =>
  (await (await core(service, 'GET', `zones/${zone}/domains/${hostname}`)).json()) as Domain

/** Asks until it is as wanted; answers with what it is then, and how long that took. */
async function until<T>(ask: () => Promise<T>, isWanted: (value: T) => boolean) {
  const start = performance.now()
  for (;;) {
    const value = await ask()
    const milliseconds = performance.now() - start
    if (isWanted(value)) return { value, milliseconds }
    if (milliseconds > patienceMs) throw new Error(`not in time; at last ${JSON.stringify(value)}`)
    await Bun.sleep(50)
  }
}

/** Of `www.<zone>.example`. */
const untilStatus = (service: ServiceProcess, status: string, zone = 'acme') =>
  until(
    () => domainOf(service, zone, `www.${zone}.example`),
    ({ SslStatus }) => SslStatus === status,
  )

const shown = (service: ServiceProcess, serverName: string, root?: string) =>
  shownCertificate(service.url, serverName, root)

/** The file by https for a host name, with the certificate checked against `root` where one is given. */
const get = async (service: ServiceProcess, hostname: string, root?: string) =>
  await fetch(`${service.url}/v1/a.txt`, {
    headers: { Host: hostname },
    tls: {
      serverName: hostname,
      ...(root === undefined ? { rejectUnauthorized: false } : { ca: root }),
    },
  })

test.skipIf(!canRun)(
  'a domain fails with a reason, goes active once its name is set, is renewed, and leaves nothing behind',
  async () => {
    await using world = await setUp({ validitySeconds: 20 })
    const { service, acme, httpPort } = world
    await createZone(service, 'acme')
    const added = await addDomain(service, 'acme', 'www.acme.example')
    expect([added.status, ((await added.json()) as Domain).SslStatus]).toEqual([
      201,
      'provisioning',
    ])
    const failed = await untilStatus(service, 'failed')
    expect(failed.value.SslError).toContain('"www.acme.example CNAME edge.cdn.example"')
    expect(failed.value.SslError).toContain('Next try: ')
    const root = await acme.root()
    expect((await shown(service, 'www.acme.example')).certificate.subject).toBe(
      'CN=standard.example',
    )
    expect((await get(service, 'www.acme.example')).status).toBe(421)

    await acme.alias('www.acme.example', target)
    const active = await untilStatus(service, 'active')
    expect(active.milliseconds).toBeLessThan(15_000)
    console.log(`active ${active.milliseconds.toFixed(0)} ms after its name was set`)
    const first = await shown(service, 'www.acme.example', root)
    expect([first.isGood, first.certificate.subjectAltName]).toEqual([true, 'DNS:www.acme.example'])
    expect((await shown(service, 'other.example')).certificate.subject).toBe('CN=standard.example')

    const response = await get(service, 'www.acme.example', root)
    expect([response.status, await response.text()]).toEqual([200, 'of acme'])
    expect(response.headers.get('strict-transport-security')).toBe('max-age=3600')
    const plain = await fetch(`http://127.0.0.1:${httpPort}/v1/a.txt?x=1`, {
      headers: { Host: 'www.acme.example' },
      redirect: 'manual',
    })
    expect([plain.status, plain.headers.get('location')]).toEqual([
      308,
      'https://www.acme.example/v1/a.txt?x=1',
    ])

    for (const file of await readdir(world.certificates)) {
      const path = join(world.certificates, file)
      expect((await stat(path)).mode & 0o777).toBe(0o600)
      expect(await readFile(path, 'utf8')).not.toContain('PRIVATE')
    }

    const renewed = await until(
      () => shown(service, 'www.acme.example', root),
      ({ certificate }) => certificate.serialNumber !== first.certificate.serialNumber,
    )
    expect(renewed.value.isGood).toBe(true)
    await untilStatus(service, 'active')

    const one = 'zones/acme/domains/www.acme.example'
    const { certificate: last } = await shown(service, 'www.acme.example', root)
    expect((await core(service, 'DELETE', one)).status).toBe(200)
    await until(
      () => shown(service, 'www.acme.example'),
      ({ certificate }) => certificate.subject === 'CN=standard.example',
    )
    await until(() => acme.isRevoked(last.serialNumber), Boolean)
    await until(
      () => readdir(world.certificates),
      (files) => files.join() === 'account.json',
    )
  },
  limitMs,
)

test.skipIf(!canRun)(
  'two tenants’ domains have a certificate each, and each gets its own files whatever was verified',
  async () => {
    await using world = await setUp()
    const { service, acme } = world
    for (const zone of ['acme', 'blue']) {
      await createZone(service, zone)
      await acme.alias(`www.${zone}.example`, target)
      await addDomain(service, zone, `www.${zone}.example`)
    }
    const root = await acme.root()
    for (const zone of ['acme', 'blue']) {
      const hostname = `www.${zone}.example`
      await untilStatus(service, 'active', zone)
      const { certificate, isGood } = await shown(service, hostname, root)
      expect([isGood, certificate.subjectAltName]).toEqual([true, `DNS:${hostname}`])
      expect(await (await get(service, hostname, root)).text()).toBe(`of ${zone}`)
    }

    // The name in the handshake decides what is shown, Host alone what is answered.
    const crossed = await fetch(`${service.url}/v1/a.txt`, {
      headers: { Host: 'www.blue.example' },
      tls: { serverName: 'www.acme.example', ca: root },
    })
    expect(await crossed.text()).toBe('of blue')
    const foreign = await fetch(`${service.url}/blue/v1/a.txt`, {
      headers: { Host: 'www.acme.example' },
      tls: { serverName: 'www.acme.example', ca: root },
    })
    expect(foreign.status).toBe(404)
  },
  limitMs,
)

test.skipIf(!canRun)(
  'a domain waits for an ACME server that is down, and is active soon after it is back',
  async () => {
    await using world = await setUp()
    const { service, acme } = world
    await acme.stop()
    await createZone(service, 'acme')
    await acme.alias('www.acme.example', target)
    await addDomain(service, 'acme', 'www.acme.example')
    const waiting = await until(
      () => domainOf(service, 'acme', 'www.acme.example'),
      ({ SslError }) => SslError !== null,
    )
    expect(waiting.value.SslStatus).toBe('provisioning')
    expect(waiting.value.SslError).toContain('The certificate authority cannot be reached')
    await acme.start()

    await untilStatus(service, 'active')
  },
  limitMs,
)

/** Stands where the ACME server asks, and answers as it is told. */
function openChallengePort(response: (request: Request) => Response | Promise<Response>) {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: response })
  return { port: server.port ?? 0, [Symbol.dispose]: () => void server.stop(true) }
}

const passOn = (world: { readonly httpPort: number }, request: Request) =>
  fetch(`http://127.0.0.1:${world.httpPort}${new URL(request.url).pathname}`, {
    headers: { Host: new URL(request.url).hostname },
  })

test.skipIf(!canRun)(
  'a wrong answer to the challenge fails the domain in the words of the ACME server',
  async () => {
    let isWrong = true
    let world: Awaited<ReturnType<typeof setUp>> | undefined
    using challenges = openChallengePort(async (request) =>
      isWrong || world === undefined ? new Response('nonsense') : await passOn(world, request),
    )
    await using opened = await setUp({ challengePort: challenges.port })
    world = opened
    const { service, acme } = opened
    await createZone(service, 'acme')
    await acme.alias('www.acme.example', target)
    await addDomain(service, 'acme', 'www.acme.example')
    const failed = await untilStatus(service, 'failed')
    expect(failed.value.SslError).toContain('The certificate authority refused')
    expect(failed.value.SslError).toContain('nonsense')
    isWrong = false

    await untilStatus(service, 'active')
  },
  limitMs,
)

test.skipIf(!canRun)(
  'a service that is killed in the middle of an order goes on after its restart',
  async () => {
    const asked = Promise.withResolvers<void>()
    const mayAnswer = Promise.withResolvers<void>()
    let world: Awaited<ReturnType<typeof setUp>> | undefined
    using challenges = openChallengePort(async (request) => {
      asked.resolve()
      await mayAnswer.promise
      return world === undefined ? new Response('nonsense') : await passOn(world, request)
    })
    await using opened = await setUp({ challengePort: challenges.port })
    world = opened
    await createZone(opened.service, 'acme')
    await opened.acme.alias('www.acme.example', target)
    await addDomain(opened.service, 'acme', 'www.acme.example')
    await asked.promise
    await opened.restart()
    mayAnswer.resolve()

    await untilStatus(opened.service, 'active')
    const root = await opened.acme.root()
    const { certificate } = await shown(opened.service, 'www.acme.example', root)
    await opened.restart()
    const again = await shown(opened.service, 'www.acme.example', root)
    expect(again.certificate.serialNumber).toBe(certificate.serialNumber)
  },
  limitMs,
)
