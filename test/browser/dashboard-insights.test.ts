import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'

import { photoPainter, painted } from '../fixtures/sample-images.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { temporaryDirectory } from '../support/service-process.ts'
import { worldOf } from '../support/world.ts'
import { accessibilityFindings } from './accessibility.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { settle, openVisits, type Visits } from './dashboard-visit.ts'

const executable = findChromium('insights of the dashboard in a browser')
const undo = new AsyncDisposableStack()
let service: LocalService
let browser: Browser
let visits: Visits

const photo = 'acme/v1/banners/photo.jpg'
const agents = {
  Chrome: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36',
  Googlebot: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
}

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory())
  const environment = { SEARCH_BY_NAME_ONLY: 'true', TRUSTED_PROXIES: '127.0.0.1' }
  service = undo.use(await openLocalService({ dataDirectory: directory.path, environment }))
  const world = worldOf(service)
  for (const name of ['acme', 'harbour']) await world.zone(name)
  await world.put(
    photo,
    new Uint8Array(await painted({ width: 900, height: 600 }, photoPainter(3)).jpeg().toBuffer()),
  )
  for (const agent of Object.values(agents))
    for (const country of ['DE', 'FR', 'JP'])
      for (const path of [photo, 'acme/v1/icons/never.svg', `api/transform?url=/${photo}&w=64`])
        await visit(path, { 'User-Agent': agent, 'CF-IPCountry': country })
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
  visits = undo.use(openVisits(browser, service.url))
}, 60_000)
afterAll(() => undo.disposeAsync())

async function visit(path: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const sent = { ...headers, Referer: 'https://shop.example/basket?user=ana' }
  await (await fetch(`${service.url}/${path}`, { headers: sent })).arrayBuffer()
}

async function open(page: Page, query: string): Promise<void> {
  await page.goto(`${service.url}/dashboard/insights?${query}`)
  await page.getByRole('heading', { name: 'Top assets' }).waitFor()
  await settle(page)
}

