import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'

import { photoPainter, painted } from '../fixtures/sample-images.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { temporaryDirectory } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'
import { accessibilityFindings } from './accessibility.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { openVisits, settle, type Visit, type Visits } from './dashboard-visit.ts'

const executable = findChromium('the history of a zone in a browser')
const undo = new AsyncDisposableStack()
let service: LocalService
let browser: Browser
let visits: Visits

const photo = 'acme/v1/banners/photo.jpg'
const logo = 'acme/v1/logos/logo.svg'
const bulkCount = 30

/** A name that is markup: whoever shows it must show it as text. */
const hostile = 'acme/v1/titles/<img src=x onerror=alert(1)>.txt'

const photoOf = async (seed: number): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await painted({ width: 600, height: 400 }, photoPainter(seed)).jpeg().toBuffer())

const svg = (colour: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"><rect width="24" height="24" fill="${colour}"/></svg>`

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory())
  service = undo.use(
    await openLocalService({
      dataDirectory: directory.path,
      environment: { SEARCH_BY_NAME_ONLY: 'true' },
    }),
  )
  const world = worldOf(service)
  for (const name of ['acme', 'busy', 'harbour']) await world.zone(name)
  await world.put(photo, await photoOf(3))
  await world.put(logo, svg('green'))
  await world.put(hostile, 'text')
  await world.put(photo, await photoOf(9))
  for (let index = 0; index < bulkCount; index += 1)
    await world.put(`busy/v1/titles/file-${index}.txt`, `text ${index}`)
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
  visits = undo.use(openVisits(browser, service.url))
}, 60_000)
afterAll(() => undo.disposeAsync())

async function open(page: Page, address: string): Promise<void> {
  await page.goto(`${service.url}/dashboard/${address}`)
  await page.getByRole('heading').first().waitFor()
  await settle(page)
}

const commitsOf = async (zone: string) =>
  (await worldOf(service).client.getZoneHistory({ id: zone, limit: 200 })).Commits

/** A test on a page of the dashboard, which must break no policy and be accessible as it is left. */
function onPage(name: string, url: string, act: (visit: Visit) => Promise<void>): void {
  test.skipIf(executable === undefined)(
    name,
    async () => {
      await using visit = await visits.visit()
      await open(visit.page, url)
      await act(visit)
      expect(await accessibilityFindings(visit.page)).toEqual([])
      expect(visit.faults).toEqual([])
    },
    60_000,
  )
}

const rows = (page: Page) => page.locator('.commit')

/** Every image that is in view came. */
const brokenImages = (page: Page) =>
  page.evaluate(
    () =>
      [...document.images].filter(({ complete, naturalWidth }) => complete && naturalWidth === 0)
        .length,
  )

onPage(
  'a history shows each commit with what it changed, though it is closed to others',
  'history?zone=acme',
  async ({ page }) => {
    const newest = rows(page).first()
    await newest.getByText(`Put ${photo}`).waitFor()
    await newest.getByText('1 changed').waitFor()
    await newest.getByText('by access key').waitFor()
    await newest.locator('img').first().waitFor()
    await page.waitForLoadState('networkidle')
    expect(await brokenImages(page)).toBe(0)
    expect(await rows(page).count()).toBe((await commitsOf('acme')).length)
    await rows(page).nth(1).getByText('onerror').first().waitFor()
  },
)

onPage(
  'older commits come as one scrolls, and arrows go from one to the next',
  'history?zone=busy',
  async ({ page }) => {
    const first = await rows(page).count()
    expect(first).toBeLessThan(bulkCount)
    await rows(page).last().scrollIntoViewIfNeeded()
    await page.getByText('Create zone busy').waitFor()
    expect(await rows(page).count()).toBe(bulkCount + 1)
    await rows(page).first().locator('.commit-title').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    expect(await focused()).toBe(`Put busy/v1/titles/file-${bulkCount - 2}.txt`)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Compare', level: 1 }).waitFor()
    await page.getByRole('button', { name: `titles/file-${bulkCount - 2}.txt` }).waitFor()
  },
)

onPage(
  'a history is narrowed to a folder, to who committed, and to a day',
  'history?zone=acme',
  async ({ page }) => {
    await page.getByLabel('Folder or file').fill('logos')
    await page.waitForURL(/path=v1%2Flogos/u)
    await page.getByText(`Put ${photo}`).first().waitFor({ state: 'detached' })
    await settle(page)
    // The zone was made with the folder.
    expect(await rows(page).count()).toBe(2)
    await page.getByLabel('By').selectOption('session')
    await page.getByRole('heading', { name: 'No commit is like this' }).waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
    await rows(page).nth(3).waitFor()
    await page.getByLabel('Jump to').fill('2020-01-01')
    await page.getByRole('heading', { name: 'No commit is like this' }).waitFor()
    await page.getByRole('link', { name: 'Show all of its history' }).click()
    await rows(page).nth(3).waitFor()
  },
)

