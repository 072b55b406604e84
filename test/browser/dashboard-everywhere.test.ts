import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page, Route } from 'playwright-core'

import { type LocalService, openLocalService } from '../support/local-service.ts'
import { temporaryDirectory } from '../support/service-process.ts'
import { worldOf } from '../support/world.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { openVisits, seriousFindings, keepScreenshot, type Visits } from './dashboard-visit.ts'

const executable = findChromium('what is on every page of the dashboard')
const undo = new AsyncDisposableStack()
let service: LocalService
let browser: Browser
let visits: Visits

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory())
  const environment = { SEARCH_BY_NAME_ONLY: 'true' }
  service = undo.use(await openLocalService({ dataDirectory: directory.path, environment }))
  const world = worldOf(service)
  for (const name of ['acme', 'harbour']) await world.zone(name)
  await world.put(
    'acme/v1/icons/heron.svg',
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
  )
  await world.put('acme/v1/titles/notes.txt', 'first')
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
  visits = undo.use(openVisits(browser, service.url))
}, 60_000)
afterAll(() => undo.disposeAsync())

const scripts = '**/dashboard/assets/*.js'

/** The overview, shown by a browser that fetches no page before somebody opens it. */
async function openOverview(page: Page): Promise<void> {
  await page.addInitScript('delete window.requestIdleCallback')
  await page.goto(`${service.url}/dashboard/`)
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
}

/** Keeps requests from going on until they are let go. */
async function hold(page: Page, url: string) {
  const held: Route[] = []
  const released = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    held.push(route)
    await released.promise
    await route.continue()
  })
  return { held, release: released.resolve }
}

test.skipIf(executable === undefined)(
  'a page says what it is before anything of it has come over a slow line',
  async () => {
    await using visit = await visits.visit()
    const { page, context, faults } = visit
    await openOverview(page)
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 400,
      downloadThroughput: 125_000,
      uploadThroughput: 125_000,
    })
    const scriptsHeld = await hold(page, scripts)
    const answersHeld = await hold(page, '**/api/**')
    await page.evaluate(watchHeading)
    await page.getByRole('link', { name: 'Audit' }).click()
    await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor()
    const ms = await page.evaluate<number>('window.headingAt - window.clickedAt')
    console.log(`a page switch on a slow line: heading visible after ${ms.toFixed(0)} ms`)
    await page.getByText('Audit is loading').waitFor({ state: 'attached' })
    expect(scriptsHeld.held.length).toBeGreaterThan(0)
    expect(await seriousFindings(page)).toEqual([])
    await keepScreenshot(page, 'skeleton-light-1280')
    answersHeld.release()
    scriptsHeld.release()
    await page.getByText('Audit is loading').waitFor({ state: 'detached' })
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
    expect(faults).toEqual([])
  },
  60_000,
)

/** Notes when a link is clicked, and when the next heading is in the frame that is drawn. */
const watchHeading = `
  addEventListener('click', () => {
    window.clickedAt = performance.now()
    const look = () => document.querySelector('main h1')?.textContent === 'Overview'
      ? requestAnimationFrame(look)
      : (window.headingAt = performance.now())
    requestAnimationFrame(look)
  }, { capture: true, once: true })`

test.skipIf(executable === undefined)(
  'a page is fetched when somebody points at its link, and then opens without a skeleton',
  async () => {
    await using visit = await visits.visit()
    const { page } = visit
    await openOverview(page)
    const fetched = page.waitForResponse(scripts)
    await page.getByRole('link', { name: 'Passkeys and sessions' }).hover()
    await fetched
    await page.waitForLoadState('networkidle')
    await page.evaluate(
      `window.skeletons = 0; new MutationObserver(() => { if (document.body.textContent.includes('Passkeys and sessions is loading')) window.skeletons += 1 }).observe(document.body, { childList: true, subtree: true })`,
    )
    await page.getByRole('link', { name: 'Passkeys and sessions' }).click()
    await page.getByRole('heading', { name: 'Passkeys and sessions', level: 1 }).waitFor()
    expect(await page.evaluate<number>('window.skeletons')).toBe(0)
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'a lost connection is said, and what failed is shown once it is back',
  async () => {
    await using visit = await visits.visit()
    const { page, context, faults } = visit
    await openOverview(page)
    await context.setOffline(true)
    await page.getByText('No connection, trying again').waitFor()
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
    await page.getByText('This part of the dashboard could not be loaded.').waitFor()
    expect(await page.getByText(/dynamically imported/u).count()).toBe(0)
    expect(await seriousFindings(page)).toEqual([])
    await keepScreenshot(page, 'offline-light-1280')
    await context.setOffline(false)
    await page.getByText('No connection, trying again').waitFor({ state: 'detached' })
    await page
      .getByRole('button', { name: /webhook/iu })
      .first()
      .waitFor()
    expect(faults).toEqual([])
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'parts of a version that is gone are had by beginning anew, once',
  async () => {
    await using visit = await visits.visit()
    const { page } = visit
    await openOverview(page)
    await page.route('**/dashboard/', async (route) => {
      await page.unroute(scripts)
      const response = await route.fetch()
      const text = (await response.text()).replace(/main-(\w+)\.js/u, 'main-$1-newer.js')
      await route.fulfill({ response, body: text })
    })
    const isGone = (route: Route) => route.fulfill({ status: 404, body: '{}' })
    await page.route(scripts, isGone)
    const began = page.waitForEvent('domcontentloaded')
    await page.getByRole('link', { name: 'Purge' }).click()
    await began
    await page.getByRole('button', { name: 'Purge' }).first().waitFor()

    await page.route(scripts, isGone)
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByText('This part of the dashboard could not be loaded.').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page
      .getByRole('button', { name: /webhook/iu })
      .first()
      .waitFor()
  },
  60_000,
)
