import { afterAll, beforeAll, expect, test } from 'bun:test'
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'

import { type LocalService, openLocalService } from '../support/local-service.ts'
import { access, temporaryDirectory, testKeys } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'
import { accessibilityFindings } from './accessibility.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { keepScreenshot, type Look, visitDashboard } from './dashboard-visit.ts'
import { keptIn } from './kept-uploads.ts'

const executable = findChromium('large uploads of the dashboard in a browser')
const undo = new AsyncDisposableStack()
const bytes = Buffer.alloc(28 * 2 ** 20, 'a film ')
let service: LocalService
let browser: Browser
let film: string
let tooLarge: string

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory()).path
  film = join(directory, 'film.bin')
  tooLarge = join(directory, 'longer.bin')
  await Bun.write(film, bytes)
  await Bun.write(tooLarge, new Uint8Array(31 * 2 ** 20))
  service = undo.use(
    await openLocalService({
      dataDirectory: join(directory, 'data'),
      environment: { SEARCH_BY_NAME_ONLY: 'true', MAX_FILE_MB: '30' },
    }),
  )
  await worldOf(service).zone('acme')
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
}, 60_000)
afterAll(() => undo.disposeAsync())

async function openUpload(page: Page, folder: string): Promise<void> {
  await page.goto(`${service.url}/dashboard/upload?zone=acme`)
  await page.getByLabel('Folder', { exact: true }).fill(folder)
}

/** A page that begins anew with what the browser has kept, as after a reload. */
async function reopen(page: Page): Promise<Page> {
  const next = await page.context().newPage()
  await page.close()
  await next.goto(`${service.url}/dashboard/upload?zone=acme`)
  return next
}

const choose = (page: Page, file: string) => page.getByLabel('Choose files').setInputFiles(file)

interface Gate {
  /** Where pieces began, in the order they came in. */
  readonly offsets: number[]
  /** Of uploads that were given up. */
  readonly deleted: string[]
  /** From now on pieces are let through. */
  open(): void
}

/** Lets the first piece through and holds what follows. */
async function holdPieces(page: Page): Promise<Gate> {
  const offsets: number[] = []
  const deleted: string[] = []
  let isOpen = false
  await page.context().route('**/api/uploads/staged/**', async (route) => {
    const request = route.request()
    if (request.method() === 'DELETE') deleted.push(request.url())
    if (request.method() !== 'PATCH') return await route.continue()
    const offset = Number(request.headers()['upload-offset'])
    offsets.push(offset)
    if (isOpen || offset === 0) await route.continue()
  })
  return { offsets, deleted, open: () => void (isOpen = true) }
}

const isHeld = ({ offsets }: Gate) => until(async () => offsets.some((offset) => offset > 0))

const stored = async (folder: string, name = 'film.bin'): Promise<boolean> => {
  const delivered = await fetch(`${service.url}/acme/v1/${folder}/${name}`)
  return Bun.hash(await delivered.arrayBuffer()) === Bun.hash(bytes)
}

