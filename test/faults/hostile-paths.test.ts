import { afterAll, beforeAll, expect, test } from 'bun:test'

import { ask, type RawResponse } from '../fixtures/raw-request.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { access, account, temporaryDirectory, testKeys } from '../support/service-process.ts'

const opened = new AsyncDisposableStack()
let service: LocalService

beforeAll(async () => {
  const directory = opened.use(await temporaryDirectory())
  service = opened.use(await openLocalService({ dataDirectory: directory.path }))
  for (const Name of ['acme', 'other']) {
    const zone = { method: 'POST', headers: account, body: JSON.stringify({ Name }) }
    await fetch(`${service.url}/api/core/zones`, zone)
  }
  const put = { method: 'PUT', headers: access, body: 'a { color: teal }' }
  for (const path of ['acme/v1/icons/a.css', 'other/v1/icons/a.css', 'acme/v1/icons/why?.css'])
    await fetch(`${service.url}/api/storage/${path.replace('?', '%3F')}`, put)
})

afterAll(() => opened.disposeAsync())

const accessKey = `AccessKey: ${testKeys.ACCESS_KEY}`
const askFor = (method: string, path: string) =>
  ask(service.port, `${method} ${path} HTTP/1.1`, accessKey, 'Content-Length: 0')

function expectRefused(response: RawResponse, isHead = false): void {
  expect([response.status, response.fields.get('x-api-version')]).toEqual([400, ['2026-04-01']])
  if (isHead) return
  const body = JSON.parse(response.body.toString()) as { requestId: string }
  expect(body).toMatchObject({ HttpCode: 400, error: { code: 'InvalidParameter', target: 'path' } })
  expect(response.fields.get('x-request-id')).toEqual([body.requestId])
}

const hidden = ['..', '.', '%2e%2e', '.%2E', '%2e.', '%2E', '%2e']

test.each(hidden)('%s in a URL is refused on every verb, and nothing is changed', async (dots) => {
  const paths = [
    `/api/storage/acme/v1/icons/${dots}/a.css`,
    `/api/storage/clients/acme/v1/${dots}/${dots}/other/v1/icons/a.css`,
    `/api/storage/acme/v1/icons/${dots}`,
    `/api/storage/acme/v1/icons/${dots}/`,
    `/api/storage/${dots}/storage/acme/v1/icons/a.css`,
    `/acme/v1/${dots}/v1/icons/a.css`,
    `/acme/v1/icons/x/${dots}/a.css`,
    `/${dots}/acme/v1/icons/a.css`,
    `/acme/v1/icons/${dots}`,
    `/api/auto/acme/v1/x/${dots}/icons/a`,
    `/api/${dots}/api/assets`,
    `/${'d/'.repeat(15)}${dots}/a.css`,
  ]
  for (const path of paths)
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'POST', 'PATCH'])
      expectRefused(await askFor(method, path), method === 'HEAD')
  for (const zone of ['acme', 'other']) {
    const kept = await askFor('GET', `/${zone}/v1/icons/a.css`)
    expect([kept.status, kept.body.toString()]).toEqual([200, 'a { color: teal }'])
  }
  const listed = await askFor('GET', '/api/storage/acme/v1/')
  expect(listed.body.toString()).not.toContain('"ObjectName":"a.css"')
})

test.each([
  String.raw`acme/v1/icons/x\..\a.css`,
  String.raw`acme\v1/icons/a.css`,
  'acme/v1/icons//../a.css',
  'acme/v1/icons/x//../../a.css',
  '/../../storage/acme/v1/icons/a.css',
  `acme/v1/${'d/'.repeat(30)}../a.css`,
  'acme/v1/icons/a%0Ab.css',
  'acme/v1/icons/a%0D.css',
  'acme/v1/icons/a%E2%80%A8.css',
  'acme/v1/icons/a%E2%80%A9.css',
  'acme/v1/icons/%7F.css',
])('storage refuses %s on every verb', async (path) => {
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE'])
    expectRefused(await askFor(method, `/api/storage/${path}`), method === 'HEAD')
})

test.each(['/acme/v1/icons/...', '/acme/v1/icons/..a', '/acme/v1/icons/a..', '/acme/v1/.icons/a'])(
  '%s has dots and no dot segment, and is looked for',
  async (path) => {
    expect((await askFor('GET', path)).status).toBe(404)
    expect((await askFor('GET', `/acme/v1/icons/a.css?x=/../${path}`)).status).toBe(200)
  },
)

test('paths that need no repair are as they were', async () => {
  const status = async (method: string, path: string) => (await askFor(method, path)).status
  expect(await status('GET', '/api/storage/')).toBe(200)
  expect(await status('GET', '/api/storage')).toBe(404)
  expect(await status('GET', '/api/storage/acme/')).toBe(200)
  expect(await status('GET', '/api/storage/acme/v1/icons/a%2Ecss')).toBe(200)
  expect(await status('GET', '/api/storage//acme/v1/icons/a.css')).toBe(200)
  expect(await status('PUT', `/api/storage/acme/v1/${'d/'.repeat(60)}a.css`)).toBe(201)
  expect(await status('GET', `/acme/v1/${'d/'.repeat(60)}a.css`)).toBe(200)
})

test.each([
  'http://localhost/acme/v1/../v1/icons/a.css',
  'http://localhost/acme/v1/%2E%2e/v1/icons/a.css',
  String.raw`http://localhost/acme/v1/x\..\icons/a.css`,
  'http://localhost/acme/v1/./icons/a.css?v=1',
  '/acme/v1/../v1/icons/a.css',
  '/acme/v1/../v1/icons/a.css?v=1',
])('url=%s is refused', async (url) => {
  const response = await askFor('GET', `/api/transform?url=${encodeURIComponent(url)}`)
  expect(response.status).toBe(400)
  expect(response.body.toString()).toContain('must not have')
})

test('a query behind the path of url means as little as behind a URL', async () => {
  const image =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'
  for (const name of ['s.svg', 't%3F.svg'])
    await fetch(`${service.url}/api/storage/acme/v1/icons/${name}`, {
      method: 'PUT',
      headers: access,
      body: image,
    })
  const answered = ['/acme/v1/icons/s.svg?v=2', 'http://localhost/acme/v1/icons/s.svg?v=2']
  for (const url of [...answered, '/acme/v1/icons/t?.svg'])
    expect([
      url,
      (await askFor('GET', `/api/transform?format=png&url=${encodeURIComponent(url)}`)).status,
    ]).toEqual([url, 200])
})
