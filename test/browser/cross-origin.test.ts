import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'

import { codeBlocks } from '../support/code-blocks.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { access, account, temporaryDirectory } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { findChromium, launchChromium } from './chromium.ts'

const executable = findChromium('a page of another origin in a browser')
const undo = new AsyncDisposableStack()
const root = join(import.meta.dir, '..', '..')
let service: LocalService
let browser: Browser
let page = ''

/** A site of somebody else: the page of the documentation, and the client beside it. */
function openSite(): string {
  const site = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) =>
      new URL(url).pathname === '/sedge.js'
        ? new Response(Bun.file(join(root, 'client', 'sedge.js')))
        : new Response(page, { headers: { 'Content-Type': 'text/html' } }),
  })
  undo.defer(() => site.stop(true))
  return site.url.origin
}

const named = openSite()
const unnamed = openSite()

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory())
  const environment = { SEARCH_BY_NAME_ONLY: 'true', CORS_ORIGINS: named }
  service = undo.use(await openLocalService({ dataDirectory: directory.path, environment }))
  const blocks = await codeBlocks('docs/client.md')
  const example = blocks.find(({ language }) => language === 'html')?.code ?? ''
  page = example.replace('https://assets.example.org', service.url)
  await create('core/zones', { Name: 'acme' })
  await fetch(`${service.url}/api/storage/acme/v1/logos/first.svg`, {
    method: 'PUT',
    headers: access,
    body: '<svg xmlns="http://www.w3.org/2000/svg"/>',
  })
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
}, 60_000)
afterAll(() => undo.disposeAsync())

async function create(path: string, body: object): Promise<{ readonly token?: string }> {
  const response = await fetch(`${service.url}/api/${path}`, {
    method: 'POST',
    headers: account,
    body: JSON.stringify(body),
  })
  return (await response.json()) as { readonly token?: string }
}

/** The page, opened by somebody who has a token, and what it failed with. */
async function open(origin: string) {
  const { token } = await create('tokens', {
    name: 'page',
    scopes: ['assets:read', 'storage:write'],
    zones: ['acme'],
  })
  const context = await browser.newContext()
  await context.addInitScript(`localStorage.token = ${JSON.stringify(token)}`)
  const opened = await context.newPage()
  const faults: string[] = []
  opened.on('pageerror', (error) => void faults.push(error.name))
  await opened.goto(origin)
  return { opened, faults }
}

test.skipIf(executable === undefined)(
  'the page of the documentation lists and stores files from an origin that is named',
  async () => {
    const { opened, faults } = await open(named)
    const items = opened.getByRole('listitem')
    await items.getByText('first.svg').waitFor()
    await opened.locator('#file').setInputFiles({
      name: 'second.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    })
    await items.getByText('second.svg').waitFor()
    expect(await items.allTextContents()).toEqual(['first.svg', 'second.svg'])
    expect(faults).toEqual([])
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'a page of any other origin cannot, and no page sends the session',
  async () => {
    const { opened, faults } = await open(unnamed)
    await until(async () => faults.length > 0)
    expect(await opened.getByRole('listitem').count()).toBe(0)
    expect(faults).toEqual(['SedgeConnectionError'])

    const { opened: other } = await open(named)
    const outcome = await other.evaluate(
      `fetch('${service.url}/api/core/zones', { credentials: 'include' }).then(() => 'read', () => 'blocked')`,
    )
    expect(outcome).toBe('blocked')
  },
  60_000,
)
