import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'

import { photoPainter, painted } from '../fixtures/sample-images.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { access, temporaryDirectory } from '../support/service-process.ts'
import { worldOf } from '../support/world.ts'
import { accessibilityFindings } from './accessibility.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { keepScreenshot, openVisits, settle, type Visits } from './dashboard-visit.ts'

const executable = findChromium('erasures in a browser')
const undo = new AsyncDisposableStack()
let service: LocalService
let browser: Browser
let visits: Visits

const photo = 'acme/v1/portraits/ada.jpg'
const copy = 'acme/v1/portraits/of-ada.jpg'
const other = 'acme/v1/portraits/grace.jpg'

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory())
  const environment = { SEARCH_BY_NAME_ONLY: 'true' }
  service = undo.use(await openLocalService({ dataDirectory: directory.path, environment }))
  const world = worldOf(service)
  await world.zone('acme')
  for (const [path, seed] of [
    [photo, 3],
    [copy, 3],
    [other, 5],
  ] as const) {
    const body = await painted({ width: 400, height: 300 }, photoPainter(seed)).jpeg().toBuffer()
    await world.put(path, new Uint8Array(body))
  }
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

const statusOf = async (path: string, headers = {}) =>
  (await fetch(`${service.url}${path}`, { headers })).status

test.skipIf(executable === undefined)(
  'bytes are erased from the drawer of an asset, by keyboard, and the ledger says where',
  async () => {
    await using visit = await visits.visit()
    const { page, faults } = visit
    const { Commits } = await worldOf(service).client.getZoneHistory({ id: 'acme' })
    const former = `/api/assets/version/image?path=${photo}&commit=${Commits[0]?.Commit}`
    expect(await statusOf(former, access)).toBe(200)
    await open(page, `assets?asset=${photo}`)
    await page.getByRole('button', { name: 'Actions', exact: true }).press('Enter')
    await page.getByRole('group', { name: 'Actions' }).getByText('Erase for good…').click()
    const dialog = page.getByRole('dialog', { name: 'Erase for good' })
    await dialog.getByText(copy).waitFor()
    await dialog.getByText('One version, in 2 files').waitFor()
    expect(await dialog.getByText(other).count()).toBe(0)
    const button = dialog.getByRole('button', { name: 'Erase for good' })
    expect(await button.isDisabled()).toBe(true)
    await dialog.getByLabel('Reason').fill('Asked for by Ada')
    expect(await button.isDisabled()).toBe(true)
    expect(await statusOf(`/${photo}`)).toBe(200)
    await dialog.getByLabel(`Type ${photo} to confirm`).fill(photo)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    const card = page.getByRole('region', { name: photo })
    await card.getByText('Asked for by Ada').waitFor()
    await card.getByText('by the dashboard').waitFor()
    await card.getByRole('list', { name: 'Places' }).getByText('Published files').waitFor()
    expect(new URL(page.url()).searchParams.get('erasure')).toBeTruthy()
    for (const path of [`/${photo}`, `/${copy}`, former])
      expect({ path, status: await statusOf(path, access) }).toEqual({ path, status: 451 })
    expect(await statusOf(`/${other}`)).toBe(200)
    await keepScreenshot(page, 'erasure-ledger-light-1280')
    expect(await accessibilityFindings(page)).toEqual([])
    expect(faults).toEqual([])
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'what was never stored cannot be erased, and something else can be named',
  async () => {
    await using visit = await visits.visit()
    const { page } = visit
    await open(page, 'erasures')
    await page.getByRole('button', { name: 'Erase for good…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Erase for good' })
    await dialog.getByLabel('Path or SHA-256').fill('/acme/v1/portraits/nobody.jpg')
    await dialog.getByRole('button', { name: 'Show what would be erased' }).click()
    await dialog.getByRole('alert').getByText('Nothing was ever stored').waitFor()
    await dialog.getByRole('button', { name: 'Name something else' }).click()
    await dialog.getByLabel('Path or SHA-256').fill(other)
    await page.keyboard.press('Enter')
    await dialog.getByText('One version, in one file').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await statusOf(`/${other}`)).toBe(200)
  },
  60_000,
)
