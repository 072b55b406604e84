import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'

import { type LocalService, openLocalService } from '../support/local-service.ts'
import { access, account, temporaryDirectory } from '../support/service-process.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { visitDashboard } from './dashboard-visit.ts'

const executable = findChromium('pages of zones beside the dashboard in a browser')
const undo = new AsyncDisposableStack()
let service: LocalService
let browser: Browser

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory())
  const environment = { SEARCH_BY_NAME_ONLY: 'true' }
  service = undo.use(await openLocalService({ dataDirectory: directory.path, environment }))
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
}, 60_000)
afterAll(() => undo.disposeAsync())

const script = `
  document.title = 'ran'
  navigator.serviceWorker?.register('/zz/v1/logos/worker.js', { scope: '/' })
  fetch('/api/tokens', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'stolen', scopes: ['storage:read'] }),
  })`

const rules = [
  '/zz/*',
  '  ! Content-Security-Policy',
  '  ! X-Content-Type-Options',
  '  Service-Worker-Allowed: /',
  '  Set-Cookie: cdn_session=x; Path=/dashboard/',
  '  Set-Cookie: =cdn_session=y; Path=/',
  '  Clear-Site-Data: "cookies"',
  '/zz/v1/logos/typed.txt',
  '  Content-Type: text/plain',
  '  Content-Type: text/html',
].join('\n')

async function send(method: string, path: string, body: string | object): Promise<Response> {
  const isJson = typeof body !== 'string'
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: isJson ? account : { ...access, 'Content-Type': 'application/octet-stream' },
    body: isJson ? JSON.stringify(body) : body,
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response
}

const tokenNames = async (): Promise<readonly string[]> => {
  const response = await fetch(`${service.url}/api/tokens`, { headers: account })
  const { tokens } = (await response.json()) as { tokens: readonly { name: string }[] }
  return tokens.map(({ name }) => name)
}

test.skipIf(executable === undefined)(
  'a page of a zone at our own host, whatever rules say, neither acts as the operator nor stays',
  async () => {
    await send('POST', '/api/core/zones', { Name: 'zz' })
    const page = `<title>page</title><script>${script}</script>`
    for (const name of ['p.html', 'p.svg', 'p.xml', 'typed.txt', 'odd.bin'])
      await send('PUT', `/api/storage/zz/v1/logos/${name}`, page)
    await send('PUT', '/api/storage/zz/v1/logos/drawing.svg', svg)
    await send('PUT', '/api/storage/zz/v1/logos/worker.js', worker)
    await send('POST', '/api/core/rules', { File: '_headers', Content: rules })

    await using visit = await visitDashboard(browser, service.url)
    for (const name of ['p.html', 'p.svg', 'p.xml', 'typed.txt', 'odd.bin', 'drawing.svg']) {
      const opened = await visit.context.newPage()
      // What is saved instead of shown ends the navigation.
      await opened.goto(`${service.url}/zz/v1/logos/${name}`).catch(() => undefined)
      expect([name, await opened.title()]).not.toEqual([name, 'ran'])
      await opened.close()
    }
    expect(await tokenNames()).toEqual([])

    // Were a script of a zone to run at the origin of the dashboard nevertheless, it could not stay there.
    const registered = await visit.page.evaluate(
      `navigator.serviceWorker.register('/zz/v1/logos/worker.js', { scope: '/' }).then(() => 'kept', (e) => e.name)`,
    )
    expect(registered).not.toBe('kept')
    expect(
      await visit.page.evaluate(
        'navigator.serviceWorker.getRegistrations().then((all) => all.length)',
      ),
    ).toBe(0)

    await visit.page.goto(`${service.url}/dashboard/`)
    await visit.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  },
  60_000,
)

const svg = `<svg xmlns="http://www.w3.org/2000/svg"><title>drawing</title><script>${script}</script></svg>`
const worker = `addEventListener('fetch', (event) => event.respondWith(new Response('taken over')))`
