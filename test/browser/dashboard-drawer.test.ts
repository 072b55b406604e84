import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'

import { type LocalService, openLocalService } from '../support/local-service.ts'
import { access, temporaryDirectory } from '../support/service-process.ts'
import { worldOf } from '../support/world.ts'
import { accessibilityFindings } from './accessibility.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { keepScreenshot, type Look, openVisits, settle, type Visits } from './dashboard-visit.ts'

const executable = findChromium('the drawer of an asset in a browser')
const undo = new AsyncDisposableStack()
let service: LocalService
let browser: Browser
let visits: Visits

const many = 203
const numbered = (index: number): string => `n-${String(index).padStart(3, '0')}.txt`
const tent = 'acme/v1/campaigns/tent.png'

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
  await world.zone('acme')
  for (const hue of [20, 200]) await world.put(tent, await image(hue))
  await world.put('acme/v1/campaigns/lake.png', await image(90))
  await world.put('acme/v1/private/plan.txt', 'secret')
  await putMany()
  for (let visit = 0; visit < 3; visit += 1)
    await fetch(`${service.url}/${tent}`, { headers: { Referer: 'https://www.example.org/page' } })
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
  visits = undo.use(openVisits(browser, service.url))
}, 60_000)
afterAll(() => undo.disposeAsync())

const image = async (hue: number): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(
    await sharp({
      create: { width: 320, height: 200, channels: 3, background: { r: hue, g: 120, b: 80 } },
    })
      .png()
      .toBuffer(),
  )

async function putMany(): Promise<void> {
  const files = Array.from({ length: many }, (_, index) => ({
    path: `clients/acme/v1/many/${numbered(index)}`,
    content: btoa(`number ${index}`),
  }))
  for (let start = 0; start < many; start += 50)
    await fetch(`${service.url}/api/storage/batch`, {
      method: 'POST',
      headers: { ...access, 'Content-Type': 'application/json' },
      body: JSON.stringify({ files: files.slice(start, start + 50) }),
    })
}

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
      await page.goto(`${service.url}/dashboard/assets?${address}`)
      await settle(page)
      await check(page)
      expect(faults).toEqual([])
    },
    60_000,
  )

/** The one above all others. */
const top = (page: Page) => page.locator('dialog[open]').last()

async function act(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: 'Actions', exact: true }).click()
  await page.getByRole('group', { name: 'Actions' }).getByText(action, { exact: true }).click()
}

