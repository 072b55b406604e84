import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'

import { photoPainter, painted } from '../fixtures/sample-images.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { temporaryDirectory } from '../support/service-process.ts'
import { worldOf } from '../support/world.ts'
import { accessibilityFindings } from './accessibility.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { keepScreenshot, openVisits, settle, type Visits } from './dashboard-visit.ts'

const executable = findChromium('named transforms in a browser')
const undo = new AsyncDisposableStack()
let service: LocalService
let browser: Browser
let visits: Visits

const photo = 'acme/v1/banners/photo.jpg'
const card = `/${photo}/card.webp`
const ofAll = '# cards of every zone\ncard  w=320 h=240 fit=cover\n'
const ofZone = 'card  w=200 h=100 fit=cover\nthumb  w=96\n'

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory())
  const environment = { SEARCH_BY_NAME_ONLY: 'true' }
  service = undo.use(await openLocalService({ dataDirectory: directory.path, environment }))
  const world = worldOf(service)
  await world.zone('acme')
  const body = await painted({ width: 600, height: 400 }, photoPainter(5)).jpeg().toBuffer()
  await world.put(photo, new Uint8Array(body))
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
  visits = undo.use(openVisits(browser, service.url))
}, 60_000)
afterAll(() => undo.disposeAsync())

const editorOf = (page: Page) => page.getByLabel('Rules in _transforms')

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
}

async function saved(page: Page, text: string): Promise<void> {
  await editorOf(page).fill(text)
  await press(page, 'Save')
  await page.getByRole('status').filter({ hasText: 'Saved.' }).waitFor()
}

/** Width and height of what is there, or the status of a refusal. */
async function sizeAt(path: string): Promise<string> {
  const response = await fetch(`${service.url}${path}`)
  if (!response.ok) return String(response.status)
  const { width, height } = await sharp(await response.bytes()).metadata()
  return `${width} × ${height}`
}

const transformsOf = async (zone?: string) =>
  (await worldOf(service).client.getRules(zone === undefined ? {} : { zone })).Transforms ?? ''

