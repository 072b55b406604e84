import { afterAll, beforeAll, expect, test } from 'bun:test'

import { ServiceError } from '../../src/domain/errors.ts'
import { asPage } from '../../src/http/response/refusal-page.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { account, temporaryDirectory } from '../support/service-process.ts'

const undo = new AsyncDisposableStack()
let service: LocalService

beforeAll(async () => {
  const directory = undo.use(await temporaryDirectory())
  const environment = { SEARCH_BY_NAME_ONLY: 'true', DNS_SERVERS: '127.0.0.1:9' }
  service = undo.use(await openLocalService({ dataDirectory: directory.path, environment }))
  await core('POST', 'zones', { Name: 'acme' })
  await core('POST', 'zones', { Name: 'asleep' })
  await core('POST', 'zones/acme/domains', { Hostname: 'images.acme.example' })
})

afterAll(() => undo.disposeAsync())

async function core(method: string, path: string, body: object): Promise<void> {
  const answer = await fetch(`${service.url}/api/core/${path}`, {
    method,
    headers: account,
    body: JSON.stringify(body),
  })
  expect(answer.ok).toBe(true)
}

/** As browsers ask for what is in their address bar. */
const page = {
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8',
}

const get = (path: string, headers: Readonly<Record<string, string>>) =>
  fetch(service.url + path, { headers })

test.each(['/docs/nothing', '/dashboard/nothing', '/anything', '/acme/v1/logos/never.svg'])(
  'whoever reads %s in a browser gets a page with a way on, and programs JSON',
  async (path) => {
    const shown = await get(path, page)
    expect(shown.status).toBe(404)
    expect(shown.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(shown.headers.get('cache-control')).toBe('no-store')
    const html = await shown.text()
    for (const way of ['href="/"', 'href="/docs/"', 'href="/dashboard/"', 'role="search"'])
      expect(html).toContain(way)
    expect(html).toContain(shown.headers.get('x-request-id') ?? 'an id')
    for (const Accept of ['*/*', 'application/json', 'image/avif,image/webp,*/*;q=0.8', '']) {
      const told = await get(path, { Accept })
      expect(told.status).toBe(404)
      expect(await told.json()).toMatchObject({ HttpCode: 404, Message: expect.any(String) })
    }
  },
)

test.each([
  ['/docs/nothing', '/docs/'],
  ['/api/docs/nothing', '/docs/'],
  ['/acme/v1/logos/never.svg', '/dashboard/assets'],
])('the page at %s searches %s', async (path, action) => {
  const shown = await get(path, page)
  expect(shown.status).toBe(404)
  const html = await shown.text()
  expect(html).toContain(`<form action="${action}" role="search">`)
  const told = await get(path, { Accept: 'application/json' })
  expect(await told.json()).toMatchObject({ HttpCode: 404 })
})

test('a form that is refused shows a page, a script that is refused reads JSON', async () => {
  const send = (mode: string) =>
    fetch(`${service.url}/dashboard/never`, {
      method: 'POST',
      headers: { ...page, 'Sec-Fetch-Mode': mode },
    })
  const shown = await send('navigate')
  expect(shown.status).toBe(404)
  expect(shown.headers.get('content-type')).toStartWith('text/html')
  expect(await (await send('cors')).json()).toMatchObject({ HttpCode: 404 })
})

test.each([
  ['PayloadTooLarge', 'This is too large', false],
  ['limit_reached', 'Too many requests', true],
  ['Forbidden', 'This is not open to you', false],
  ['InternalError', 'This cannot be shown just now', true],
] as const)('the page of %s says “%s”', async (code, title, mayPass) => {
  const error = new ServiceError(code, 'because of <b>that</b>')
  const context = { url: 'http://localhost/x', requestId: 'an id', isOwnHost: true }
  const html = await asPage(new Response(), error, context).text()
  expect(html).toContain(`<h1>${title}</h1>`)
  expect(html).toContain('Because of &lt;b&gt;that&lt;/b&gt;.')
  expect(html.includes('<a href="">Try again</a>')).toBe(mayPass)
})

test('a host of a zone’s own says it without a word of the service', async () => {
  const shown = await get('/v1/logos/never.svg', { ...page, Host: 'images.acme.example' })
  expect(shown.status).toBe(404)
  const html = await shown.text()
  expect(html).toContain('Not found')
  for (const ours of ['dashboard', 'href=', '<form', 'Sedge']) expect(html).not.toContain(ours)
})

test('a suspended zone answers a page too, with its own status', async () => {
  await core('PATCH', 'zones/asleep', { Suspended: true })
  const shown = await get('/asleep/v1/logos/a.svg', page)
  expect(shown.status).toBe(403)
  expect(await shown.text()).toContain('This is not open to you')
})

test('the interface answers JSON, whoever asks', async () => {
  for (const path of ['/api/nothing', '/api/core/zones', '/api/transform?url=/acme/v1/x.jpg&w=0']) {
    const told = await get(path, page)
    expect(told.status).toBeGreaterThanOrEqual(400)
    expect(told.headers.get('content-type')).toStartWith('application/json')
  }
})

test('nothing of an address is markup on the page', async () => {
  const hostile = '/acme/v1/logos/%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E.svg'
  const shown = await get(hostile, page)
  expect(await shown.text()).not.toContain('<script')
  expect(shown.headers.get('content-security-policy')).toStartWith("default-src 'none'; style-src")
  expect((await fetch(service.url + hostile, { method: 'HEAD', headers: page })).status).toBe(404)
})

test('a page of the service keeps its form where rules of all zones add fields, and a rule its policy', async () => {
  const policyOf = async (rules: string) => {
    await core('POST', 'rules', { File: '_headers', Content: rules })
    const shown = await get('/acme/v1/logos/never.svg', page)
    expect(shown.status).toBe(404)
    expect(await shown.text()).toContain('role="search"')
    return shown.headers.get('content-security-policy') ?? ''
  }
  const added = await policyOf('/*\n  X-Robots-Tag: noindex\n')
  expect(added).toContain("form-action 'self'")
  expect(added).not.toContain('sandbox')
  const stricter = await policyOf("/*\n  Content-Security-Policy: img-src 'none'\n")
  expect(stricter).toContain("img-src 'none'")
  expect(stricter).not.toContain('sandbox')
  await core('POST', 'rules', { File: '_headers', Content: '' })
})
