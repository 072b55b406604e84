import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'bun:test'

import { pebble, startAcmeServer } from '../support/acme-server.ts'
import { makeCertificate, openssl } from '../support/certificates.ts'
import { freePorts } from '../support/free-port.ts'
import { startConnectionLoad } from '../support/connection-load.ts'
import { edgeTokenOf, startEdge } from '../support/edge-process.ts'
import { openInProcess } from '../support/in-process-service.ts'
import { have } from '../support/needs.ts'
import {
  access,
  account,
  type ServiceProcess,
  startService,
  temporaryDirectory,
} from '../support/service-process.ts'
import { shownCertificate } from '../support/shown-certificate.ts'
import { until } from '../support/until.ts'

const canRun = have('certificates of domains at edges', pebble, openssl)
const limitMs = 120_000
const hostname = 'www.acme.example'
const domainPath = `zones/acme/domains/${hostname}`

async function core(service: ServiceProcess, what: string, body?: unknown) {
  const [method = '', path = ''] = what.split(' ')
  const init = {
    method,
    headers: account,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
  const response = await fetch(`${service.url}/api/core/${path}`, { ...unverified, ...init })
  expect(response.status).toBeLessThan(300)
  return (await response.json()) as Record<string, unknown>
}

const unverified: BunFetchRequestInit = { tls: { rejectUnauthorized: false } }

const shown = (url: string, root: string) => shownCertificate(url, hostname, root)

test.skipIf(!canRun)(
  'a domain whose name leads to an edge gets its certificate through it, and the edge shows it, renews it, keeps it and lets it go',
  async () => {
    await using directory = await temporaryDirectory()
    const [originPort = 0, edgePort = 0, plainPort = 0] = freePorts(3)
    // The ACME server asks where the name leads: at the edge.
    await using acme = await startAcmeServer({ httpPort: plainPort, validitySeconds: 24 })
    const standard = makeCertificate(directory.path, 'standard', 'standard.example')
    const tls = { TLS_CERT_FILE: standard.certificateFile, TLS_KEY_FILE: standard.keyFile }
    await using service = await startService({
      dataDirectory: join(directory.path, 'data'),
      environment: {
        PORT: String(originPort),
        ...tls,
        CNAME_TARGET: 'edge.cdn.example',
        ACME_DIRECTORY: acme.directoryUrl,
        ACME_CA_FILE: acme.caFile,
        DNS_SERVERS: acme.nameServer,
        LOG_LEVEL: 'silent',
      },
    })
    await core(service, 'POST zones', { Name: 'acme' })
    const put = { method: 'PUT', headers: access, body: 'hello', ...unverified }
    await fetch(`${service.url}/api/storage/acme/v1/a.txt`, put)
    const token = await edgeTokenOf(service.url, unverified)
    const cache = join(directory.path, 'edge')
    const start = () =>
      startEdge({
        origin: service.url,
        token,
        name: 'far',
        directory: cache,
        args: ['--port', String(edgePort)],
        environment: {
          ...tls,
          HTTP_PORT: String(plainPort),
          HSTS_MAX_AGE: '60',
          NODE_EXTRA_CA_CERTS: standard.certificateFile,
          NODE_TLS_REJECT_UNAUTHORIZED: '0',
          LOG_LEVEL: 'silent',
        },
      })
    let edge = await start()
    await acme.alias(hostname, 'edge.cdn.example')
    await core(service, 'POST zones/acme/domains', { Hostname: hostname })
    const root = await acme.root()
    await until(async () => (await shown(edge.url, root)).isGood, 'the edge shows no certificate')

    const get = async () =>
      await fetch(`${edge.url}/v1/a.txt`, {
        headers: { Host: hostname },
        tls: { serverName: hostname, ca: root },
      })
    await until(async () => (await get()).status === 200)
    const response = await get()
    expect(await response.text()).toBe('hello')
    expect(response.headers.get('strict-transport-security')).toBe('max-age=60')
    const plain = () =>
      fetch(`http://127.0.0.1:${plainPort}/v1/a.txt`, {
        headers: { Host: hostname },
        redirect: 'manual',
      })
    expect((await plain()).status).toBe(308)
    await core(service, `PATCH ${domainPath}`, { HttpsRedirect: false })
    await until(async () => (await plain()).status === 200)

    const kept = join(cache, 'certificates')
    for (const file of await readdir(kept))
      expect((await stat(join(kept, file))).mode & 0o777).toBe(0o600)
    const { certificate: first } = await shown(edge.url, root)
    const load = startConnectionLoad({
      url: `${edge.url}/acme/v1/a.txt`,
      connecting: 2,
      staying: 1,
    })
    await until(async () => {
      const { certificate, isGood } = await shown(edge.url, root)
      return isGood && certificate.serialNumber !== first.serialNumber
    }, 'the renewed certificate is not shown')
    const { responses, failures } = await load.end()
    expect(failures).toEqual([])
    expect(responses).toBeGreaterThan(10)
    await edge.kill()
    edge = await start()
    expect((await shown(edge.url, root)).certificate.subjectAltName).toBe(`DNS:${hostname}`)

    await core(service, `DELETE ${domainPath}`)
    await until(async () => (await readdir(kept)).length === 0, 'the certificate stays on the disk')
    await until(
      async () => (await shown(edge.url, root)).certificate.subject === 'CN=standard.example',
    )
    expect(await edge.stop()).toBe(0)
  },
  limitMs,
)

test(
  'certificates and keys are handed out to edges alone, and over https or within the machine',
  async () => {
    for (const keysOverHttp of ['false', 'true']) {
      await using service = await openInProcess({
        environment: { EDGE_KEYS_OVER_HTTP: keysOverHttp },
      })
      const tokenFor = async (scope: string) => {
        const body = JSON.stringify({ name: scope, scopes: [scope] })
        const made = await service.fetch('/api/tokens', { method: 'POST', headers: account, body })
        return ((await made.json()) as { token: string }).token
      }
      const ask = async (path: string, authorization: string, from: string) => {
        const headers = { Authorization: authorization }
        const response = await service.fetch(`/api/edges/${path}`, { headers }, from)
        return [response.status, response.headers.get('cache-control')]
      }
      const own = `Bearer ${await tokenFor('edges:sync')}`
      const other = `Bearer ${await tokenFor('assets:read')}`
      for (const path of ['certificates', 'certificates/www.acme.example']) {
        const found = path === 'certificates' ? 200 : 404
        expect((await ask(path, 'Bearer nonsense', '127.0.0.1'))[0]).toBe(401)
        expect((await ask(path, other, '127.0.0.1'))[0]).toBe(403)
        expect((await ask(path, own, '127.0.0.1'))[0]).toBe(found)
        const outside = keysOverHttp === 'true' ? found : 403
        expect((await ask(path, own, '192.0.2.1'))[0]).toBe(outside)
      }
      expect(await ask('certificates', own, '::1')).toEqual([200, 'no-store'])
      expect(service.logged.join()).not.toContain('PRIVATE KEY')
    }
  },
  limitMs,
)

test('a front that does TLS is believed where it is trusted and says that it was asked over https', async () => {
  await using service = await openInProcess({
    environment: { BASE_URL: 'https://assets.example', TRUSTED_PROXIES: '192.0.2.9' },
  })
  const body = JSON.stringify({ name: 'edge', scopes: ['edges:sync'] })
  const made = await service.fetch('/api/tokens', { method: 'POST', headers: account, body })
  const { token } = (await made.json()) as { token: string }
  const ask = async (from: string, fields: Record<string, string> = {}) => {
    const headers = { Authorization: `Bearer ${token}`, ...fields }
    return (await service.fetch('/api/edges/certificates', { headers }, from)).status
  }
  const https = { 'X-Forwarded-For': '203.0.113.1', 'X-Forwarded-Proto': 'https' }
  expect(await ask('192.0.2.1')).toBe(403)
  expect(await ask('192.0.2.1', https)).toBe(403)
  expect(await ask('192.0.2.9', https)).toBe(200)
  expect(await ask('192.0.2.9', { ...https, 'X-Forwarded-Proto': 'http' })).toBe(403)
  expect(await ask('192.0.2.9')).toBe(403)
})

test.skipIf(!have('an edge without room for certificates', openssl))(
  'an edge whose folder for certificates cannot be used says so and does not start',
  async () => {
    await using directory = await temporaryDirectory()
    const { certificateFile, keyFile } = makeCertificate(directory.path, 'own', 'own.example')
    await using service = await startService({ dataDirectory: join(directory.path, 'data') })
    const cache = join(directory.path, 'edge')
    await mkdir(cache)
    await Bun.write(join(cache, 'certificates'), 'a file where a folder should be')
    const starting = startEdge({
      origin: service.url,
      token: await edgeTokenOf(service.url),
      name: 'far',
      directory: cache,
      environment: { TLS_CERT_FILE: certificateFile, TLS_KEY_FILE: keyFile },
    })

    await expect(starting).rejects.toThrow('the edge ended')
    expect(await readFile(join(cache, 'certificates'), 'utf8')).toContain('a file')
  },
  limitMs,
)
