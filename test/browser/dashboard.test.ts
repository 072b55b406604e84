import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'

import { photoPainter, painted } from '../fixtures/sample-images.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { access, temporaryDirectory, testKeys } from '../support/service-process.ts'
import { worldOf } from '../support/world.ts'
import { accessibilityFindings } from './accessibility.ts'
import { findChromium, launchChromium } from './chromium.ts'
import {
  keepScreenshot,
  openVisits,
  settle,
  visitDashboard,
  type Visits,
} from './dashboard-visit.ts'

const executable = findChromium('the dashboard in a browser')
const undo = new AsyncDisposableStack()
let service: LocalService
let browser: Browser
let visits: Visits

/** A name that is markup, a text that is a script: whoever shows them must show them as text. */
const hostileName = '<img src=x onerror=alert(1)>.svg'
const hostileSvg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="alert(2)"><script>alert(3)</script></svg>'

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
  for (const name of ['acme', 'harbour']) await world.zone(name)
  const photo = await painted({ width: 900, height: 600 }, photoPainter(3)).jpeg().toBuffer()
  await world.put('acme/v1/banners/photo.jpg', new Uint8Array(photo))
  await world.put('acme/v1/titles/notes.txt', 'first')
  await world.put('acme/v1/titles/notes.txt', 'second')
  await world.put('acme/v1/private/plan.pdf', '%PDF-1.4')
  await world.put(`acme/v1/logos/${hostileName}`, hostileSvg)
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
  visits = undo.use(openVisits(browser, service.url))
}, 60_000)
afterAll(() => undo.disposeAsync())

const open = async (page: Page, address: string): Promise<void> => {
  await page.goto(`${service.url}/dashboard/${address}`)
  await page.getByRole('heading').first().waitFor()
  await settle(page)
}

test.skipIf(executable === undefined)(
  'the first load is at most 150 KB of compressed script, and comes again from the cache',
  async () => {
    await using visit = await visitDashboard(browser, service.url)
    const { page } = visit
    const first = await page.evaluate<readonly LoadedScript[]>(firstScripts)
    const bytes = first.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
    console.log(`first load: ${(bytes / 1000).toFixed(1)} KB of compressed script`)
    expect(bytes).toBeGreaterThan(0)
    expect(bytes).toBeLessThanOrEqual(150_000)
    await page.addInitScript(watchInteractive)
    await page.reload()
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    const known = new Set(first.map(({ name }) => name))
    const again = await page.evaluate<readonly LoadedScript[]>(firstScripts)
    const sent = again.filter(({ name, transferSize }) => known.has(name) && transferSize > 0)
    expect(sent).toEqual([])
    await page.waitForFunction('window.interactiveAt !== undefined')
    const ms = await page.evaluate<number>('window.interactiveAt')
    console.log(`interactive on reload: ${ms.toFixed(0)} ms`)
  },
  60_000,
)

interface LoadedScript {
  readonly name: string
  readonly encodedBodySize: number
  readonly transferSize: number
}

/** What was fetched before the pages that nobody asked for yet. */
const firstScripts = `(() => {
    const [idle] = performance.getEntriesByName('sedge-idle')
    return performance.getEntriesByType('resource').filter(
      ({ name, startTime }) => name.endsWith('.js') && startTime < (idle?.startTime ?? Infinity),
    ).map(({ name, encodedBodySize, transferSize }) => ({ name, encodedBodySize, transferSize }))
  })()`

/** Notes the first frame in which the page has its heading and takes a click. */
const watchInteractive = `
  const look = () => {
    const heading = document.querySelector('main h1')
    const { left, top } = heading?.getBoundingClientRect() ?? {}
    const isShown = heading !== null && heading.contains(document.elementFromPoint(left + 1, top + 1))
    if (isShown) window.interactiveAt = performance.now()
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)`