test.skipIf(executable === undefined)(
  'a name is written, refused at its line, tried, saved, explained and used',
  async () => {
    await using visit = await visits.visit()
    const { page, faults } = visit
    await page.goto(`${service.url}/dashboard/rules`)
    await page.getByRole('radio', { name: 'Transforms' }).check({ force: true })
    await editorOf(page).waitFor()
    expect(new URL(page.url()).searchParams.get('file')).toBe('_transforms')

    await editorOf(page).fill('thumb  w=96\ncard  w=0 h=240\n')
    await press(page, 'Check')
    const note = page.locator('.line-notes button')
    expect(await note.first().textContent()).toContain('w')
    expect(await page.locator('.numbered-gutter [data-note="fault"]').textContent()).toBe('2')
    await note.first().click()
    const selected = () =>
      editorOf(page).evaluate((area: HTMLTextAreaElement) =>
        area.value.slice(area.selectionStart, area.selectionEnd),
      )
    expect(await selected()).toBe('card  w=0 h=240')
    await settle(page)
    await keepScreenshot(page, 'transforms-refused-light-1280')
    expect(await accessibilityFindings(page)).toEqual([])

    await editorOf(page).fill(ofAll)
    await press(page, 'Check')
    await page.getByRole('status').filter({ hasText: 'Every line means something.' }).waitFor()
    expect(await transformsOf()).toBe('')
    expect(await sizeAt(card)).toBe('404')

    await saved(page, ofAll)
    expect(await transformsOf()).toBe(ofAll)
    expect(await sizeAt(card)).toBe('320 × 240')
    expect(await sizeAt(`/api/transform?url=/${photo}&t=card&format=webp`)).toBe('320 × 240')

    await page.getByLabel('URL', { exact: true }).fill(card)
    await press(page, 'Explain')
    await page.getByText('card, line 2 of the _transforms of all zones').waitFor()
    await page.getByText('w: 320').waitFor()
    await settle(page)
    await keepScreenshot(page, 'transforms-light-1280')
    expect(await accessibilityFindings(page)).toEqual([])
    expect(faults).toEqual([])
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'the lines of a zone are its own, go before those of all, and are taken back before they are saved',
  async () => {
    await using visit = await visits.visit()
    const { page, faults } = visit
    await page.goto(`${service.url}/dashboard/rules?file=_transforms`)
    await page.getByLabel('Zone').selectOption('acme')
    await editorOf(page).waitFor()
    expect(await editorOf(page).inputValue()).toBe('')

    await editorOf(page).fill('card  w=1\n')
    await press(page, 'Discard changes')
    expect(await editorOf(page).inputValue()).toBe('')

    await saved(page, ofZone)
    expect(await transformsOf('acme')).toBe(ofZone)
    expect(await transformsOf()).toBe(ofAll)
    expect(await sizeAt(card)).toBe('200 × 100')
    expect(await sizeAt(`/${photo}/thumb.webp`)).toBe('96 × 64')

    await page.getByLabel('URL', { exact: true }).fill(card)
    await press(page, 'Explain')
    await page.getByText('card, line 1 of the _transforms of acme').waitFor()

    await page.reload()
    await editorOf(page).waitFor()
    expect(await editorOf(page).inputValue()).toBe(ofZone)
    await saved(page, '')
    expect(await sizeAt(card)).toBe('320 × 240')
    expect(faults).toEqual([])
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'a named transform is chosen, changed, compared by a slider, and saved under another name',
  async () => {
    await using visit = await visits.visit()
    const { page, faults } = visit
    await worldOf(service).client.updateRules({
      body: { File: '_transforms', Zone: 'acme', Content: 'card  w=200 h=100 fit=cover\n' },
    })
    const query = () => new URL(page.url()).searchParams
    await page.goto(`${service.url}/dashboard/zone?zone=acme&tab=transforms`)
    const sample = page.locator('.transform-samples figure').filter({ hasText: 'card' })
    await sample.getByRole('link', { name: 'card' }).waitFor()
    await page.waitForFunction(
      () =>
        document.querySelector<HTMLImageElement>('.transform-samples img')?.naturalWidth === 200,
    )
    await keepScreenshot(page, 'transform-samples-light-1280')
    await sample.getByRole('link', { name: 'card' }).click()
    const names = page.getByLabel('Named transform')
    await names.waitFor()
    await page.waitForFunction(() => document.body.textContent?.includes('200 × 100'))
    expect(await names.inputValue()).toBe('card')
    await page.getByText(/\/api\/transform\?url=\/acme\/v1\/banners\/photo.jpg&t=card/u).waitFor()

    await page.getByRole('textbox', { name: 'Width' }).fill('300')
    await page.waitForFunction(() => !location.search.includes('p=card'))
    expect(Object.fromEntries(query())).toEqual({ asset: photo, w: '300', h: '100', fit: 'cover' })
    await page.getByRole('radio', { name: 'Slider' }).check({ force: true })
    await page.getByRole('slider', { name: 'Where the line is' }).press('ArrowRight')
    await settle(page)
    expect(await accessibilityFindings(page)).toEqual([])
    await keepScreenshot(page, 'transform-slider-light-1280')

    await press(page, 'Save as a named transform')
    const dialog = page.getByRole('dialog', { name: 'Save as a named transform' })
    await dialog.getByLabel('Name').fill('card')
    await dialog.getByText('The zone has a transform card already.').waitFor()
    await dialog.getByLabel('Name').fill('wide-card')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.waitForFunction(() => location.search.includes('p=wide-card'))
    expect(await transformsOf('acme')).toBe(
      'card  w=200 h=100 fit=cover\nwide-card  w=300 h=100 fit=cover\n',
    )
    expect(await sizeAt(`/${photo}/wide-card.webp`)).toBe('300 × 100')
    expect(faults).toEqual([])
  },
  60_000,
)