test.skipIf(executable === undefined)(
  'each figure has a chart, every bar is told by keyboard, and what is marked is zoomed to',
  async () => {
    await using shown = await visits.visit()
    const { page, faults } = shown
    await open(page, 'period=1h&zone=acme')
    const tabs = page.getByRole('tab')
    expect(await tabs.count()).toBe(6)
    await page.getByRole('tab', { name: /^Requests 18/u }).focus()
    for (const title of [/^Bytes/u, /^Share of/u, /by status$/u, /answer began$/u, /made of/u]) {
      await page.keyboard.press('ArrowRight')
      await page.getByRole('heading', { name: title }).waitFor()
    }
    await page.keyboard.press('ArrowRight')
    const chart = page.getByRole('slider', { name: /^Requests, from the cache/u })
    await chart.focus()
    await page.keyboard.press('ArrowLeft')
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/From the cache: \d+/u)
    await page.locator('.bar-chart-tooltip').waitFor()
    await page.keyboard.press('End')
    for (let each = 0; each < 9; each += 1) await page.keyboard.press('Shift+ArrowLeft')
    await page.keyboard.press('Enter')
    await page.waitForURL(/from=.*to=/u)
    await page.getByRole('button', { name: 'Zoom out' }).waitFor()
    await page.waitForFunction(
      () => Number(document.querySelector('[role=slider]')?.ariaValueMax) < 12,
    )
    expect(Number(await chart.getAttribute('aria-valuemax'))).toBeGreaterThan(7)
    await page.getByRole('button', { name: 'Zoom out' }).click()
    await page.waitForURL(/period=1h/u)
    expect(faults).toEqual([])
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'a part is dragged over to be zoomed to, and the browser’s way back leads out',
  async () => {
    await using shown = await visits.visit()
    const { page, faults } = shown
    await open(page, 'period=24h&time=utc')
    await page.getByText('Times in UTC').waitFor()
    const plot = page.locator('.bar-chart-plot')
    await plot.scrollIntoViewIfNeeded()
    const { x = 0, y = 0, width = 0, height = 0 } = (await plot.boundingBox()) ?? {}
    await page.mouse.move(x + width * 0.7, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width * 0.99, y + height / 2, { steps: 5 })
    await page.locator('.bar-chart-band').waitFor()
    await page.mouse.up()
    await page.waitForURL(/from=/u)
    await settle(page)
    await page.getByRole('button', { name: 'Zoom out' }).waitFor()
    await page.goBack()
    await page.getByText('Show as a table').click()
    const table = page.getByRole('table', { name: 'Traffic over time' })
    await table.getByRole('rowheader', { name: 'All' }).waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download as CSV' }).click()
    expect((await download).suggestedFilename()).toMatch(/\.csv$/u)
    expect(faults).toEqual([])
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'a chosen period is of the time zone that is named',
  async () => {
    await using shown = await visits.visit()
    const { page } = shown
    await open(page, 'period=24h&time=utc')
    await page.getByText('Custom', { exact: true }).click()
    const today = new Date().toISOString().slice(0, 10)
    await page.getByRole('textbox', { name: 'From', exact: true }).fill(`${today}T00:00`)
    await page.getByRole('textbox', { name: 'To', exact: true }).fill(`${today}T00:00`)
    await page.getByText('The end must be after the beginning.').waitFor()
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    await page.getByRole('textbox', { name: 'To', exact: true }).fill(`${tomorrow}T00:00`)
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.waitForURL(new RegExp(`from=${today}T00%3A00%3A00`, 'u'))
    await page.getByRole('tab', { name: /^Requests 18/u }).waitFor()
    await open(page, 'period=24h&zone=harbour')
    await page.getByRole('heading', { name: 'No requests in this period' }).waitFor()
    await page.getByRole('link', { name: 'Choose an asset' }).waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'rows lead to the asset and to a redirect, and say who asked',
  async () => {
    await using shown = await visits.visit()
    const { page, faults } = shown
    await open(page, 'period=7d')
    await page.getByRole('link', { name: 'shop.example', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Open shop.example' }).waitFor()
    for (const agent of Object.keys(agents)) await page.getByText(agent, { exact: true }).waitFor()
    await page.locator('.world path').first().dispatchEvent('pointerover')
    expect(await page.locator('.world-caption').textContent()).not.toContain('Point at a country')
    await page.getByRole('link', { name: 'Make a redirect from acme/v1/icons/never.svg' }).click()
    await page.getByRole('heading', { name: 'Edge rules' }).waitFor()
    await page.waitForFunction(() =>
      [...document.querySelectorAll('textarea')].some(({ value }) =>
        value.includes('/acme/v1/icons/never.svg /acme/v1/ 301'),
      ),
    )
    await open(page, 'period=7d')
    await page.getByRole('link', { name: photo }).click()
    await page
      .getByRole('dialog', { name: 'photo.jpg' })
      .waitFor()
      .catch(() => undefined)
    expect(faults).toEqual([])
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'lists follow the period to the hour, and their rows lead to the requests behind them',
  async () => {
    await using shown = await visits.visit()
    const { page, faults } = shown
    await open(page, 'period=24h&zone=acme&time=utc')
    const card = (name: string) =>
      page.locator('section.card').filter({ has: page.getByRole('heading', { name, exact: true }) })
    for (const [name, row, query] of [
      ['Status', '404', 'status:404 zone:acme'],
      ['Browsers and programs', 'Googlebot', 'agent:Googlebot zone:acme'],
      ['Referrers', 'shop.example', 'referrer:shop.example zone:acme'],
      ['Countries', 'Japan', 'country:JP zone:acme'],
      ['Errors', '404', 'status:404 zone:acme'],
    ] as const) {
      await card(name).getByRole('link', { name: row, exact: true }).click()
      await page.getByRole('heading', { name: 'Logs' }).waitFor()
      await page.getByRole('table', { name: 'Requests' }).getByRole('button').first().waitFor()
      expect(new URL(page.url()).searchParams.get('q')).toBe(query)
      await page.goBack()
      await page.getByRole('heading', { name: 'Top assets' }).waitFor()
    }
    const hours = [2, 1].map((past) => new Date((Math.floor(Date.now() / 3.6e6) - past) * 3.6e6))
    await open(page, `from=${hours[0]?.toISOString()}&to=${hours[1]?.toISOString()}`)
    await card('Status').getByText('No requests in this period.').waitFor()
    await card('Top assets').getByText('No requests in this period.').waitFor()
    expect(faults).toEqual([])
  },
  60_000,
)

for (const look of [
  { scheme: 'light', width: 1440 },
  { scheme: 'dark', width: 390 },
  { scheme: 'dark', width: 2560 },
] as const)
  test.skipIf(executable === undefined)(
    `nothing is found by axe, ${look.scheme}, ${look.width} wide`,
    async () => {
      await using shown = await visits.visit(look)
      const { page } = shown
      await open(page, 'period=24h&metric=status')
      await page.locator('.bar-chart-plot').hover()
      await page.locator('.bar-chart-tooltip').waitFor()
      expect(await accessibilityFindings(page)).toEqual([])
      const folder = process.env['SEDGE_SCREENSHOTS']
      if (folder !== undefined)
        await page.screenshot({ path: `${folder}/insights-${look.scheme}-${look.width}.png` })
    },
    60_000,
  )
