import { afterAll, beforeAll, expect, test } from 'bun:test'

import { ask } from '../fixtures/raw-request.ts'
import { openLocalService } from '../support/local-service.ts'
import { access, account, temporaryDirectory, testKeys } from '../support/service-process.ts'

const baseUrl = 'http://assets.example:8788'
const opened = new AsyncDisposableStack()
let port = 0

beforeAll(async () => {
  const directory = opened.use(await temporaryDirectory())
  const environment = { BASE_URL: baseUrl }
  const service = opened.use(await openLocalService({ dataDirectory: directory.path, environment }))
  ;({ port } = service)
  const core = (path: string, body: object) =>
    fetch(`${service.url}/api/core/${path}`, {
      method: 'POST',
      headers: account,
      body: JSON.stringify(body),
    })
  await core('zones', { Name: 'acme' })
  await core('zones/acme/domains', { Hostname: 'img.acme.example' })
  const put = { method: 'PUT', headers: access, body: 'a' }
  await fetch(`${service.url}/api/storage/acme/v1/icons/a.txt`, put)
})

afterAll(() => opened.disposeAsync())

const accountKey = `AccountKey: ${testKeys.ACCOUNT_KEY}`
const askAs = (host: string, line: string) =>
  ask(port, `${line} HTTP/1.1`, `Host: ${host}`, accountKey)

const ofOurs = [
  'GET /',
  'GET /docs/',
  'GET /dashboard/',
  'GET /dashboard/login',
  'POST /dashboard/login',
  'POST /api/passkeys/auth/begin',
  'GET /api/core/zones',
  'GET /api/docs',
  'GET /api/openapi.json',
  'GET /api/search?q=a',
  'GET /api/auto?path=acme/v1/icons/a',
  'GET /git/info/refs?service=git-upload-pack',
  'GET /acme/v1/icons/a.txt',
]

test.each(ofOurs)('%s says under a host that is not ours where to ask instead', async (line) => {
  for (const host of ['stranger.example', '10.1.2.3:8788']) {
    const response = await askAs(host, line)
    expect(response.status).toBe(404)
    expect(response.fields.has('set-cookie')).toBe(false)
    expect(response.body.toString()).toContain(`the service itself is at ${baseUrl}`)
  }
})

test('the service answers at BASE_URL, at its domains, and on the machine itself', async () => {
  for (const host of ['assets.example:8788', 'assets.example', 'localhost', '127.0.0.1', '[::1]']) {
    expect((await askAs(host, 'GET /api/core/zones')).status).toBe(200)
    expect((await askAs(host, 'GET /dashboard/login')).status).toBe(200)
  }
  const onDomain = (line: string) => askAs('img.acme.example', line)
  expect((await onDomain('GET /v1/icons/a.txt')).status).toBe(200)
  expect((await onDomain('GET /api/stream')).status).toBe(400)
  expect((await onDomain('GET /dashboard/login')).status).toBe(404)
})

test('whoever knows the service by an inner URL can ask for its health and its edges’ feed', async () => {
  expect((await askAs('10.1.2.3', 'GET /api/health')).status).toBe(200)
  expect((await askAs('10.1.2.3', 'GET /api/edges/feed')).status).not.toBe(404)
  expect((await askAs('10.1.2.3', 'GET /api/core/domains/allowed?domain=a.example')).status).toBe(
    404,
  )
  const challenge = await askAs('10.1.2.3', 'GET /.well-known/acme-challenge/none')
  expect(challenge.body.toString()).not.toContain(baseUrl)
})
