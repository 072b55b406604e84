import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'

import { scene } from '../fixtures/scenes.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { temporaryDirectory } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'
import { accessibilityFindings } from './accessibility.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { keepScreenshot, openVisits, settle, type Visits } from './dashboard-visit.ts'

const executable = findChromium('duplicates in a browser')
const undo = new AsyncDisposableStack()
let service: LocalService
let browser: Browser
let visits: Visits

const kept = 'acme/v1/photos/harbour.png'
const small = 'acme/v1/photos/harbour-small.jpg'
const other = 'acme/v1/photos/mountain.png'

const groupsOf = async () => (await worldOf(service).client.listDuplicates({})).Groups

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory())
  const environment = { SEARCH_BY_NAME_ONLY: 'true' }
  service = undo.use(await openLocalService({ dataDirectory: directory.path, environment }))
  const world = worldOf(service)
  await world.zone('acme')
  await world.put(kept, new Uint8Array(await scene(1).png().toBuffer()))
  await world.put(small, new Uint8Array(await scene(1).resize(200).jpeg().toBuffer()))
  await world.put(other, new Uint8Array(await scene(2).png().toBuffer()))
  await until(async () => (await groupsOf()).length === 1)
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
  visits = undo.use(openVisits(browser, service.url))
}, 120_000)
afterAll(() => undo.disposeAsync())

const statusOf = async (path: string) =>
  (await fetch(`${service.url}/${path}`, { redirect: 'manual' })).status

test.skipIf(executable === undefined)(
  'one of several that look alike is used for all, and it can be taken back',
  async () => {
    await using visit = await visits.visit()
    const { page, faults } = visit
    await page.goto(`${service.url}/dashboard/duplicates`)
    const group = page.getByRole('region', { name: small })
    await group.getByText(kept).waitFor()
    await settle(page)
    expect(await page.getByText(other).count()).toBe(0)
    await keepScreenshot(page, 'duplicates-light-1280')
    expect(await accessibilityFindings(page)).toEqual([])

    await group.getByRole('button', { name: `Use this one for all: ${kept}` }).click()
    await page.getByText('Nothing is there twice').waitFor()
    await until(async () => (await statusOf(small)) === 301)
    const moved = await fetch(`${service.url}/${small}`, { redirect: 'manual' })
    expect(moved.headers.get('location')).toContain(kept)
    expect(await statusOf(kept)).toBe(200)

    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('The copy is back.').waitFor()
    await until(async () => (await statusOf(small)) === 200)
    const rules = await worldOf(service).client.getRules({})
    expect(rules.Redirects ?? '').toBe('')
    expect(faults).toEqual([])
  },
  120_000,
)