onPage(
  'arrows and buttons lead through the list in its order, and on where no page of it was read yet',
  { address: `folder=acme/v1/many&sort=name&order=asc&asset=acme/v1/many/${numbered(198)}` },
  async (page) => {
    const title = (index: number) => page.getByRole('dialog', { name: numbered(index) })
    await title(198).getByText('199 of 203').waitFor()
    await page.keyboard.press('ArrowRight')
    await title(199).getByText('200 of 203').waitFor()
    await page.keyboard.press('ArrowRight')
    await title(200).getByText('201 of 203').waitFor()
    await page.getByRole('button', { name: 'The next asset' }).click()
    await title(201).waitFor()
    await page.keyboard.press('ArrowRight')
    await title(202).getByText('203 of 203').waitFor()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('button', { name: 'The asset before' }).press('Enter')
    await title(201).waitFor()
    expect(new URL(page.url()).searchParams.get('sort')).toBe('name')
    expect(await accessibilityFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').first().waitFor({ state: 'detached' })
  },
)

onPage('what an asset is is said in a form', { address: `asset=${tent}` }, async (page) => {
  await page.getByText('Nothing is said of it yet.').waitFor()
  await page.getByRole('button', { name: 'Describe', exact: true }).press('Enter')
  const form = page.getByRole('dialog', { name: 'Describe tent.png' })
  expect(await form.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  await page.keyboard.type('A tent')
  await form.getByLabel('Alternative text (en)').fill('A tent by a lake')
  await form.getByLabel('Another language').fill('de')
  await form.getByRole('button', { name: 'Add' }).click()
  await form.getByLabel('Alternative text (de)').fill('Ein Zelt')
  await form.getByLabel('Tags').fill('lake, tent')
  await form.getByLabel('Expires').fill('2030-05-01')
  expect(await accessibilityFindings(page)).toEqual([])
  await keepScreenshot(page, 'drawer-describe-light-1280')
  await form.getByLabel('Title').press('Enter')
  await page.getByText('tent.png is described.').waitFor()
  await page.getByRole('dialog', { name: 'tent.png', exact: true }).getByText('Ein Zelt').waitFor()
  const response = await fetch(`${service.url}/api/assets/metadata?path=${tent}`, {
    headers: access,
  })
  expect(await response.json()).toMatchObject({
    Metadata: {
      Title: 'A tent',
      Alt: { en: 'A tent by a lake', de: 'Ein Zelt' },
      Tags: ['lake', 'tent'],
      Expires: '2030-05-01T00:00:00.000Z',
    },
  })
})

onPage(
  'a signed URL with a lifetime is made of a private file',
  { address: 'asset=acme/v1/private/plan.txt' },
  async (page) => {
    await page.getByRole('button', { name: 'Actions', exact: true }).press('Enter')
    await page.getByRole('group', { name: 'Actions' }).waitFor()
    await keepScreenshot(page, 'drawer-menu-light-1280')
    expect(await accessibilityFindings(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Signed URL' })
    await dialog.getByLabel('Lifetime').selectOption('1 day')
    await dialog.getByRole('button', { name: 'Make the URL' }).press('Enter')
    await dialog.getByText(/^Good until/u).waitFor()
    const url = (await dialog.locator('code').textContent()) ?? ''
    expect(await (await fetch(url)).text()).toBe('secret')
    expect(await accessibilityFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'plan.txt' }).waitFor()
  },
)

onPage(
  'the traffic of an asset says how much, when and from where',
  { address: `asset=${tent}` },
  async (page) => {
    const drawer = page.getByRole('dialog', { name: 'tent.png' })
    await drawer.getByText('3 requests', { exact: true }).waitFor()
    await drawer.getByRole('img', { name: 'Requests by day, at most 3' }).waitFor()
    await drawer.getByText('www.example.org').waitFor()
    await drawer.getByRole('button', { name: '7 days' }).press('Enter')
    await drawer.getByText('in 7 days').waitFor()
    await drawer.getByRole('link', { name: 'Its requests in the log' }).click()
    await page.getByRole('heading', { name: 'Logs', level: 1 }).waitFor()
    await page.getByText(`/${tent}`).first().waitFor()
  },
)

onPage(
  'versions of an image are laid on one another with a line that is drawn between them',
  { address: `asset=${tent}` },
  async (page) => {
    const versions = page.locator('.versions > li')
    await versions.nth(1).getByRole('button', { name: 'Compare' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Compare versions' })
    const line = dialog.getByRole('slider', { name: 'Where the line is' })
    await line.press('ArrowRight')
    expect(await line.getAttribute('aria-valuetext')).toBe('51 %')
    await settle(page)
    expect(await dialog.getByRole('img').count()).toBe(2)
    expect(await accessibilityFindings(page)).toEqual([])
    await keepScreenshot(page, 'drawer-compare-light-1280')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'tent.png' }).waitFor()
    // Once it is brought back, one is current and the other has the same bytes.
    await versions.nth(1).getByRole('button', { name: 'Restore' }).click()
    await page.getByText('same bytes').waitFor()
    expect(await page.getByText('current', { exact: true }).count()).toBe(1)
  },
)

onPage(
  'an asset is purged, renamed and brought back, copied and moved from one menu',
  { address: 'asset=acme/v1/campaigns/lake.png' },
  async (page) => {
    await act(page, 'Purge')
    await page.getByText('lake.png is purged from every edge.').waitFor()
    await act(page, 'Rename…')
    await top(page).getByLabel('New name').fill('water.png')
    await page.keyboard.press('Enter')
    await page.getByText('lake.png is now water.png.').waitFor()
    await page.getByRole('dialog', { name: 'water.png' }).waitFor()
    expect((await fetch(`${service.url}/acme/v1/campaigns/water.png`)).status).toBe(200)
    await act(page, 'Copy to…')
    await top(page).getByLabel('New folder in it').fill('copies')
    await page.keyboard.press('Enter')
    await page.getByText('water.png copied to acme / campaigns / copies.').waitFor()
    await act(page, 'Move…')
    await top(page).getByLabel('New folder in it').fill('moved')
    await page.keyboard.press('Enter')
    await page.getByText('water.png moved to acme / campaigns / moved.').waitFor()
    await page.getByRole('dialog').first().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page.getByText('Undone.').waitFor()
    expect((await fetch(`${service.url}/acme/v1/campaigns/water.png`)).status).toBe(200)
  },
)

const card = (page: Page, name: string) =>
  page
    .getByRole('list', { name: 'Folders' })
    .getByRole('button', { name: new RegExp(`^${name}`, 'u') })

onPage(
  'folders are chosen, renamed, moved and deleted with all that is in them, and come back',
  { address: 'folder=acme/v1' },
  async (page) => {
    const bar = page.getByRole('region', { name: 'Selected assets' })
    await card(page, 'many').focus()
    await page.keyboard.press('Space')
    await bar.getByText('1 selected').waitFor()
    await bar.getByRole('button', { name: 'Rename' }).press('Enter')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('several')
    await page.keyboard.press('Enter')
    await page.getByText('many is now several.').waitFor()
    await card(page, 'several').getByText('203').waitFor()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await card(page, 'many').getByText('203').waitFor()

    // By F2 alone, too; and by its box.
    await card(page, 'many').press('F2')
    await page.getByRole('dialog', { name: 'Rename many' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByLabel('Select the folder many').check()
    await page.getByLabel('Select the folder campaigns').check()
    await bar.getByText('2 selected').waitFor()
    expect(await bar.getByRole('button', { name: 'Describe' }).isDisabled()).toBe(true)
    expect(await accessibilityFindings(page)).toEqual([])
    await keepScreenshot(page, 'drawer-folders-light-1280')
    await bar.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('2 folders deleted.').waitFor()
    await card(page, 'campaigns').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await card(page, 'campaigns').waitFor()

    await page.getByLabel('Select the folder many').check()
    await bar.getByRole('button', { name: 'Tag' }).click()
    await page.getByRole('dialog', { name: 'Tag 1 folder' }).getByLabel('Tags').fill('counted')
    await page.keyboard.press('Enter')
    await page.getByText('Tags of 203 assets changed.').waitFor()
  },
)

onPage('everything is chosen where nothing narrows the list', { address: '' }, async (page) => {
  await page.getByText(/^20\d assets$/u).waitFor()
  const shown = Number.parseInt((await page.locator('.asset-count').textContent()) ?? '', 10)
  await page.keyboard.press('ControlOrMeta+a')
  const prepared = page.waitForResponse((response) => response.url().endsWith('/assets/archive'))
  await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(await (await prepared).json()).toMatchObject({ Files: shown })
})

const looks: readonly Look[] = [
  { scheme: 'dark', width: 1440 },
  { scheme: 'light', width: 390 },
  { scheme: 'dark', width: 2560 },
]

for (const look of looks)
  onPage(
    `the drawer fits the screen, ${look.scheme} and ${look.width} wide`,
    { address: `folder=acme/v1/campaigns&asset=${tent}`, look },
    async (page) => {
      await page.getByText('3 requests', { exact: true }).waitFor()
      expect(await accessibilityFindings(page)).toEqual([])
      await keepScreenshot(page, `drawer-${look.scheme}-${look.width}`)
      await page.getByRole('heading', { name: 'Traffic' }).scrollIntoViewIfNeeded()
      await keepScreenshot(page, `drawer-traffic-${look.scheme}-${look.width}`)
    },
  )
