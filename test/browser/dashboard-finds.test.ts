import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'

import { type LocalService, openLocalService } from '../support/local-service.ts'
import { temporaryDirectory } from '../support/service-process.ts'
import { type World, worldOf } from '../support/world.ts'
import { accessibilityFindings } from './accessibility.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { keepScreenshot, openVisits, settle, type Visits } from './dashboard-visit.ts'

const executable = findChromium('finds and previews in lists of assets')
const undo = new AsyncDisposableStack()
let service: LocalService
let browser: Browser
let visits: Visits
let world: World

const anchor = 'acme/v1/logos/anchor.svg'
const sail = 'acme/v1/logos/sail.svg'
const drawing = (hue: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="9" fill="hsl(${hue} 60% 45%)"/></svg>`

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory())
  const environment = { SEARCH_BY_NAME_ONLY: 'true' }
  service = undo.use(await openLocalService({ dataDirectory: directory.path, environment }))
  world = worldOf(service)
  const { client } = world
  await world.zone('acme')
  await world.put(anchor, drawing(10))
  await world.put(sail, drawing(120))
  await world.put('acme/v1/logos/plain.svg', drawing(240))
  await client.describeAsset({ path: sail, body: { Description: 'A regatta in the harbour' } })
  for (const name of ['spring', 'summer']) {
    await client.createPreview({ id: 'acme', body: { Name: name } })
    await client.putFile(
      { path: anchor, body: drawing(name === 'spring' ? 30 : 60) },
      { headers: { 'Sedge-Preview': name } },
    )
  }
  await client.putFile(
    { path: sail, body: drawing(200) },
    { headers: { 'Sedge-Preview': 'spring' } },
  )
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
  visits = undo.use(openVisits(browser, service.url))
}, 120_000)
afterAll(() => undo.disposeAsync())

const onPage = (name: string, query: string, check: (page: Page) => Promise<void>) =>
  test.skipIf(executable === undefined)(
    name,
    async () => {
      await using visit = await visits.visit()
      await visit.page.goto(`${service.url}/dashboard/assets?${query}`)
      await visit.page.getByRole('heading', { name: 'Assets', level: 1 }).waitFor()
      await settle(visit.page)
      await check(visit.page)
      await keepScreenshot(visit.page, name.replaceAll(/\W+/gu, '-'))
      expect(await accessibilityFindings(visit.page)).toEqual([])
      expect(visit.faults).toEqual([])
    },
    120_000,
  )

for (const view of ['grid', 'list'] as const) {
  onPage(
    `each find says by what it was found, in the ${view}`,
    `q=regatta&by=meaning&view=${view}`,
    async (page) => {
      await page.locator(`[data-path="${sail}"]`).getByText('found by its description').waitFor()
      expect(await page.locator('[data-path][data-index]').count()).toBe(1)
    },
  )

  onPage(
    `what is otherwise in an open preview has a mark that leads there, in the ${view}`,
    `view=${view}`,
    async (page) => {
      const item = (path: string) =>
        page
          .locator(view === 'grid' ? 'li' : '[role=row]')
          .filter({ has: page.locator(`[data-path="${path}"]`) })
      await item(anchor).getByRole('link', { name: 'Changed in 2 previews' }).waitFor()
      expect(await page.locator('.preview-mark').count()).toBe(2)
      await item(sail).getByRole('link', { name: 'Changed in the preview spring' }).click()
      await page.getByRole('heading', { name: 'spring', level: 2 }).waitFor()
    },
  )
}

onPage(
  'the drawer names each preview that has another version',
  `asset=${anchor}`,
  async (page) => {
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('link', { name: 'Changed in the preview summer' }).waitFor()
    await drawer.getByRole('link', { name: 'Changed in the preview spring' }).click()
    await page.waitForURL(/previews\?.*preview=spring/u)
  },
)

onPage('a page of assets is asked for once', 'view=list', async (page) => {
  let asked = 0
  page.on(
    'request',
    (request) => void (asked += Number(request.url().endsWith('/api/assets/previews'))),
  )
  await page.reload()
  await page.locator('.preview-mark').first().waitFor()
  expect(asked).toBe(1)
})

onPage('where nothing fits nothing is shown as found', 'q=zzxxqq&by=meaning', async (page) => {
  await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
  expect(await page.locator('[data-path][data-index]').count()).toBe(0)
})

onPage('what is only nearest is shown to whoever asks', '', async (page) => {
  await page.route('**/api/search?*', async (route) => {
    const response = await route.fetch({ url: `${service.url}/api/search?q=regatta` })
    const found = await response.json()
    const results = found.results.map((each: object) => ({ ...each, confidence: 'low' }))
    await route.fulfill({ json: { ...found, results, matched: 0, confidence: 'low' } })
  })
  await page.goto(`${service.url}/dashboard/assets?q=boat&by=meaning`)
  await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
  expect(await page.locator('[data-path][data-index]').count()).toBe(0)
  await page.getByRole('button', { name: 'Show the one that is nearest' }).click()
  await page.locator(`[data-path="${sail}"]`).waitFor()
})
