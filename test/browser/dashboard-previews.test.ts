import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'

import { photoPainter, painted } from '../fixtures/sample-images.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { temporaryDirectory } from '../support/service-process.ts'
import { worldOf } from '../support/world.ts'
import { accessibilityFindings } from './accessibility.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { keepScreenshot, openVisits, settle, type Visit, type Visits } from './dashboard-visit.ts'

const executable = findChromium('previews in a browser')
const undo = new AsyncDisposableStack()
let service: LocalService
let browser: Browser
let visits: Visits

const photo = 'acme/v1/banners/photo.jpg'

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory())
  const environment = { SEARCH_BY_NAME_ONLY: 'true' }
  service = undo.use(await openLocalService({ dataDirectory: directory.path, environment }))
  const world = worldOf(service)
  await world.zone('acme')
  const body = await painted({ width: 600, height: 400 }, photoPainter(3)).jpeg().toBuffer()
  await world.put(photo, new Uint8Array(body))
  await world.put('acme/v1/titles/notes.txt', 'first')
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

const textAt = async (path: string) => (await fetch(`${service.url}${path}`)).text()

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

onPage(
  'a preview is created by keyboard, and its settings hold',
  'previews?zone=acme',
  async ({ page }) => {
    await page.getByRole('heading', { name: 'There is no preview' }).waitFor()
    await page.getByRole('button', { name: 'Create a preview' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Create a preview of acme' })
    await page.keyboard.type('Spring')
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Name').fill('spring')
    await dialog.getByText('/@~spring/acme/v1/…').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'spring', level: 2 }).waitFor()
    await page.getByRole('heading', { name: 'It is still what it was made of' }).waitFor()
    expect(await textAt('/@~spring/acme/v1/titles/notes.txt')).toBe('first')
    await page.getByRole('button', { name: 'Settings' }).click()
    const settings = page.getByRole('dialog', { name: 'Settings of spring' })
    await settings.getByLabel('Require a signed URL').check()
    await settings.getByRole('button', { name: 'Save' }).click()
    await page.getByText('whoever has a signed URL').waitFor()
    expect(await worldOf(service).client.getPreview({ id: 'acme', name: 'spring' })).toMatchObject({
      Signed: true,
    })
  },
)

onPage(
  'a preview begins with a moment that was chosen, and says how live has moved on',
  'history?zone=acme',
  async ({ page }) => {
    await page.getByRole('link', { name: 'Preview from here' }).nth(1).click()
    const dialog = page.getByRole('dialog', { name: 'Create a preview of acme' })
    await dialog.getByText('the commit').waitFor()
    await dialog.getByLabel('Name').fill('before-notes')
    await dialog.getByRole('button', { name: 'Create the preview' }).click()
    await page.getByText('One file that is live is other').waitFor()
    await page.getByRole('link', { name: 'See which' }).click()
    await page.getByRole('button', { name: 'titles/notes.txt' }).waitFor()
  },
)

