import { afterAll, beforeAll, expect, test } from 'bun:test'

import { ask } from '../fixtures/raw-request.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { access, account, temporaryDirectory } from '../support/service-process.ts'

const opened = new AsyncDisposableStack()
let service: LocalService

beforeAll(async () => {
  const directory = opened.use(await temporaryDirectory())
  const environment = { BASE_URL: 'http://assets.example' }
  service = opened.use(await openLocalService({ dataDirectory: directory.path, environment }))
  for (const Name of ['acme', 'off', 'held']) {
    await core('POST', 'zones', { Name })
    await put(`${Name}/v1/icons/a.txt`)
  }
  await put('acme/v1/icons/b c.txt')
  await core('POST', 'zones/acme/domains', { Hostname: 'img.acme.example' })
  await core('PATCH', 'zones/off', { Enabled: false })
  await core('PATCH', 'zones/held', { Suspended: true })
  const Content = '/acme/v1/old/* /acme/v1/icons/:splat 301\n/elsewhere /acme/v1/icons/a.txt 302\n'
  await core('POST', 'rules', { File: '_redirects', Content })
})

afterAll(() => opened.disposeAsync())

const core = (method: string, path: string, body: object) =>
  fetch(`${service.url}/api/core/${path}`, {
    method,
    headers: account,
    body: JSON.stringify(body),
  })

const put = (path: string) =>
  fetch(`${service.url}/api/storage/${encodeURI(path)}`, {
    method: 'PUT',
    headers: access,
    body: 'a',
  })

const statusAt = async (host: string, path: string) =>
  (await ask(service.port, `GET ${path} HTTP/1.1`, `Host: ${host}`)).status

async function report(path: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${service.url}/api/insights/${path}`, { headers: access })
  return (await response.json()) as Record<string, unknown>
}
const requestsOf = async (zone: string) => (await report(`summary?zone=${zone}`))['TotalRequests']

test.each([
  ['assets.example', '/acme/v1/icons/a.txt', 200, 'acme'],
  ['assets.example', '/clients/acme/v1/icons/a.txt', 301, 'acme'],
  ['assets.example', '/acme/v1//icons/a.txt', 307, 'acme'],
  ['assets.example', '/acme/v1/icons/b+c.txt', 404, 'acme'],
  ['assets.example', '/acme/v1/old/x.txt', 301, 'acme'],
  ['assets.example', '/@0123456/acme/v1/icons/a.txt', 404, 'acme'],
  ['assets.example', '/acme/v1/private/a.txt', 404, 'acme'],
  ['assets.example', '/acme', 404, 'acme'],
  ['assets.example', '/acme/%ff', 400, 'acme'],
  ['assets.example', '/off/v1/icons/a.txt', 404, 'off'],
  ['assets.example', '/clients/off/v1/icons/a.txt', 301, 'off'],
  ['assets.example', '/held/v1/icons/a.txt', 403, 'held'],
  ['img.acme.example', '/v1/icons/a.txt', 200, 'acme'],
  ['img.acme.example', '/v1/icons/none.txt', 404, 'acme'],
  ['img.acme.example', '/none', 404, 'acme'],
  ['img.acme.example', '/off/v1/icons/a.txt', 404, 'acme'],
  ['assets.example', '/none/v1/a.txt', 404, undefined],
  ['assets.example', '/elsewhere', 302, undefined],
  ['stranger.example', '/acme/v1/icons/a.txt', 404, undefined],
] as const)('at %s %s is %d and counts for %s', async (...[host, path, status, zone]) => {
  const counts = async () => ({
    all: await requestsOf('all'),
    acme: await requestsOf('acme'),
    off: await requestsOf('off'),
    held: await requestsOf('held'),
  })
  const before = await counts()
  expect(await statusAt(host, path)).toBe(status)
  const after = await counts()
  const raised = Object.entries(after).flatMap(([name, count]) =>
    count === before[name as keyof typeof before] ? [] : [name],
  )
  expect(raised).toEqual(['all', ...(zone === undefined ? [] : [zone])])
})

test('an asset’s own report has no request in it that was sent to a host that is not ours', async () => {
  const asset = 'asset?path=held/v1/icons/a.txt'
  const before = (await report(asset))['TotalRequests']
  for (const host of ['stranger.example', '10.1.2.3'])
    expect(await statusAt(host, '/held/v1/icons/a.txt')).toBe(404)
  const elsewhere = encodeURIComponent('http://stranger.example/held/v1/icons/a.txt')
  expect(await statusAt('assets.example', `/api/transform?url=${elsewhere}`)).toBe(400)
  expect((await report(asset))['TotalRequests']).toBe(before)
  const { Errors } = await report('errors')
  expect(JSON.stringify(Errors)).toContain('//stranger.example/held/v1/icons/a.txt')
})

test('what browsers and search engines ask every host for is there, and is no traffic', async () => {
  const before = await requestsOf('all')
  for (const [path, type] of [
    ['/robots.txt', 'text/plain; charset=utf-8'],
    ['/favicon.ico', 'image/svg+xml'],
  ] as const) {
    const response = await ask(service.port, `GET ${path} HTTP/1.1`, 'Host: assets.example')
    expect([response.status, response.fields.get('content-type')]).toEqual([200, [type]])
    expect(response.fields.get('content-length')).toEqual([String(response.body.length)])
    const head = await ask(service.port, `HEAD ${path} HTTP/1.1`, 'Host: assets.example')
    expect([head.status, head.body.length]).toEqual([200, 0])
  }
  expect(await requestsOf('all')).toBe(before)
  expect(await statusAt('img.acme.example', '/robots.txt')).toBe(404)
  expect(await statusAt('stranger.example', '/robots.txt')).toBe(404)
  await put('acme/v1/icons/robots.txt')
  const Content = '/robots.txt /acme/v1/icons/robots.txt 200\n'
  await core('POST', 'rules', { File: '_redirects', Content })
  const ruled = await ask(service.port, 'GET /robots.txt HTTP/1.1', 'Host: assets.example')
  expect(ruled.body.toString()).toBe('a')
})