onPage(
  'two moments are compared side by side, by a slider and as an onion skin, and the address says so',
  'history?zone=acme',
  async ({ page }) => {
    const commits = await commitsOf('acme')
    const then = commits[3]?.Commit ?? ''
    await rows(page).nth(3).getByRole('button', { name: 'Compare' }).click()
    await page.getByText('Choose a second moment').waitFor()
    await rows(page).nth(1).getByRole('link', { name: 'Compare with this' }).waitFor()
    await page.getByRole('link', { name: 'Compare with now' }).click()
    await page.getByText('All 3').waitFor()
    expect(new URL(page.url()).searchParams.get('from')).toBe(then)
    await page.getByText('1 changed').click()
    const file = page.getByRole('button', { name: 'banners/photo.jpg' })
    await file.waitFor()
    await page.getByRole('button', { name: 'logos/logo.svg' }).waitFor({ state: 'detached' })
    await file.click()
    const dialog = page.getByRole('dialog', { name: 'photo.jpg' })
    await dialog.getByText('image/jpeg').first().waitFor()
    await dialog.getByText('Slider').click()
    const line = dialog.getByRole('slider')
    await line.focus()
    await page.keyboard.press('ArrowRight')
    expect(await line.inputValue()).toBe('51')
    await page.waitForURL(/how=slider/u)
    // Somebody else, with this address.
    await open(page, page.url().split('/dashboard/')[1] ?? '')
    await dialog.getByRole('slider').waitFor()
    await dialog.getByText('Onion skin').click()
    expect(await brokenImages(page)).toBe(0)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.get('from')).toBe(then)
    await page.getByRole('button', { name: 'Swap both moments' }).click()
    await page.getByText('2 removed').waitFor()
    await page.getByRole('button', { name: 'Choose another' }).first().click()
    const choice = page.getByRole('dialog', { name: 'The moment before' })
    await choice.getByRole('button', { name: 'Create zone acme' }).click()
    await page.getByText('Create zone acme').waitFor()
  },
)

onPage(
  'a zone goes back after a dry run was shown, and the way back is offered',
  'history?zone=acme',
  async ({ page }) => {
    const commits = await commitsOf('acme')
    const colour = async () => (await fetch(`${service.url}/${logo}`)).status
    // To when the photograph alone was there.
    await rows(page)
      .nth(commits.length - 2)
      .getByRole('button', { name: 'Go back to here' })
      .click()
    const dialog = page.getByRole('dialog', { name: /^Go back to/u })
    await dialog.getByText('2 removed').waitFor()
    await dialog.getByText('1 changed').waitFor()
    expect(await commitsOf('acme')).toHaveLength(commits.length)
    await dialog.getByLabel('Only in').fill('logos')
    await dialog.getByText('1 changed').waitFor({ state: 'detached' })
    await dialog.getByText('1 removed').waitFor()
    await dialog.getByRole('button', { name: 'Go back: 1 file' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await colour()).toBe(404)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('acme is as it was before.').waitFor()
    expect(await colour()).toBe(200)
    await rows(page)
      .first()
      .getByText(/^Restore acme\/v1\/logos/u)
      .waitFor()
    await rows(page).first().getByText('by the dashboard').waitFor()
  },
)

onPage(
  'who may see former files is set for a zone, and holds',
  'zone?zone=harbour&tab=settings',
  async ({ page }) => {
    const world = worldOf(service)
    await world.put('harbour/v1/titles/a.txt', 'then')
    const [then] = await commitsOf('harbour')
    await world.put('harbour/v1/titles/a.txt', 'now')
    const pinned = async () =>
      (await fetch(`${service.url}/@${then?.Commit}/harbour/v1/titles/a.txt`)).status
    expect(await pinned()).toBe(404)
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
    await page.getByRole('radio', { name: /^Everybody/u }).check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Who sees the history of harbour is saved.').waitFor()
    expect(await pinned()).toBe(200)
  },
)

onPage(
  'a zone that is gone is told, and nothing of another is shown',
  'history?zone=nope',
  async ({ page }) => {
    await page.getByRole('heading', { name: 'There is no zone nope' }).waitFor()
    expect(await rows(page).count()).toBe(0)
  },
)

onPage(
  'a history that cannot be read says why, and is read again',
  'overview',
  async ({ page }) => {
    let isDown = true
    await page.route('**/api/core/zones/acme/history*', (route) =>
      isDown
        ? route.fulfill({ status: 500, json: { HttpCode: 500, Message: 'It broke' } })
        : route.continue(),
    )
    await open(page, 'history?zone=acme')
    await page.getByRole('alert').waitFor()
    isDown = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await rows(page).first().waitFor()
  },
)

onPage(
  'how long a zone keeps its history is set in days, and taken back',
  'zone?zone=harbour&tab=settings',
  async ({ page }) => {
    const days = page.getByLabel('Days')
    const save = page.getByRole('button', { name: 'Set days' })
    const kept = async () => (await worldOf(service).client.getZone({ id: 'harbour' })).HistoryDays
    expect(await save.isDisabled()).toBe(true)
    for (const wrong of ['0', '1.5', '-3', 'often', '36501']) {
      await days.fill(wrong)
      await page.getByText('A whole number from 1 to 36500').waitFor()
      expect(await save.isDisabled()).toBe(true)
    }
    await days.fill('90')
    await save.click()
    await page.getByText('How long the history of harbour is kept is saved.').waitFor()
    expect(await kept()).toBe(90)
    await days.fill('')
    await save.click()
    await until(async () => (await kept()) === null)
    await settle(page)
  },
)
