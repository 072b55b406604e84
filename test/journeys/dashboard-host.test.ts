import { afterAll, beforeAll, expect, test } from 'bun:test'

import { ask } from '../fixtures/raw-request.ts'
import { openLocalService } from '../support/local-service.ts'
import { access, account, temporaryDirectory, testKeys } from '../support/service-process.ts'

const baseUrl = 'http://assets.example:8788'
const dashboard = 'panel.example:8788'
const assets = 'assets.example:8788'
const opened = new AsyncDisposableStack()
let port = 0

beforeAll(async () => {
  const directory = opened.use(await temporaryDirectory())
  const environment = { BASE_URL: baseUrl, DASHBOARD_HOST: 'panel.example' }
  const service = opened.use(await openLocalService({ dataDirectory: directory.path, environment }))
  ;({ port } = service)
  const body = JSON.stringify({ Name: 'acme' })
  await fetch(`${service.url}/api/core/zones`, { method: 'POST', headers: account, body })
  await fetch(`${service.url}/api/storage/acme/v1/icons/a.txt`, {
    method: 'PUT',
    headers: access,
    body: 'a',
  })
})

afterAll(() => opened.disposeAsync())

const at = (host: string, line: string, ...fields: readonly string[]) =>
  ask(port, `${line} HTTP/1.1`, `Host: ${host}`, ...fields)

async function signIn(host: string) {
  const response = await fetch(`http://localhost:${port}/dashboard/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'Content-Type': 'application/json', Host: host },
    body: JSON.stringify({ password: testKeys.DASHBOARD_PASSWORD }),
  })
  return {
    status: response.status,
    cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '',
  }
}

test('the dashboard and its sign-in answer at their own host name, and lead there from the others', async () => {
  expect((await at(dashboard, 'GET /dashboard/login')).status).toBe(200)
  for (const host of [assets, 'localhost']) {
    for (const path of ['/dashboard/', '/dashboard/login', '/dashboard/zones']) {
      const response = await at(host, `GET ${path}`)
      expect(response.status).toBe(307)
      expect(response.fields.get('location')).toEqual([`http://panel.example:8788${path}`])
      expect(response.fields.has('x-request-id')).toBeTrue()
    }
    expect(await signIn(host)).toEqual({ status: 404, cookie: '' })
    expect((await at(host, 'POST /api/passkeys/auth/begin')).status).toBe(404)
  }
  expect((await at('stranger.example', 'GET /dashboard/login')).status).toBe(404)
  expect((await at(dashboard, 'POST /api/passkeys/auth/begin')).body.toString()).toContain(
    '"rpId":"panel.example"',
  )
})

test('a session counts at the dashboard’s host name alone', async () => {
  const { status, cookie } = await signIn(dashboard)
  expect(status).toBe(303)
  expect((await at(dashboard, 'GET /api/sessions', `Cookie: ${cookie}`)).status).toBe(200)
  expect((await at(dashboard, 'GET /dashboard/', `Cookie: ${cookie}`)).status).toBe(200)
  for (const host of [assets, 'localhost'])
    expect((await at(host, 'GET /api/sessions', `Cookie: ${cookie}`)).status).toBe(401)
})

test('nothing that zones store is delivered at the dashboard’s host name', async () => {
  expect((await at(assets, 'GET /acme/v1/icons/a.txt')).status).toBe(200)
  for (const path of ['/acme/v1/icons/a.txt', '/api/signed?path=acme/v1/icons/a.txt'])
    expect((await at(dashboard, `GET ${path}`)).status).toBe(404)
  expect((await at(assets, 'GET /api/signed?path=acme/v1/icons/a.txt')).status).toBe(403)
})

test('keys and tokens open the interface at both, and no zone takes the name', async () => {
  const key = `AccountKey: ${testKeys.ACCOUNT_KEY}`
  for (const host of [dashboard, assets, 'localhost'])
    expect((await at(host, 'GET /api/core/zones', key)).status).toBe(200)
  const taken = await fetch(`http://localhost:${port}/api/core/zones/acme/domains`, {
    method: 'POST',
    headers: account,
    body: JSON.stringify({ Hostname: 'panel.example' }),
  })
  expect(taken.status).toBe(409)
})