test.skipIf(executable === undefined)(
  'an upload is held and goes on where it was, and the keyboard stays on its button',
  async () => {
    await using visit = await visitDashboard(browser, service.url)
    const { page, faults } = visit
    await openUpload(page, 'films/held')
    const gate = await holdPieces(page)
    await choose(page, film)
    await isHeld(gate)
    await page.getByRole('button', { name: 'Pause acme/v1/films/held/film.bin' }).press('Enter')
    await page.getByText('Paused', { exact: true }).waitFor()
    await page.getByRole('status').getByText('The uploads are held.').waitFor()
    const goOn = page.getByRole('button', { name: 'Go on with acme/v1/films/held/film.bin' })
    expect(await goOn.evaluate((button) => button === document.activeElement)).toBe(true)
    expect(await accessibilityFindings(page)).toEqual([])
    gate.open()
    const before = gate.offsets.length
    await goOn.press('Enter')
    await page.getByText('1 file done').waitFor()
    expect(gate.offsets.slice(before)).not.toContain(0)
    expect(await page.evaluate('document.activeElement !== document.body')).toBe(true)
    expect(await stored('films/held')).toBe(true)
    expect(faults).toEqual([])
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'an upload that is cancelled is given up at the service too, and does not come back',
  async () => {
    await using visit = await visitDashboard(browser, service.url)
    const { page, faults } = visit
    await openUpload(page, 'films/cancelled')
    const gate = await holdPieces(page)
    await choose(page, film)
    await isHeld(gate)
    await page
      .getByRole('button', { name: 'Cancel acme/v1/films/cancelled/film.bin' })
      .press('Enter')
    const again = page.getByRole('button', { name: /^Try .*cancelled\/film.bin again$/u })
    expect(await again.evaluate((button) => button === document.activeElement)).toBe(true)
    await until(async () => gate.deleted.length === 1)
    const [url = ''] = gate.deleted
    await until(async () => (await fetch(url, { headers: access })).status === 404)
    await openUpload(page, 'films/cancelled')
    await page.getByLabel('Folder', { exact: true }).waitFor()
    expect(await page.getByRole('region', { name: 'Unfinished uploads' }).count()).toBe(0)
    expect(await stored('films/cancelled')).toBe(false)
    expect(faults).toEqual([])
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'after a reload the same file goes on at the offset of the service, and another one does not',
  async () => {
    await using visit = await visitDashboard(browser, service.url)
    let { page } = visit
    const { faults } = visit
    await openUpload(page, 'films/reloaded')
    const gate = await holdPieces(page)
    await choose(page, film)
    await isHeld(gate)
    page = await reopen(page)
    const list = page.getByRole('region', { name: 'Unfinished uploads' })
    await list.getByText('of 28.0 MB are there.').waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
    const before = gate.offsets.length
    await list.getByLabel('Choose the files again').setInputFiles(tooLarge)
    await page.getByText('is not a file that one of these was begun with').waitFor()
    expect(await list.getByRole('listitem').count()).toBe(1)
    gate.open()
    await choose(page, film)
    await page.getByText('1 file done').waitFor()
    // Of the piece that was held some may have arrived.
    expect(gate.offsets.slice(before)[0]).toBeGreaterThanOrEqual(8 * 2 ** 20)
    expect(await stored('films/reloaded')).toBe(true)
    page = await reopen(page)
    await page.getByLabel('Folder', { exact: true }).waitFor()
    expect(await page.getByRole('region', { name: 'Unfinished uploads' }).count()).toBe(0)
    expect(faults).toEqual([])
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'what was changed since is another file, and what expired is forgotten',
  async () => {
    await using visit = await visitDashboard(browser, service.url)
    let { page } = visit
    const { faults } = visit
    await openUpload(page, 'films/changed')
    const gate = await holdPieces(page)
    await choose(page, film)
    await isHeld(gate)
    page = await reopen(page)
    const list = page.getByRole('region', { name: 'Unfinished uploads' })
    await list.waitFor()
    await utimes(film, new Date('2026-01-01'), new Date('2026-01-01'))
    await list.getByLabel('Choose the files again').setInputFiles(film)
    await page.getByText('is not a file that one of these was begun with').waitFor()
    service.wait(25 * 3_600_000)
    page = await reopen(page)
    // The session is as old.
    await signInAgain(page)
    await page.getByLabel('Folder', { exact: true }).waitFor()
    await page.getByRole('region', { name: 'Unfinished uploads' }).waitFor({ state: 'detached' })
    expect(faults).toEqual([])
  },
  60_000,
)

async function signInAgain(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Sign in to go on' })
  const password = page.getByLabel('Password')
  await Promise.race([password.waitFor(), page.getByLabel('Folder', { exact: true }).waitFor()])
  if (!(await password.isVisible())) return
  await password.fill(testKeys.DASHBOARD_PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

test.skipIf(executable === undefined)(
  'a file that the browser can find again goes on by itself after a reload',
  async () => {
    await using visit = await visitDashboard(browser, service.url)
    let { page } = visit
    const { context, faults } = visit
    // The browser's own store of files has the same handles as the dialog that nobody can click here.
    await context.addInitScript(() => {
      Object.assign(globalThis, {
        showOpenFilePicker: async () => {
          const root = await navigator.storage.getDirectory()
          return [await root.getFileHandle('film.bin')]
        },
      })
    })
    await openUpload(page, 'films/found')
    await page.evaluate(async (size) => {
      const root = await navigator.storage.getDirectory()
      const handle = await root.getFileHandle('film.bin', { create: true })
      const writable = await handle.createWritable()
      await writable.write('a film '.repeat(Math.ceil(size / 7)).slice(0, size))
      await writable.close()
    }, bytes.length)
    const gate = await holdPieces(page)
    await page.getByRole('button', { name: 'Choose files' }).evaluate((button: HTMLElement) => {
      button.click()
    })
    await isHeld(gate)
    gate.open()
    const before = gate.offsets.length
    page = await reopen(page)
    await page.getByText('1 file done').waitFor()
    // Of the piece that was held some may have arrived.
    expect(gate.offsets.slice(before)[0]).toBeGreaterThanOrEqual(8 * 2 ** 20)
    expect(await stored('films/found')).toBe(true)
    expect(faults).toEqual([])
  },
  60_000,
)

/** By the dialog of the system, as everybody does whose browser has no other. */
async function pick(page: Page, button: string, files: readonly string[]): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: button }).click(),
  ])
  await chooser.setFiles([...files])
}