onPage(
  'a preview is deleted once its name is typed, and one that is gone says so',
  'previews?zone=acme',
  async ({ page }) => {
    await worldOf(service).client.createPreview({ id: 'acme', body: { Name: 'doomed' } })
    await page.reload()
    await page.getByRole('link', { name: 'doomed' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete doomed' })
    await dialog.getByLabel('Type doomed to confirm').fill('doomed')
    await page.keyboard.press('Enter')
    await page.getByText('The preview doomed is deleted.').waitFor()
    await page.getByRole('link', { name: 'doomed' }).waitFor({ state: 'detached' })
    await open(page, 'previews?zone=acme&preview=doomed')
    await page.getByRole('heading', { name: 'There is no preview doomed' }).waitFor()
    await page.getByRole('button', { name: 'Show all previews' }).click()
    await page.getByRole('list', { name: 'Previews' }).waitFor()
  },
)

onPage(
  'files that are dropped into a preview are seen there alone, beside what is live',
  'previews?zone=acme',
  async ({ page }) => {
    await worldOf(service).client.createPreview({ id: 'acme', body: { Name: 'dropped' } })
    await open(page, 'previews?zone=acme&preview=dropped')
    const choose = async (name: string, mimeType: string, buffer: Buffer) =>
      page.getByLabel('Choose files').setInputFiles({ name, mimeType, buffer })
    await page.getByLabel('Folder', { exact: true }).fill('titles')
    await choose('notes.txt', 'text/plain', Buffer.from('of the preview'))
    await page.getByText('1 of 1 file in the preview').waitFor()
    await page.getByRole('button', { name: 'titles/notes.txt' }).waitFor()
    await page.getByLabel('Folder', { exact: true }).fill('banners')
    const other = await painted({ width: 600, height: 400 }, photoPainter(9)).jpeg().toBuffer()
    await choose('photo.jpg', 'image/jpeg', other)
    const file = page.getByRole('button', { name: 'banners/photo.jpg' })
    await file.waitFor()
    await page.getByText('2 changed').waitFor()
    expect(await textAt('/@~dropped/acme/v1/titles/notes.txt')).toBe('of the preview')
    expect(await textAt('/acme/v1/titles/notes.txt')).toBe('first')
    await file.click()
    const dialog = page.getByRole('dialog', { name: 'photo.jpg' })
    await dialog.getByText('Slider').click()
    await dialog.getByRole('slider').waitFor()
    await page.waitForLoadState('networkidle')
    const broken = await page.evaluate(
      () =>
        [...document.images].filter(({ complete, naturalWidth }) => complete && naturalWidth === 0)
          .length,
    )
    expect(broken).toBe(0)
    await keepScreenshot(page, 'preview-file-light-1280')
    await page.keyboard.press('Escape')
    await keepScreenshot(page, 'preview-changes-light-1280')
  },
)

/** Writes to a preview as any client does. */
const putInto = async (preview: string, path: string, body: string) =>
  worldOf(service).client.putFile({ path, body }, { headers: { 'Sedge-Preview': preview } })

onPage(
  'a preview is promoted after a dry run, taken back, and ends with its last promotion',
  'previews?zone=acme',
  async ({ page }) => {
    const path = 'acme/v1/titles/promoted.txt'
    const { client } = worldOf(service)
    await client.createPreview({ id: 'acme', body: { Name: 'ready' } })
    await putInto('ready', path, 'of the preview')
    await putInto('ready', 'acme/v1/logos/other.txt', 'not yet')
    await open(page, 'previews?zone=acme&preview=ready')
    await page.getByText('2 added').waitFor()
    await page.getByRole('button', { name: 'Promote…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Promote ready' })
    await dialog.getByText('2 added').waitFor()
    expect((await fetch(`${service.url}/${path}`)).status).toBe(404)
    await dialog.getByLabel('Only in').fill('titles')
    await dialog.getByText('1 added').waitFor()
    await dialog.getByRole('button', { name: 'Make it live: 1 file' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await textAt(`/${path}`)).toBe('of the preview')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('acme is as it was before.').waitFor()
    expect((await fetch(`${service.url}/${path}`)).status).toBe(404)
    await page.getByRole('button', { name: 'Promote…' }).click()
    await dialog.getByLabel('Only in').fill('logos')
    await dialog.getByText('1 added').waitFor()
    await dialog.getByLabel('Delete the preview once it is live').check()
    await dialog.getByRole('button', { name: 'Make it live: 1 file' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page
      .getByRole('list', { name: 'Previews' })
      .or(page.getByText('There is no preview'))
      .waitFor()
    expect(await textAt('/acme/v1/logos/other.txt')).toBe('not yet')
    expect(await page.getByRole('link', { name: 'ready' }).count()).toBe(0)
  },
)

onPage(
  'conflicts are told path by path with every side, and live comes into a preview',
  'previews?zone=acme',
  async ({ page }) => {
    const { client } = worldOf(service)
    const path = 'acme/v1/titles/both.txt'
    await worldOf(service).put(path, 'begun')
    await client.createPreview({ id: 'acme', body: { Name: 'behind' } })
    await putInto('behind', path, 'of the preview')
    await worldOf(service).put(path, 'live')
    await worldOf(service).put('acme/v1/titles/newer.txt', 'newer')
    await open(page, 'previews?zone=acme&preview=behind')
    await page.getByText('1 in conflict').waitFor()
    await page.getByText('2 files that are live are other').waitFor()
    await page.getByRole('button', { name: 'Promote…' }).click()
    const promote = page.getByRole('dialog', { name: 'Promote behind' })
    await promote.getByRole('alert').getByText('One file was changed').waitFor()
    const conflicts = promote.getByRole('region', { name: 'Conflicts' })
    await conflicts.getByText('titles/both.txt').waitFor()
    for (const side of ['Begun with', 'Live', 'Preview'])
      await conflicts.getByText(side, { exact: true }).waitFor()
    expect(await promote.getByRole('button', { name: /^Make it live/u }).isDisabled()).toBe(true)
    await keepScreenshot(page, 'preview-conflict-light-1280')
    expect(await accessibilityFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
    // What is to be is written into the preview.
    await putInto('behind', path, 'live')
    await page.reload()
    await page.getByRole('button', { name: 'Update…' }).click()
    const update = page.getByRole('dialog', { name: 'Update behind' })
    await update.getByText('1 added').waitFor()
    await update.getByRole('button', { name: 'Update the preview' }).click()
    await page.getByText('behind has what is live by now.').waitFor()
    expect(await textAt('/@~behind/acme/v1/titles/newer.txt')).toBe('newer')
    await page.getByText('files that are live are other').waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'It is still what it was made of' }).waitFor()
  },
)
