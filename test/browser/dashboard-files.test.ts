import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'

import { type LocalService, openLocalService } from '../support/local-service.ts'
import { temporaryDirectory } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { type World, worldOf } from '../support/world.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { type Look, openVisits, settle, type Visits } from './dashboard-visit.ts'

const executable = findChromium('the file manager of the dashboard in a browser')
const undo = new AsyncDisposableStack()
let service: LocalService
let browser: Browser
let visits: Visits
let world: World

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory())
  service = undo.use(
    await openLocalService({
      dataDirectory: directory.path,
      environment: { SEARCH_BY_NAME_ONLY: 'true' },
    }),
  )
  world = worldOf(service)
  for (const zone of ['acme', 'harbour']) await world.zone(zone)
  await furnish()
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
  visits = undo.use(openVisits(browser, service.url))
}, 60_000)
afterAll(() => undo.disposeAsync())

const folder = 'acme/v1/campaigns'

async function furnish(): Promise<void> {
  for (const [index, name] of ['tent', 'lake', 'fire', 'boat', 'pier'].entries())
    await world.put(`${folder}/2026/${name}.png`, await image(200 + index * 40, index))
  for (let index = 0; index < 12; index += 1)
    await world.put(`${folder}/notes/note-${String(index).padStart(2, '0')}.txt`, `note ${index}`)
  await world.put(`${folder}/brief.txt`, 'of all campaigns')
  await world.put('harbour/v1/logos/anchor.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>')
}

const image = async (width: number, hue: number): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(
    await sharp({
      create: {
        width,
        height: 120,
        channels: 3,
        background: { r: 40 * hue, g: 120, b: 200 - 30 * hue },
      },
    })
      .png()
      .toBuffer(),
  )

async function open(page: Page, query: string): Promise<void> {
  await page.goto(`${service.url}/dashboard/assets?${query}`)
  await page.getByRole('heading', { name: 'Assets', level: 1 }).waitFor()
  await settle(page)
}

/** A test on the page, with what must be as it was when it is over. */
const onPage = (
  name: string,
  { query, look }: { readonly query: string; readonly look?: Look },
  check: (page: Page) => Promise<void>,
) =>
  test.skipIf(executable === undefined)(
    name,
    async () => {
      await using visit = await visits.visit(look)
      await open(visit.page, query)
      await check(visit.page)
      expect(visit.faults).toEqual([])
    },
    60_000,
  )

const pathsIn = async (path: string): Promise<readonly string[]> => {
  const { Data } = await world.client.listAssets({ folder: path, sort: 'path', per_page: 200 })
  return Data.map(({ Path }) => Path.slice(path.length + 1))
}

const item = (page: Page, name: string) => page.locator(`[data-path$="/${name}"]`)
const status = (page: Page, text: string | RegExp) =>
  page.getByRole('status').filter({ hasText: text }).first().waitFor()

onPage('folders lead into one another, by tree, cards and crumbs', { query: '' }, async (page) => {
  const tree = page.getByRole('tree', { name: 'Folders' })
  await tree.getByRole('treeitem', { name: /^acme/u }).click()
  await page.getByRole('list', { name: 'Folders' }).getByText('campaigns').click()
  await status(page, '1 asset')
  expect(new URL(page.url()).searchParams.get('folder')).toBe(folder)
  await tree.getByRole('treeitem', { name: /^2026/u }).click()
  await status(page, '5 assets')
  const crumbs = page.getByRole('navigation', { name: 'Folder', exact: true })
  expect(await crumbs.getByRole('button').allTextContents()).toEqual([
    'All assets',
    'acme',
    'campaigns',
    '2026',
  ])
  await crumbs.getByRole('button', { name: 'campaigns' }).click()
  await page.getByLabel('Include subfolders').check()
  await status(page, '18 assets')
})

onPage(
  'columns sort, and the page remembers how',
  { query: `folder=${folder}/2026` },
  async (page) => {
    await page.getByText('List', { exact: true }).click()
    await until(async () => (await world.client.listAssets({ q: 'boat' })).Data[0]?.Width !== null)
    const grid = page.getByRole('grid', { name: 'Assets' })
    const head = grid.getByRole('columnheader', { name: 'Dimensions' })
    await head.getByRole('button').click()
    await grid.getByText('360 × 120').waitFor()
    expect(await head.getAttribute('aria-sort')).toBe('ascending')
    const names = () => grid.locator('.asset-body .asset-name').allTextContents()
    expect((await names())[0]).toBe('tent.png')
    await head.getByRole('button').click()
    await until(async () => (await names())[0] === 'pier.png')
    expect(await head.getAttribute('aria-sort')).toBe('descending')
    await page.getByRole('button', { name: 'Compact' }).click()
    await open(page, `folder=${folder}/2026`)
    expect((await names())[0]).toBe('pier.png')
    expect(await page.locator('.is-compact').count()).toBe(1)
  },
)

