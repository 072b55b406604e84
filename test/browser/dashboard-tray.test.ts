import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'

import { type LocalService, openLocalService } from '../support/local-service.ts'
import { temporaryDirectory } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'
import { accessibilityFindings } from './accessibility.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { keepScreenshot, type Look, openVisits, settle, type Visits } from './dashboard-visit.ts'
import { drag, drop, hover } from './dropped-files.ts'
import { keptIn } from './kept-uploads.ts'

const executable = findChromium('the tray of uploads in a browser')
const undo = new AsyncDisposableStack()
let service: LocalService
let browser: Browser
let visits: Visits
let directory: string

beforeAll(async () => {
  if (executable === undefined) return
  directory = undo.use(await temporaryDirectory()).path
  service = undo.use(
    await openLocalService({
      dataDirectory: join(directory, 'data'),
      environment: { SEARCH_BY_NAME_ONLY: 'true', MAX_FILE_MB: '28' },
    }),
  )
  const world = worldOf(service)
  for (const zone of ['acme', 'harbour']) await world.zone(zone)
  await world.put('acme/v1/campaigns/2027/tent.txt', 'a tent')
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
  visits = undo.use(openVisits(browser, service.url))
}, 60_000)
afterAll(() => undo.disposeAsync())

const onPage = (
  name: string,
  { address, look }: { readonly address: string; readonly look?: Look },
  check: (page: Page) => Promise<void>,
) =>
  test.skipIf(executable === undefined)(
    name,
    async () => {
      await using visit = await visits.visit(look)
      const { page, faults } = visit
      await page.goto(`${service.url}/dashboard/${address}`)
      await settle(page)
      await check(page)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      expect(faults).toEqual([])
    },
    60_000,
  )

const tray = (page: Page) => page.getByRole('region', { name: 'Upload tray' })

const delivered = async (path: string): Promise<string> =>
  await (await fetch(`${service.url}/${path}`)).text()

/** Holds what is sent until it is opened. */
async function hold(page: Page) {
  let isOpen = false
  let held = 0
  await page.context().route('**/api/storage/**', async (route) => {
    const isSent = ['PUT', 'POST'].includes(route.request().method())
    if (!isSent || isOpen) return await route.continue()
    held += 1
  })
  return { open: () => void (isOpen = true), isHeld: () => until(async () => held > 0) }
}

onPage(
  'files that are dropped go into the folder that is open, which is said large before',
  { address: 'assets?folder=acme/v1/campaigns/2027' },
  async (page) => {
    await drag(page, { 'lake.txt': 'a lake' }, hover)
    await page.getByText('Drop to upload to').waitFor()
    await page.locator('.drop-anywhere').getByText('acme/v1/campaigns/2027/').waitFor()
    await keepScreenshot(page, 'tray-drop-light-1280')
    await drop(page, { 'lake.txt': 'a lake', 'pier.txt': 'a pier' })
    await page.locator('.drop-anywhere').waitFor({ state: 'detached' })
    await tray(page).getByText('2 files done').waitFor()
    await tray(page).getByRole('status').getByText('Nothing is left to send.').waitFor()
    expect(await delivered('acme/v1/campaigns/2027/lake.txt')).toBe('a lake')
    await page.getByText('pier.txt').first().waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
    await keepScreenshot(page, 'tray-done-light-1280')

    // From now on that is where files go, on any page.
    await page.goto(`${service.url}/dashboard/logs`)
    await settle(page)
    await drag(page, { 'boat.txt': 'a boat' }, hover)
    await page.locator('.drop-anywhere').getByText('acme/v1/campaigns/2027/').waitFor()
    await drag(page, {}, ['dragleave'])
    await drop(page, { 'boat.txt': 'a boat' })
    await tray(page).getByText('1 file done').waitFor()
    expect(await delivered('acme/v1/campaigns/2027/boat.txt')).toBe('a boat')
    await tray(page).getByRole('link', { name: 'Show all uploads' }).click()
    await page.getByRole('heading', { name: 'Upload', level: 1 }).waitFor()
    await page.locator('.drop-place').getByText('acme/v1/campaigns/2027/').waitFor()
  },
)

onPage(
  'where nothing says where files go, it is asked, and can be answered by keyboard',
  { address: 'insights' },
  async (page) => {
    await drag(page, { 'early.txt': 'early' }, hover)
    await page.getByText('You are asked next where the files go.').waitFor()
    await drop(page, { 'early.txt': 'early' })
    const dialog = page.getByRole('dialog', { name: 'Where does 1 file go?' })
    await dialog.getByText('Choose a zone first').waitFor()
    expect(await dialog.getByRole('button', { name: 'Upload' }).isDisabled()).toBe(true)
    expect(await accessibilityFindings(page)).toEqual([])
    await page.keyboard.type('harbour')
    await page.keyboard.press('Tab')
    await page.keyboard.type('titles/new')
    await dialog.getByText('harbour/v1/titles/new/').waitFor()
    await keepScreenshot(page, 'tray-choice-light-1280')
    await page.keyboard.press('Enter')
    await tray(page).getByText('1 file done').waitFor()
    expect(await delivered('harbour/v1/titles/new/early.txt')).toBe('early')
    expect(page.url()).toContain('/dashboard/insights')

    // A page about another zone asks again, and offers that zone.
    await page.goto(`${service.url}/dashboard/zone?zone=acme`)
    await settle(page)
    await drop(page, { 'late.txt': 'late' })
    await page.getByRole('dialog').getByText('acme/v1/').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await tray(page).count()).toBe(0)
  },
)

