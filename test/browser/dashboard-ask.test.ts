import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'

import { scene } from '../fixtures/scenes.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { temporaryDirectory } from '../support/service-process.ts'
import { worldOf } from '../support/world.ts'
import { accessibilityFindings } from './accessibility.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { keepScreenshot, openVisits, settle, type Visits } from './dashboard-visit.ts'

const executable = findChromium('the assistant in a browser')
const undo = new AsyncDisposableStack()
let service: LocalService
let browser: Browser
let visits: Visits

const photo = 'acme/v1/banners/boat.jpg'

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory())
  const environment = { SEARCH_BY_NAME_ONLY: 'true' }
  service = undo.use(await openLocalService({ dataDirectory: directory.path, environment }))
  const world = worldOf(service)
  await world.zone('acme')
  await world.put(photo, new Uint8Array(await scene(1).jpeg().toBuffer()))
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
  visits = undo.use(openVisits(browser, service.url))
}, 120_000)
afterAll(() => undo.disposeAsync())

const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Ask', exact: true })

async function askIn(page: Page, question: string) {
  await page.getByRole('textbox', { name: 'Your question' }).fill(question)
  await page.keyboard.press('Enter')
  const answer = page.getByRole('article', { name: question }).last()
  await answer.getByRole('button', { name: 'Copy the answer' }).waitFor()
  return answer
}

test.skipIf(executable === undefined)(
  'a question by keyboard, its sources, the next one, and a purge that somebody confirms',
  async () => {
    await using visit = await visits.visit()
    const { page, faults } = visit
    page.setDefaultTimeout(60_000)
    await page.goto(`${service.url}/dashboard/assets?zone=acme`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('a')
    await panelOf(page).getByRole('list', { name: 'Suggestions' }).waitFor()
    expect(
      await panelOf(page)
        .getByRole('button', { name: /largest files in acme/u })
        .count(),
    ).toBe(1)

    const meaning = await askIn(page, 'What is a zone?')
    const source = meaning.getByRole('list', { name: 'Sources' }).getByRole('link').first()
    expect(await source.getAttribute('href')).toContain('/docs/concepts')
    expect(await accessibilityFindings(page)).toEqual([])

    const found = await askIn(page, 'Find the boat')
    await found.getByRole('list', { name: 'Images' }).getByRole('link', { name: photo }).click()
    await page.getByRole('dialog').getByText('boat.jpg').first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    const purge = await askIn(page, 'purge that')
    const card = purge.getByRole('region', { name: 'Prepared: Purge' })
    await card.getByText('Would be purged').waitFor()
    await settle(page)
    expect(await accessibilityFindings(page)).toEqual([])
    await keepScreenshot(page, 'ask-light-1280')
    await card.getByRole('button', { name: 'Confirm the purge' }).click()
    await card.getByText('1 item was purged.').waitFor()

    // It is there on other pages and after a reload, and what was confirmed is not offered again.
    await page.getByRole('link', { name: 'Zones' }).first().click()
    await page.getByRole('heading', { name: 'Zones', level: 1 }).waitFor()
    await page.reload()
    await panelOf(page).getByText('1 item was purged.').waitFor()
    expect(await panelOf(page).getByRole('button', { name: 'Confirm the purge' }).count()).toBe(0)
    await panelOf(page).getByRole('button', { name: 'New conversation' }).click()
    await panelOf(page).getByRole('list', { name: 'Suggestions' }).waitFor()
    await page.getByRole('textbox', { name: 'Your question' }).focus()
    await page.keyboard.press('Escape')
    await panelOf(page).waitFor({ state: 'detached' })
    expect(faults).toEqual([])
  },
  180_000,
)

test.skipIf(executable === undefined)(
  'from the palette into the panel, tags and a redirect; a limit is told in words; an answer is stopped',
  async () => {
    await using visit = await visits.visit({ scheme: 'dark', width: 1440 })
    const { page, faults } = visit
    page.setDefaultTimeout(60_000)
    await page.goto(`${service.url}/dashboard/`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Search everything' })
    await palette.getByRole('combobox').fill('tag all banners in acme with spring?')
    await page.keyboard.press('Enter')
    await palette.getByRole('button', { name: 'Look at it and confirm' }).click()
    const card = panelOf(page).getByRole('region', { name: 'Prepared: Add tags' })
    await card.getByText('1 asset would change.').waitFor()
    await keepScreenshot(page, 'ask-dark-1440')
    expect(await accessibilityFindings(page)).toEqual([])
    await card.getByRole('button', { name: 'Add the tags' }).click()
    await card.getByText('Tags of 1 asset changed.').waitFor()
    const { Tags } = await worldOf(service).client.getAssetMetadata({ path: photo })
    expect(Tags).toContain('tag-spring')

    const redirect = await askIn(page, `redirect /acme/v1/old.jpg to /${photo}`)
    await redirect.getByRole('button', { name: 'Check and save in the rules' }).click()
    await page.getByText('/v1/old.jpg /v1/banners/boat.jpg 301').first().waitFor()

    await page.route('**/api/chat', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'Retry-After': '30' },
        json: { error: 'limit_reached', code: 'limit_reached', message: 'x' },
      }),
    )
    await page.getByRole('textbox', { name: 'Your question' }).fill('hello')
    await page.keyboard.press('Enter')
    await panelOf(page).getByText('That was asked too often. Ask again in 1 minute.').waitFor()

    await page.unroute('**/api/chat')
    // It never answers, so that there is something to stop.
    await page.route('**/api/chat', () => undefined)
    await panelOf(page).getByRole('button', { name: 'Try again' }).click()
    await panelOf(page).getByRole('button', { name: 'Stop' }).click()
    await panelOf(page).getByRole('button', { name: 'Send' }).waitFor()
    expect(faults).toEqual([])
  },
  180_000,
)

test.skipIf(executable === undefined)(
  'on a narrow screen it is over the page, and gone when it leads to one',
  async () => {
    await using visit = await visits.visit({ scheme: 'light', width: 390 })
    const { page, faults } = visit
    page.setDefaultTimeout(60_000)
    await page.goto(`${service.url}/dashboard/zones`)
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Ask', exact: true })
    await dialog.waitFor()
    const found = await askIn(page, 'Find the boat')
    await settle(page)
    await keepScreenshot(page, 'ask-light-390')
    expect(await accessibilityFindings(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await found.getByRole('list', { name: 'Images' }).getByRole('link').first().click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('dialog').getByText('boat.jpg').first().waitFor()
    expect(faults).toEqual([])
  },
  180_000,
)