test.skipIf(executable === undefined)(
  'a file is uploaded, becomes live, is replaced, brought back, deleted, and brought back again',
  async () => {
    await using visit = await visits.visit()
    const { page, faults } = visit
    await open(page, 'upload?zone=acme')
    const choose = async (name: string, text: string) =>
      page
        .getByLabel('Choose files')
        .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
    await page.getByLabel('Folder', { exact: true }).fill('titles/2026')
    await choose('journey.txt', 'first words')
    const uploads = page.getByRole('table', { name: 'Uploads' })
    await uploads.getByText('Live', { exact: true }).waitFor()
    await choose('journey.txt', 'first words')
    await uploads.getByText('There already').waitFor()
    await choose('journey.txt', 'other words')
    await uploads.getByText('Stored with other content').waitFor()
    await keepScreenshot(page, 'upload-conflict-light-1280')
    expect(await accessibilityFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Replace all' }).click()
    await page.getByText('3 files done').waitFor()

    const delivered = async () =>
      (await fetch(`${service.url}/acme/v1/titles/2026/journey.txt`)).text()
    expect(await delivered()).toBe('other words')
    await open(page, 'assets?asset=acme/v1/titles/2026/journey.txt')
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('The version is back').waitFor()
    expect(await delivered()).toBe('first words')
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('journey.txt is deleted.').waitFor()
    expect((await fetch(`${service.url}/acme/v1/titles/2026/journey.txt`)).status).toBe(404)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('journey.txt is back.').waitFor()
    expect(await delivered()).toBe('first words')
    expect(faults).toEqual([])
  },
  90_000,
)

test.skipIf(executable === undefined)(
  'a transform is built by its controls, and its URL makes the very image that was shown',
  async () => {
    await using visit = await visits.visit()
    const { page, faults } = visit
    await open(page, 'transform?asset=acme/v1/banners/photo.jpg')
    await page.getByLabel('Width', { exact: true }).fill('300')
    await page.getByLabel('Height', { exact: true }).fill('100')
    await page.getByLabel('Fit', { exact: true }).selectOption('cover')
    await page.getByLabel('Format', { exact: true }).selectOption('webp')
    await page.getByText('More', { exact: true }).click()
    await page.getByLabel('Mirror', { exact: true }).selectOption('h')
    await page.locator('pre').filter({ hasText: 'flip=h' }).waitFor()
    await page.getByText(/300 × 100, WEBP/u).waitFor()
    const url = (await page.locator('pre').textContent()) ?? ''
    const image = await fetch(url)
    expect(image.headers.get('content-type')).toBe('image/webp')
    const { width, height } = await sharp(await image.arrayBuffer()).metadata()
    expect([width, height]).toEqual([300, 100])
    await page.getByLabel('Width', { exact: true }).fill('9999')
    await page.getByRole('alert').waitFor()
    expect(faults).toEqual([])
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'the focal point is set with the keyboard alone',
  async () => {
    await using visit = await visits.visit()
    const { page } = visit
    await open(page, 'assets?asset=acme/v1/banners/photo.jpg')
    await page.getByRole('button', { name: 'Set the focal point' }).press('Enter')
    const point = page.getByRole('button', { name: /^Focal point/u })
    for (let presses = 0; presses < 5; presses += 1) await point.press('ArrowRight')
    await page.getByRole('button', { name: /60 percent from the left/u }).waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
    await keepScreenshot(page, 'focal-point-light-1280')
    await page.getByRole('button', { name: 'Keep' }).press('Enter')
    await page.getByText('The focal point is kept.').waitFor()
    const metadata = await fetch(
      `${service.url}/api/assets/metadata?path=acme/v1/banners/photo.jpg`,
      { headers: access },
    )
    expect(await metadata.json()).toMatchObject({ FocalPoint: { x: 0.6, y: 0.5 } })
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'a session that ends in the middle of work loses nothing typed',
  async () => {
    await using visit = await visitDashboard(browser, service.url)
    const { page, context, faults } = visit
    await open(page, 'upload?zone=acme')
    await page.getByLabel('Folder', { exact: true }).fill('titles/half-typed')
    await context.clearCookies()
    await page.getByLabel('Choose files').setInputFiles({
      name: 'late.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('late'),
    })
    const dialog = page.getByRole('dialog', { name: 'Sign in to go on' })
    await dialog.waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
    await keepScreenshot(page, 'signed-out-light-1280')
    await dialog.getByLabel('Password').fill('wrong')
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await dialog.getByText('The password is wrong').waitFor()
    await dialog.getByLabel('Password').fill(testKeys.DASHBOARD_PASSWORD)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('1 file done').waitFor()
    expect(await page.getByLabel('Folder', { exact: true }).inputValue()).toBe('titles/half-typed')
    const path = '/acme/v1/titles/half-typed/late.txt'
    expect(await (await fetch(service.url + path)).text()).toBe('late')
    expect(faults).toEqual([])
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'uploads wait while the connection is lost and go on when it is back',
  async () => {
    await using visit = await visits.visit()
    const { page, context, faults } = visit
    await open(page, 'upload?zone=acme')
    const photo = Buffer.from(new Uint8Array(400_000).fill(7))
    await page.route('**/api/storage/**', (route) =>
      route.request().method() === 'PUT' ? route.abort('connectionreset') : route.continue(),
    )
    await page
      .getByLabel('Choose files')
      .setInputFiles({ name: 'large.bin', mimeType: 'application/octet-stream', buffer: photo })
    await page.getByText('The connection is lost.').waitFor()
    await context.setOffline(true)
    await page.unroute('**/api/storage/**')
    await context.setOffline(false)
    await page.getByText('1 file done').waitFor()
    await page.getByText('The last change is live at the edge.').waitFor()
    await keepScreenshot(page, 'upload-done-light-1280')
    const delivered = await fetch(`${service.url}/acme/v1/icons/large.bin`)
    expect((await delivered.bytes()).length).toBe(400_000)
    expect(faults).toEqual([])
  },
  90_000,
)

test.skipIf(executable === undefined)(
  'a hundred thousand assets are a few dozen elements, and the keyboard reaches the last',
  async () => {
    await using visit = await visits.visit()
    const { page } = visit
    await page.route('**/api/assets?*', (route) => {
      const query = new URL(route.request().url()).searchParams
      return route.fulfill({
        json: hugePage(Number(query.get('page')), Number(query.get('per_page'))),
      })
    })
    for (const view of ['grid', 'list']) {
      await open(page, `assets?view=${view}`)
      await page.getByText('100,000 assets').waitFor()
      const list = page.getByRole(view === 'grid' ? 'list' : 'grid', { name: 'Assets' })
      await list.getByRole('button', { name: 'asset-000000.txt' }).focus()
      await page.keyboard.press('End')
      await page.waitForFunction(
        () => document.activeElement?.textContent.includes('asset-099999.txt') === true,
      )
      const items = list.getByRole(view === 'grid' ? 'listitem' : 'row')
      expect(await items.count()).toBeLessThan(120)
      const place = items.last()
      if (view === 'grid') {
        expect(await place.getAttribute('aria-setsize')).toBe('100000')
        expect(await place.getAttribute('aria-posinset')).toBe('100000')
      } else {
        expect(await list.getAttribute('aria-rowcount')).toBe('100001')
        expect(await place.getAttribute('aria-rowindex')).toBe('100001')
      }
    }
  },
  60_000,
)

function hugePage(page: number, perPage: number) {
  const Data = Array.from({ length: perPage }, (_, index) => {
    const number = String((page - 1) * perPage + index).padStart(6, '0')
    const name = `asset-${number}.txt`
    const path = `acme/v1/titles/${name}`
    return { name, path, project: 'acme', category: 'titles', format: 'txt', size: 1 }
  })
  return {
    Data,
    Pagination: { Page: page, PerPage: perPage, TotalItems: 100_000, TotalPages: 500 },
  }
}

test.skipIf(executable === undefined)(
  'a file that is too large for one request goes on where the connection was lost',
  async () => {
    await using visit = await visits.visit()
    const { page, faults } = visit
    await open(page, 'upload?zone=acme')
    const bytes = Buffer.alloc(28 * 2 ** 20, 'large ')
    const offsets: string[] = []
    await page.route('**/api/uploads/staged/**', async (route) => {
      const request = route.request()
      if (request.method() !== 'PATCH') return await route.continue()
      offsets.push(request.headers()['upload-offset'] ?? '')
      await (offsets.length === 2 ? route.abort('connectionreset') : route.continue())
    })
    await page
      .getByLabel('Choose files')
      .setInputFiles({ name: 'huge.bin', mimeType: 'application/octet-stream', buffer: bytes })
    await page.getByText('1 file done').waitFor()
    expect(offsets[0]).toBe('0')
    expect(offsets.slice(1)).not.toContain('0')
    const delivered = await fetch(`${service.url}/acme/v1/icons/huge.bin`)
    expect(Bun.hash(await delivered.arrayBuffer())).toBe(Bun.hash(bytes))
    expect(faults).toEqual([])
  },
  90_000,
)
