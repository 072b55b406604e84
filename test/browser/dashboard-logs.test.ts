import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'

import { type LocalService, openLocalService } from '../support/local-service.ts'
import { temporaryDirectory } from '../support/service-process.ts'
import { worldOf } from '../support/world.ts'
import { accessibilityFindings } from './accessibility.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { keepScreenshot, openVisits, settle, type Visits } from './dashboard-visit.ts'

const executable = findChromium('logs in a browser')
const undo = new AsyncDisposableStack()
let service: LocalService
let browser: Browser
let visits: Visits

const sidewaysOverflow = async (page: Page): Promise<number> =>
  await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)

const ask = async (path: string) => await (await fetch(`${service.url}${path}`)).arrayBuffer()

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory())
  const environment = { SEARCH_BY_NAME_ONLY: 'true' }
  service = undo.use(await openLocalService({ dataDirectory: directory.path, environment }))
  const world = worldOf(service)
  await world.zone('acme')
  await world.put('acme/v1/icons/logo.txt', 'a logo')
  for (let each = 0; each < 60; each += 1) await ask('/acme/v1/icons/logo.txt')
  await ask('/acme/v1/icons/missing.txt')
  await ask('/api/core/zones')
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
  visits = undo.use(openVisits(browser, service.url))
}, 120_000)
afterAll(() => undo.disposeAsync())

const looks = [
  { scheme: 'light', width: 1440 },
  { scheme: 'dark', width: 390 },
  { scheme: 'dark', width: 2560 },
] as const

for (const look of looks)
  test.skipIf(executable === undefined)(
    `requests are found, opened and followed (${look.scheme}, ${look.width})`,
    async () => {
      await using visit = await visits.visit(look)
      const { page, faults } = visit
      await page.goto(`${service.url}/dashboard/logs`)
      const table = page.getByRole('table', { name: 'Requests' })
      await table.getByText('/acme/v1/icons/missing.txt').waitFor()
      await settle(page)
      expect(await sidewaysOverflow(page)).toBeLessThanOrEqual(0)
      expect(await accessibilityFindings(page)).toEqual([])
      await keepScreenshot(page, `logs-${look.scheme}-${look.width}`)

      const query = page.getByLabel('Find requests')
      await query.fill('status:404 sttus:1')
      await page.getByRole('alert').getByText('at character 12').waitFor()
      await query.fill('status:404')
      await query.press('Enter')
      await table.getByText('/acme/v1/icons/logo.txt').first().waitFor({ state: 'hidden' })
      expect(new URL(page.url()).searchParams.get('q')).toBe('status:404')

      const fresh = `/acme/v1/icons/fresh-${look.width}.txt`
      await ask(fresh)
      await table.getByText(fresh).waitFor()
      await table.getByRole('button', { name: fresh }).click()
      const details = page.getByRole('dialog')
      await details.getByText('AssetNotFound').waitFor()
      await settle(page)
      expect(await accessibilityFindings(page)).toEqual([])
      await keepScreenshot(page, `logs-details-${look.scheme}-${look.width}`)
      await details.getByRole('button', { name: 'Only this request' }).click()
      await page
        .getByRole('status')
        .getByText(/^1 request\b/u)
        .waitFor()
      expect(faults).toEqual([])
    },
    60_000,
  )

for (const look of looks)
  test.skipIf(executable === undefined)(
    `changes are told in words and open to what they were (${look.scheme}, ${look.width})`,
    async () => {
      const { client } = worldOf(service)
      await client.updateZone({ id: 'acme', body: { HistoryDays: look.width } })
      await using visit = await visits.visit(look)
      const { page, faults } = visit
      await page.goto(`${service.url}/dashboard/audit`)
      const table = page.getByRole('table', { name: 'Audit log' })
      await table.getByText('Access key stored acme/v1/icons/logo.txt').waitFor()
      await settle(page)
      expect(await sidewaysOverflow(page)).toBeLessThanOrEqual(0)
      expect(await accessibilityFindings(page)).toEqual([])
      await keepScreenshot(page, `audit-${look.scheme}-${look.width}`)
      await page.getByLabel('Filter').fill('changed')
      await table.getByText('Access key stored acme/v1/icons/logo.txt').waitFor({ state: 'hidden' })
      await table
        .getByRole('button', { name: /Account key changed/u })
        .first()
        .click()
      const details = page.getByRole('dialog')
      await details.getByRole('cell', { name: String(look.width), exact: true }).waitFor()
      await details.getByRole('link', { name: /^What commit [\da-f]{10} changed$/u }).waitFor()
      await details.getByRole('link', { name: 'All commits by the same author' }).waitFor()
      await settle(page)
      expect(await accessibilityFindings(page)).toEqual([])
      await keepScreenshot(page, `audit-details-${look.scheme}-${look.width}`)
      expect(faults).toEqual([])
    },
    60_000,
  )

test.skipIf(executable === undefined)(
  'of 100,000 requests only the rows in sight are there, wherever one scrolls to',
  async () => {
    await using visit = await visits.visit(looks[0])
    const { page, faults } = visit
    const count = 100_000
    await page.route('**/api/logs?*', async (route) => {
      if (route.request().url().includes('tail=true')) return await route.abort()
      const Entries = Array.from({ length: count }, (_, place) => ({
        timestamp: new Date(1_780_000_000_000 - place * 1_000).toISOString(),
        level: 'info',
        code: null,
        message: '',
        requestId: null,
        line: `test.${place}`,
        method: 'GET',
        path: `/acme/v1/icons/${place}.svg`,
        status: 200,
        ms: 1,
        bytes: 1,
        by: null,
        country: 'DE',
      }))
      return await route.fulfill({ json: { Entries, Count: count, Cursor: null } })
    })
    await page.goto(`${service.url}/dashboard/logs`)
    const table = page.getByRole('table', { name: 'Requests' })
    await table.getByText('/acme/v1/icons/0.svg').waitFor()
    expect(await table.getAttribute('aria-rowcount')).toBe(String(count + 1))
    const scroller = page.getByRole('region', { name: 'Requests' })
    for (const share of [0.25, 0.5, 0.75, 1]) {
      await scroller.evaluate((element, part) => {
        element.scrollTop = element.scrollHeight * part
      }, share)
      const place = Math.min(count - 1, Math.round(count * share))
      await table.getByText(`/acme/v1/icons/${place}.svg`, { exact: true }).waitFor()
      expect(await table.getByRole('row').count()).toBeLessThan(80)
    }
    expect(faults).toEqual([])
  },
  60_000,
)