test.skipIf(executable === undefined)(
  'small files outlive a reload too, those that wait and the one that is being sent',
  async () => {
    await using visit = await visitDashboard(browser, service.url)
    const { page, context, faults } = visit
    await context.addInitScript(() => Object.assign(globalThis, { showOpenFilePicker: undefined }))
    const directory = join(film, '..')
    const files = ['medium.bin', 'tiny-1.txt', 'tiny-2.txt'].map((name) => join(directory, name))
    const contents = ['m'.repeat(3_000_000), 'tiny 1', 'tiny 2']
    for (const [place, file] of files.entries()) await Bun.write(file, contents[place] ?? '')
    await openUpload(page, 'films/small')
    let isOpen = false
    let held = 0
    await context.route('**/api/storage/**', async (route) => {
      const isSent = ['PUT', 'POST'].includes(route.request().method())
      held += isSent && !isOpen ? 1 : 0
      if (!isSent || isOpen) await route.continue()
    })
    await pick(page, 'Choose files', files)
    await until(async () => held >= 2 && (await keptIn(page)) === files.length)
    await page.reload()
    const list = page.getByRole('region', { name: 'Unfinished uploads' })
    await list.getByText('acme/v1/films/small/medium.bin').waitFor()
    expect(await list.getByRole('listitem').count()).toBe(3)
    expect(await accessibilityFindings(page)).toEqual([])

    // Another window leaves alone what this one has.
    const other = await context.newPage()
    await list.getByRole('button', { name: 'Cancel acme/v1/films/small/tiny-2.txt' }).click()
    isOpen = true
    await pick(page, 'Choose the file again: acme/v1/films/small/medium.bin', files.slice(0, 2))
    await page.getByText('2 files done').waitFor()
    for (const [place, name] of ['medium.bin', 'tiny-1.txt'].entries()) {
      const delivered = await fetch(`${service.url}/acme/v1/films/small/${name}`)
      expect((await delivered.text()) === contents[place]).toBe(true)
    }
    await other.goto(`${service.url}/dashboard/upload?zone=acme`)
    await other.getByLabel('Folder', { exact: true }).waitFor()
    await page.reload()
    await page.getByLabel('Folder', { exact: true }).waitFor()
    for (const each of [page, other])
      expect(await each.getByRole('region', { name: 'Unfinished uploads' }).count()).toBe(0)
    expect(faults).toEqual([])
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'a large file goes on after the page itself is loaded again',
  async () => {
    await using visit = await visitDashboard(browser, service.url)
    const { page, context, faults } = visit
    await context.addInitScript(() => Object.assign(globalThis, { showOpenFilePicker: undefined }))
    await openUpload(page, 'films/loaded')
    const gate = await holdPieces(page)
    await pick(page, 'Choose files', [film])
    await isHeld(gate)
    await page.reload()
    const list = page.getByRole('region', { name: 'Unfinished uploads' })
    await list.getByText('of 28.0 MB are there.').waitFor()
    gate.open()
    const before = gate.offsets.length
    await pick(page, 'Choose the file again: acme/v1/films/loaded/film.bin', [film])
    await page.getByText('1 file done').waitFor()
    expect(gate.offsets.slice(before)[0]).toBeGreaterThanOrEqual(8 * 2 ** 20)
    expect(await stored('films/loaded')).toBe(true)
    expect(faults).toEqual([])
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'a lost connection is told, and the upload goes on by itself once it is back',
  async () => {
    await using visit = await visitDashboard(browser, service.url)
    const { page, context, faults } = visit
    await openUpload(page, 'films/cut')
    const gate = await holdPieces(page)
    await choose(page, film)
    await isHeld(gate)
    gate.open()
    const before = gate.offsets.length
    await page.route('**/api/uploads/staged/**', (route) => route.abort('connectionreset'), {
      times: 2,
    })
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Pause all' }).click()
    await page.getByRole('button', { name: 'Go on with all' }).click()
    await page.getByText('The connection is lost.').waitFor()
    await context.setOffline(false)
    await page.getByText('1 file done').waitFor()
    expect(gate.offsets.slice(before)).not.toContain(0)
    expect(await stored('films/cut')).toBe(true)
    expect(faults).toEqual([])
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'what is too large is refused in words before anything is sent',
  async () => {
    await using visit = await visitDashboard(browser, service.url)
    const { page, faults } = visit
    await openUpload(page, 'films')
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/uploads')) sent.push(request.method())
    })
    await page.getByText('Files of up to 30.0 MB.').waitFor()
    await choose(page, tooLarge)
    await page
      .getByText('The file has 31.0 MB; the service takes files of up to 30.0 MB.')
      .first()
      .waitFor()
    expect(sent).toEqual([])
    expect(await accessibilityFindings(page)).toEqual([])
    expect(faults).toEqual([])
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'a session that ends in the middle is told, and the upload goes on after signing in',
  async () => {
    await using visit = await visitDashboard(browser, service.url)
    const { page, context, faults } = visit
    await openUpload(page, 'films/signed-out')
    const gate = await holdPieces(page)
    await choose(page, film)
    await isHeld(gate)
    await page.getByRole('button', { name: 'Pause all' }).click()
    await context.clearCookies()
    gate.open()
    const before = gate.offsets.length
    await page.getByRole('button', { name: 'Go on with all' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in to go on' })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('You are signed out. Go on to sign in.').first().waitFor()
    await page.getByRole('button', { name: 'Go on with all' }).click()
    await dialog.getByLabel('Password').fill(testKeys.DASHBOARD_PASSWORD)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('1 file done').waitFor()
    expect(gate.offsets.slice(before)).not.toContain(0)
    expect(await stored('films/signed-out')).toBe(true)
    expect(faults).toEqual([])
  },
  60_000,
)

const looks: readonly Look[] = [
  { scheme: 'light', width: 1280 },
  { scheme: 'dark', width: 1280 },
  { scheme: 'light', width: 375 },
  { scheme: 'dark', width: 375 },
]

for (const look of looks)
  test.skipIf(executable === undefined)(
    `uploads that were held, refused and left fit the screen, ${look.scheme} and ${look.width} wide`,
    async () => {
      await using visit = await visitDashboard(browser, service.url, look)
      let { page } = visit
      const { faults } = visit
      await openUpload(page, 'films/shown')
      const gate = await holdPieces(page)
      await choose(page, film)
      await isHeld(gate)
      page = await reopen(page)
      await page.getByRole('region', { name: 'Unfinished uploads' }).waitFor()
      await page.getByLabel('Folder', { exact: true }).fill('films/shown/again')
      await choose(page, film)
      await page.getByRole('button', { name: /^Pause acme/u }).waitFor()
      await choose(page, tooLarge)
      await page.getByText('the service takes files of up to').first().waitFor()
      await page.getByRole('button', { name: 'Pause all' }).click()
      await page.getByText('Paused', { exact: true }).waitFor()
      expect(await accessibilityFindings(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(look.width)
      await keepScreenshot(page, `uploads-${look.scheme}-${look.width}-top`)
      await page.getByRole('table', { name: 'Uploads' }).scrollIntoViewIfNeeded()
      await keepScreenshot(page, `uploads-${look.scheme}-${look.width}`)
      await page.getByRole('button', { name: 'Cancel all' }).click()
      expect(faults).toEqual([])
    },
    60_000,
  )