onPage(
  'uploads go on while pages change, and are held, gone on with and cancelled on each',
  { address: 'upload?zone=acme&folder=titles' },
  async (page) => {
    const gate = await hold(page)
    const names = ['one.txt', 'two.txt', 'three.txt']
    await page
      .getByLabel('Choose files')
      .setInputFiles(
        names.map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })),
      )
    await gate.isHeld()
    expect(await tray(page).count()).toBe(0)
    await page.getByRole('link', { name: 'Zones', exact: true }).click()
    await tray(page).getByText('0 of 3 files').waitFor()
    await tray(page).getByRole('button', { name: 'Pause all' }).press('Enter')
    await tray(page).getByRole('status').getByText('The uploads are held.').waitFor()
    const goOn = tray(page).getByRole('button', { name: 'Go on with all' })
    expect(await goOn.evaluate((button) => button === document.activeElement)).toBe(true)
    expect(await accessibilityFindings(page)).toEqual([])
    await keepScreenshot(page, 'tray-held-light-1280')
    await tray(page).getByRole('button', { name: 'Cancel acme/v1/titles/two.txt' }).click()
    gate.open()
    await goOn.press('Enter')
    await tray(page).getByText('2 of 3 files done').waitFor()
    expect(await delivered('acme/v1/titles/three.txt')).toBe('three.txt')
    await tray(page).getByRole('button', { name: 'Try acme/v1/titles/two.txt again' }).click()
    await tray(page).getByText('3 files done').waitFor()

    const head = tray(page).getByRole('button', { expanded: true })
    await head.press('Enter')
    await tray(page).getByRole('list').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Domains', exact: true }).click()
    await page.getByRole('heading', { name: 'Domains', level: 1 }).waitFor()
    await tray(page).getByRole('button', { expanded: false }).waitFor()
    await tray(page).getByRole('button', { name: 'Clear finished' }).click()
    await tray(page).waitFor({ state: 'detached' })
  },
)

onPage(
  'after a reload the tray lists what is unfinished, and goes on with the files that fit',
  { address: 'upload?zone=acme&folder=titles/reloaded' },
  async (page) => {
    const gate = await hold(page)
    const files = ['first.txt', 'second.txt'].map((name) => join(directory, name))
    for (const file of files) await Bun.write(file, `in ${file}`)
    await page.evaluate(() => Object.assign(globalThis, { showOpenFilePicker: undefined }))
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Choose files' }).click(),
    ])
    await chooser.setFiles(files)
    await gate.isHeld()
    await until(async () => (await keptIn(page)) === files.length)
    await page.goto(`${service.url}/dashboard/domains`)
    await tray(page).getByText('2 unfinished uploads').waitFor()
    await tray(page).getByText('acme/v1/titles/reloaded/second.txt').waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
    await keepScreenshot(page, 'tray-reloaded-light-1280')
    gate.open()
    const [again] = await Promise.all([
      page.waitForEvent('filechooser'),
      tray(page).getByRole('button', { name: 'Choose all files again to go on' }).click(),
    ])
    await again.setFiles(files)
    await tray(page).getByText('2 files done').waitFor()
    expect(await delivered('acme/v1/titles/reloaded/second.txt')).toBe(`in ${files[1]}`)
  },
)

const looks: readonly Look[] = [
  { scheme: 'dark', width: 1440 },
  { scheme: 'dark', width: 390 },
  { scheme: 'light', width: 2560 },
]

for (const look of looks)
  onPage(
    `the tray fits the screen with what failed and what waits, ${look.scheme} and ${look.width} wide`,
    { address: 'assets?folder=acme/v1/campaigns/2027', look },
    async (page) => {
      await page.context().route('**/api/storage/**', async (route) => {
        if (!['PUT', 'POST'].includes(route.request().method())) return await route.continue()
        await route.fulfill({ status: 403, json: { Code: 'Forbidden', Message: 'Not here' } })
      })
      const fresh = `sail-${look.scheme}-${look.width}.txt`
      await drop(page, { 'tent.txt': 'another tent', [fresh]: 'a sail' })
      await tray(page).getByText('Failed', { exact: true }).waitFor()
      await tray(page).getByText('Stored with other content').waitFor()
      expect(await accessibilityFindings(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(look.width)
      await keepScreenshot(page, `tray-failed-${look.scheme}-${look.width}`)
      await page.context().unrouteAll({ behavior: 'ignoreErrors' })
      await tray(page).getByRole('button', { name: 'Skip acme/v1/campaigns/2027/tent.txt' }).click()
      await tray(page).getByRole('button', { name: 'Try failed again' }).click()
      await tray(page).getByText('2 files done').waitFor()
      await tray(page).getByRole('button', { name: 'Clear finished' }).click()
    },
  )
