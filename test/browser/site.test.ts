import { afterAll, beforeAll, expect, test } from 'bun:test'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'

import { type LocalService, openLocalService } from '../support/local-service.ts'
import { account, temporaryDirectory, testKeys } from '../support/service-process.ts'
import { findChromium, launchChromium } from './chromium.ts'

const executable = findChromium('the home page, the documentation and the API page in a browser')
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

interface Visit extends AsyncDisposable {
  readonly page: Page
  /** What the browser complained of, and requests to anybody but the service. */
  readonly faults: string[]
}

interface Looks {
  readonly colorScheme?: 'light' | 'dark'
  readonly width?: number
}

async function visit({ colorScheme = 'light', width = 1280 }: Looks = {}): Promise<Visit> {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => void faults.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== service.url) faults.push(request.url())
  })
  return { page, faults, [Symbol.asyncDispose]: () => context.close() }
}

const axe = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'))

interface Finding {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string }[]
}

/** What axe finds on the page that keeps somebody out. It runs outside of the page's policy. */
async function findings(page: Page): Promise<readonly string[]> {
  await page.evaluate(await Bun.file(axe).text())
  const { violations } = await page.evaluate<{ readonly violations: readonly Finding[] }>(
    'axe.run({ resultTypes: ["violations"] })',
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

async function documentationPaths(page: Page): Promise<readonly string[]> {
  await page.goto(`${service.url}/docs/`)
  return await page
    .locator('#contents a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
}

for (const colorScheme of ['light', 'dark'] as const)
  test.skipIf(executable === undefined)(
    `nobody is kept out of the pages, in ${colorScheme} colours`,
    async () => {
      await using visited = await visit({ colorScheme })
      const { page, faults } = visited
      const paths = ['/', '/docs/', ...(await documentationPaths(page))]
      for (const path of paths) {
        await page.goto(service.url + path)
        expect({ path, findings: await findings(page) }).toEqual({ path, findings: [] })
      }
      await page.goto(`${service.url}/api/docs`)
      await page.getByRole('heading', { name: 'Assets', exact: true }).waitFor()
      expect(await findings(page)).toEqual([])
      expect(paths.length).toBeGreaterThan(4)
      expect(faults).toEqual([])
    },
    120_000,
  )

test.skipIf(executable === undefined)(
  'no page is wider than a narrow screen',
  async () => {
    await using visited = await visit({ width: 360 })
    const { page } = visited
    for (const path of ['/', '/docs/', ...(await documentationPaths(page))]) {
      await page.goto(service.url + path)
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      expect({ path, width }).toEqual({ path, width: 360 })
    }
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'the home page says how the service is, and where to go',
  async () => {
    await using visited = await visit()
    const { page, faults } = visited
    await page.goto(service.url)
    await page.getByRole('status').getByText('Everything works.').waitFor()
    await page.getByRole('listitem').getByText('database').waitFor()
    for (const name of ['Dashboard', 'Documentation', 'API'])
      expect(await page.getByRole('link', { name }).first().getAttribute('href')).toStartWith('/')
    expect(faults).toEqual([])
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'the API page describes every operation and event, and asks no other host',
  async () => {
    await using visited = await visit()
    const { page, faults } = visited
    await page.goto(`${service.url}/api/docs`)
    await page.getByRole('heading', { name: 'Sedge' }).waitFor()
    await page.getByRole('button', { name: 'Open Group - Webhooks', exact: true }).click()
    await page.getByText('A file was stored where there was none').first().waitFor()
    expect(faults).toEqual([])
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'an operation is tried on the API page with a key that was entered there',
  async () => {
    await fetch(`${service.url}/api/core/zones`, {
      method: 'POST',
      headers: account,
      body: '{"Name":"tried-zone"}',
    })
    await using visited = await visit()
    const { page, faults } = visited
    await page.goto(`${service.url}/api/docs#tag/core/GET/api/core/zones`)
    await page
      .getByRole('button', { name: /Test Request.*get \/api\/core\/zones\)/su })
      .first()
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Selected Auth Type: AccountKey').waitFor()
    await dialog.getByRole('textbox', { name: 'Value' }).first().fill(testKeys.ACCOUNT_KEY)
    const answered = page.waitForResponse((response) => response.url().endsWith('/api/core/zones'))
    await dialog.getByRole('button', { name: /^Send/u }).first().click()
    const response = await answered
    expect(response.status()).toBe(200)
    expect(response.request().headers()['accountkey']).toBe(testKeys.ACCOUNT_KEY)
    await dialog.getByText('tried-zone').first().waitFor()
    expect(faults).toEqual([])
    expect(JSON.stringify(await page.evaluate('({ ...localStorage })'))).not.toContain(
      testKeys.ACCOUNT_KEY,
    )
  },
  60_000,
)
