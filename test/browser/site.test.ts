import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'

import { type LocalService, openLocalService } from '../support/local-service.ts'
import { account, temporaryDirectory, testKeys } from '../support/service-process.ts'
import { accessibilityFindings } from './accessibility.ts'
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

/** The script that others wrote has targets of its own size. */
const ofScalar = (finding: string): boolean => finding.startsWith('target-size')

const widthOf = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth')

async function documentationPaths(page: Page): Promise<readonly string[]> {
  await page.goto(`${service.url}/docs/`)
  return await page
    .locator('#contents a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
}

const appearances = [
  { colorScheme: 'light', width: 1440, rules: 'all' },
  { colorScheme: 'dark', width: 390, rules: 'all' },
] as const

test.skipIf(executable === undefined)(
  'axe finds nothing on any page, by day and wide, at night and narrow',
  async () => {
    await using visited = await visit({ width: 1440 })
    const { page, faults } = visited
    const paths = ['/', '/docs/', ...(await documentationPaths(page))]
    for (const path of paths) {
      await page.goto(service.url + path)
      for (const { colorScheme, width, rules } of appearances) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 800 })
        const findings = await accessibilityFindings(page, { rules })
        const found = { path, findings, width: await widthOf(page) }
        expect(found).toEqual({ path, findings: [], width })
      }
    }
    expect(paths.length).toBeGreaterThan(4)
    expect(faults).toEqual([])
  },
  300_000,
)

test.skipIf(executable === undefined)(
  'axe finds nothing on the API page but the size of its targets, in either theme',
  async () => {
    await using visited = await visit({ width: 1440 })
    const { page, faults } = visited
    await page.goto(`${service.url}/api/docs`)
    await page.getByRole('heading', { name: 'Assets', exact: true }).waitFor()
    for (const { colorScheme, rules } of appearances) {
      await page.emulateMedia({ colorScheme })
      const found = await accessibilityFindings(page, { rules })
      expect(found.filter((finding) => !ofScalar(finding))).toEqual([])
    }
    expect(faults).toEqual([])
  },
  120_000,
)

test.skipIf(executable === undefined)(
  'what is widest fits on a narrow screen and on a very wide one',
  async () => {
    for (const width of [360, 2560]) {
      await using visited = await visit({ width })
      const { page } = visited
      for (const path of ['/', '/docs/', '/docs/compared-parameters', '/docs/configuration']) {
        await page.goto(service.url + path)
        expect({ path, width: await widthOf(page) }).toEqual({ path, width })
      }
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

test.skipIf(executable === undefined)(
  'a page is found with the keyboard while one writes, and nothing is left of it after Escape',
  async () => {
    await using visited = await visit()
    const { page, faults } = visited
    await page.goto(`${service.url}/docs/delivery`)
    await page.keyboard.press('/')
    await page.keyboard.type('what is a zo')
    const box = page.getByRole('combobox', { name: 'Search the documentation' })
    await page.getByRole('option', { name: /^Concepts/u }).waitFor()
    expect(await box.getAttribute('aria-expanded')).toBe('true')
    expect(await accessibilityFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
    expect(await page.getByRole('listbox').isHidden()).toBe(true)
    expect(await box.inputValue()).toBe('what is a zo')
    await page.keyboard.type('ne')
    await page.getByRole('option', { name: /^Concepts/u }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/concepts#*')
    expect(faults).toEqual([])
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'the form finds pages without a script as well',
  async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(`${service.url}/docs/`)
    await page.getByRole('searchbox').fill('what is a zone?')
    await page.getByRole('searchbox').press('Enter')
    await page.getByRole('heading', { name: 'Search' }).waitFor()
    const first = page.locator('.results a').first()
    expect(await first.getAttribute('href')).toStartWith('/docs/concepts#')
    expect(await page.getByRole('searchbox').inputValue()).toBe('what is a zone?')
    await context.close()
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'code is copied as it stands there, and a theme that is chosen stays',
  async () => {
    await using visited = await visit()
    const { page, faults } = visited
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`${service.url}/docs/quick-start`)
    const block = page.locator('.code').first()
    await block.getByRole('button', { name: 'Copy' }).click()
    await page.getByRole('status').getByText('Copied').waitFor()
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(
      (await block.locator('pre').textContent())?.trimEnd() ?? '',
    )
    const theme = page.getByRole('button', { name: /^Theme/u })
    await theme.click()
    await theme.click()
    expect(await theme.textContent()).toBe('Theme: dark')
    await page.reload()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    expect(await accessibilityFindings(page)).toEqual([])
    expect(faults).toEqual([])
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'tabs are walked with the arrows, and what is chosen holds for all of them and on the next page',
  async () => {
    await using visited = await visit()
    const { page, faults } = visited
    await page.goto(`${service.url}/docs/storing`)
    const tabs = page.getByRole('tablist').first().getByRole('tab')
    expect(await tabs.allTextContents()).toEqual(['curl', 'CLI', 'JS'])
    expect(await tabs.first().getAttribute('aria-selected')).toBe('true')
    await tabs.first().focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('End')
    for (const list of await page.getByRole('tablist').all())
      expect(await list.getByRole('tab', { selected: true }).textContent()).toBe('JS')
    const panel = page.getByRole('tabpanel').first()
    expect(await panel.textContent()).toContain("from 'sedge'")
    expect(await accessibilityFindings(page)).toEqual([])
    await page.goto(`${service.url}/docs/purging`)
    expect(await page.getByRole('tab', { selected: true }).first().textContent()).toBe('JS')
    expect(faults).toEqual([])
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'without a script all ways to do it are shown, each below its name',
  async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(`${service.url}/docs/storing`)
    const group = page.locator('.tabs').first()
    for (const name of ['curl', 'CLI', 'JS'])
      expect(await group.getByText(name, { exact: true }).isVisible()).toBe(true)
    expect(await group.locator('pre:visible').count()).toBe(3)
    await context.close()
  },
  60_000,
)