onPage(
  'many are selected by mouse, and by a band',
  { query: `folder=${folder}/notes&sort=name&order=asc` },
  async (page) => {
    await page.getByRole('checkbox', { name: 'Select note-01.txt' }).click()
    await status(page, '1 selected')
    await item(page, 'note-04.txt').click({ modifiers: ['Shift'] })
    await status(page, '4 selected')
    await item(page, 'note-02.txt').click({ modifiers: ['ControlOrMeta'] })
    await status(page, '3 selected')
    await page.keyboard.press('Escape')
    await status(page, '12 assets')
    const scroller = await page.locator('.asset-scroller').boundingBox()
    const card = await item(page, 'note-01.txt').boundingBox()
    if (scroller === null || card === null) throw new Error('nothing is shown')
    // From below all cards up into the second.
    await page.mouse.move(card.x + card.width + 6, scroller.y + scroller.height - 20)
    await page.mouse.down()
    await page.mouse.move(card.x + 20, card.y + 40, { steps: 4 })
    await page.mouse.up()
    await page.locator('.asset-grid li.is-selected').first().waitFor()
    expect(await item(page, 'note-01.txt').locator('..').getAttribute('class')).toBe('is-selected')
  },
)

onPage(
  'the keyboard alone selects, tags, undoes and moves',
  { query: `folder=${folder}/notes&sort=name&order=asc` },
  async (page) => {
    await item(page, 'note-00.txt').focus()
    await page.keyboard.press('Space')
    await status(page, '1 selected')
    await page.keyboard.press('Shift+ArrowRight')
    await status(page, '2 selected')
    await page.getByRole('button', { name: 'Tag', exact: true }).press('Enter')
    await page.keyboard.type('spring, draft')
    await page.keyboard.press('Enter')
    await page.getByText('Tags of 2 assets changed.').waitFor()
    const tagged = async () =>
      (await world.client.listAssets({ folder, tag: 'spring' })).Pagination.TotalItems
    expect(await tagged()).toBe(2)
    await page.getByRole('button', { name: 'Undo' }).press('Enter')
    await page.getByText('Undone.').waitFor()
    expect(await tagged()).toBe(0)
    await page.getByRole('button', { name: 'Move', exact: true }).press('Enter')
    await page.getByRole('dialog').getByLabel('New folder in it').fill('kept')
    await page.keyboard.press('Enter')
    await page.getByText('2 assets moved to acme / campaigns / notes / kept.').waitFor()
    expect(await pathsIn(`${folder}/notes/kept`)).toEqual(['note-00.txt', 'note-01.txt'])
    await page.getByRole('button', { name: 'Undo' }).press('Enter')
    await until(async () => (await pathsIn(`${folder}/notes`)).includes('note-00.txt'))
  },
)

onPage(
  'all of a folder goes at once, but for what is left out, and comes back',
  { query: `folder=${folder}/notes&sort=name&order=asc` },
  async (page) => {
    await page.keyboard.press('ControlOrMeta+a')
    await status(page, '12 selected')
    await item(page, 'note-03.txt').click({ modifiers: ['ControlOrMeta'] })
    await status(page, '11 selected')
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('11 assets deleted.').waitFor()
    expect(await pathsIn(`${folder}/notes`)).toEqual(['note-03.txt'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await until(async () => (await pathsIn(`${folder}/notes`)).length === 12)
  },
)

onPage(
  'a selection is fetched as one file, and described',
  { query: `folder=${folder}/2026` },
  async (page) => {
    await page.keyboard.press('ControlOrMeta+a')
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    expect((await saved).suggestedFilename()).toBe('2026.zip')
    await page.getByRole('button', { name: 'Describe' }).click()
    await page.getByRole('dialog').getByLabel('Copyright').fill('Acme 2026')
    await page.keyboard.press('Enter')
    await page.getByText('5 assets described.').waitFor()
    const { Metadata } = await world.client.getAssetMetadata({ path: `${folder}/2026/tent.png` })
    expect(Metadata.Copyright).toBe('Acme 2026')
  },
)

onPage(
  'a name is changed in its place, with a redirect where one wants it',
  { query: `folder=${folder}` },
  async (page) => {
    await item(page, 'brief.txt').focus()
    await page.keyboard.press('F2')
    await page.keyboard.type('summary')
    await page.getByLabel('Redirect the old URL').check()
    await page.getByLabel('New name of brief.txt').press('Enter')
    await page.getByText('brief.txt is now summary.txt.').waitFor()
    const old = await fetch(`${service.url}/${folder}/brief.txt`, { redirect: 'manual' })
    expect(old.headers.get('location')).toContain('summary.txt')
    await item(page, 'summary.txt').locator('.asset-name').dblclick()
    await page.getByLabel('New name of summary.txt').press('Escape')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await item(page, 'brief.txt').waitFor()
  },
)

onPage('what is dragged onto a folder goes there', { query: `folder=${folder}` }, async (page) => {
  const target = page.getByRole('tree').getByRole('treeitem', { name: /^2026/u })
  await item(page, 'brief.txt').dragTo(target)
  await page.getByText('1 asset moved to acme / campaigns / 2026.').waitFor()
  expect(await pathsIn(`${folder}/2026`)).toContain('brief.txt')
  await page.getByRole('button', { name: 'Undo' }).click()
  await item(page, 'brief.txt').waitFor()
})

onPage(
  'a view has a name, and an address that says all of it',
  { query: `folder=${folder}/2026&sort=size&order=desc` },
  async (page) => {
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByLabel('Save this view as').fill('Large of 2026')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const link = page.getByRole('link', { name: 'Large of 2026' })
    const query = new URL((await link.getAttribute('href')) ?? '', service.url).searchParams
    expect(Object.fromEntries(query)).toEqual({
      folder: `${folder}/2026`,
      sort: 'size',
      order: 'desc',
      view: 'grid',
      density: 'roomy',
    })
  },
)
