import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page, Route } from 'playwright-core'

import { type LocalService, openLocalService } from '../support/local-service.ts'
import { temporaryDirectory } from '../support/service-process.ts'
import { worldOf } from '../support/world.ts'
import { accessibilityFindings } from './accessibility.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { keepScreenshot, type Look, openVisits, type Visits } from './dashboard-visit.ts'

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
    // Whoever asked may have gone meanwhile.
    await route.continue().catch(() => {})
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
    expect(await accessibilityFindings(page)).toEqual([])
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
  'what could not be loaded at first is said, and loaded again',
  async () => {
    await using visit = await visits.visit()
    const { page } = visit
    await page.route(scripts, (route) =>
      /\/main-\w+\.js$/u.test(route.request().url()) ? route.continue() : route.abort(),
    )
    await page.goto(`${service.url}/dashboard/`)
    await page.getByRole('heading', { name: 'The dashboard could not be loaded' }).waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
    await keepScreenshot(page, 'not-loaded-light-1280')
    await page.unroute(scripts)
    await page.getByRole('button', { name: 'Load again' }).click()
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
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
    expect(await accessibilityFindings(page)).toEqual([])
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

const openPage = async (page: Page, address: string): Promise<void> => {
  await page.goto(`${service.url}/dashboard/${address}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

test.skipIf(executable === undefined)(
  'the palette finds pages, zones, assets and actions by the keyboard alone, recent ones first',
  async () => {
    await using visit = await visits.visit()
    const { page, faults } = visit
    await openPage(page, '')
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Search everything' })
    const field = palette.getByRole('combobox')
    const chosen = () => palette.getByRole('option', { selected: true })
    await field.waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
    await keepScreenshot(page, 'palette-light-1280')

    await page.keyboard.type('heron')
    await palette.getByRole('option', { name: 'heron.svg' }).waitFor()
    expect(await chosen().textContent()).toContain('heron.svg')
    expect(await field.getAttribute('aria-activedescendant')).toBe(
      await chosen().getAttribute('id'),
    )
    await palette.getByText('2 results').waitFor({ state: 'attached' })
    await keepScreenshot(page, 'palette-found-light-1280')
    expect(await accessibilityFindings(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'heron.svg' }).waitFor()

    await openPage(page, 'zones')
    await page.keyboard.press('Control+k')
    expect(await chosen().textContent()).toContain('heron.svg')
    await page.keyboard.press('ArrowUp')
    expect(await chosen().textContent()).toContain('Passkeys and sessions')
    await page.keyboard.press('ArrowDown')
    expect(await chosen().textContent()).toContain('heron.svg')
    await page.keyboard.type('harbour')
    await palette
      .getByRole('group', { name: 'Zones' })
      .getByRole('option', { name: 'harbour' })
      .waitFor()
    await field.fill('signed URLs')
    const documents = palette.getByRole('group', { name: 'Documentation' }).getByRole('option')
    await documents.filter({ hasText: 'Signed' }).first().waitFor()
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })

    await page.keyboard.press('Control+k')
    await page.keyboard.type('create tok')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Create a token' }).waitFor()
    expect(new URL(page.url()).search).toBe('')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('dark')
    await page.keyboard.press('Enter')
    await page.locator('html[data-theme="dark"]').waitFor()
    expect(faults).toEqual([])
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'what comes late for a former question is not shown',
  async () => {
    await using visit = await visits.visit()
    const { page } = visit
    await openPage(page, '')
    const held = await hold(page, '**/api/assets?*q=heron*')
    await page.getByRole('button', { name: 'Search Ctrl K' }).click()
    const palette = page.getByRole('dialog', { name: 'Search everything' })
    const asked = page.waitForRequest('**/api/assets?*q=heron*')
    await palette.getByRole('combobox').fill('heron')
    await asked
    const dropped = page.waitForEvent('requestfailed')
    await palette.getByRole('combobox').fill('notes')
    await palette.getByRole('option', { name: 'notes.txt' }).waitFor()
    expect((await dropped).url()).toContain('q=heron')
    held.release()
    expect(await palette.getByRole('option', { name: 'heron.svg' }).count()).toBe(0)
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'a question is answered as it comes, with links that lead to the web alone',
  async () => {
    await using visit = await visits.visit()
    const { page, faults } = visit
    await openPage(page, '')
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Search everything' })
    await palette.getByRole('combobox').fill('How many files are there in acme?')
    await page.keyboard.press('Enter')
    await palette.getByRole('list', { name: 'Sources' }).getByRole('link').first().waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
    await keepScreenshot(page, 'palette-answer-light-1280')

    const frames = [
      [
        'metadata',
        {
          sources: [
            { title: 'Bad', url: 'javascript:alert(1)' },
            { title: 'Good', url: `${service.url}/docs/` },
          ],
        },
      ],
      ['token', { text: 'See [1], [2] and <img src=x onerror=alert(1)>.' }],
      ['done', { followUps: [] }],
    ] as const
    await page.route('**/api/chat', (route) =>
      route.fulfill({
        contentType: 'text/event-stream',
        body: frames
          .map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
          .join(''),
      }),
    )
    await palette.getByRole('combobox').fill('And now?')
    await page.keyboard.press('Enter')
    await palette.getByText('<img src=x onerror=alert(1)>').first().waitFor()
    expect(await palette.getByRole('link', { name: '[1]' }).count()).toBe(0)
    expect(await palette.getByRole('link', { name: '[2]' }).getAttribute('href')).toBe(
      `${service.url}/docs/`,
    )
    expect(faults).toEqual([])
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'the navigation fits without scrolling, its groups fold and stay so, and the page’s own opens',
  async () => {
    await using visit = await visits.visit({ scheme: 'light', width: 1440 })
    const { page, faults } = visit
    await page.setViewportSize({ width: 1440, height: 900 })
    await openPage(page, 'zones')
    const pages = page.getByRole('navigation', { name: 'Pages' })
    const group = (name: string) => pages.getByRole('button', { name, exact: true })
    const audit = pages.getByRole('link', { name: 'Audit' })
    await pages.getByRole('link', { name: 'Passkeys and sessions' }).waitFor()
    const hiddenPixels = () => pages.evaluate((each) => each.scrollHeight - each.clientHeight)
    expect(await hiddenPixels()).toBe(0)
    await keepScreenshot(page, 'navigation-open-light-1440')

    await group('Monitoring').focus()
    await page.keyboard.press('Enter')
    await audit.waitFor({ state: 'hidden' })
    expect(await group('Monitoring').getAttribute('aria-expanded')).toBe('false')
    expect(await accessibilityFindings(page)).toEqual([])
    await page.reload()
    await page.getByRole('heading', { name: 'Zones', level: 1 }).waitFor()
    expect(await audit.count()).toBe(0)
    expect(await group('Access').getAttribute('aria-expanded')).toBe('true')
    await page.keyboard.press('g')
    await page.keyboard.press('y')
    await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor()
    await audit.waitFor()
    expect(await audit.getAttribute('aria-current')).toBe('page')

    await page.evaluate('localStorage.removeItem("sedge-navigation")')
    await page.setViewportSize({ width: 390, height: 844 })
    await openPage(page, 'zones')
    await page.getByRole('button', { name: 'Open the navigation' }).click()
    await pages.getByRole('link', { name: 'Zones', exact: true }).waitFor()
    expect(await audit.count()).toBe(0)
    await group('Monitoring').click()
    await audit.click()
    await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor()
    expect(faults).toEqual([])
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'keys lead to pages but not in fields, the sheet shows them all, and they can be turned off',
  async () => {
    await using visit = await visits.visit()
    const { page, faults } = visit
    await openPage(page, '')
    const heading = (name: string) => page.getByRole('heading', { name, level: 1 })
    await page.keyboard.press('g')
    await page.keyboard.press('z')
    await heading('Zones').waitFor()
    await page.keyboard.press(']')
    await heading('Domains').waitFor()
    await page.keyboard.press('[')
    await heading('Zones').waitFor()
    await page.keyboard.press('u')
    await heading('Upload').waitFor()
    await page.getByLabel('Folder', { exact: true }).fill('')
    await page.getByLabel('Folder', { exact: true }).press('g')
    await page.keyboard.press('a')
    expect(await page.getByLabel('Folder', { exact: true }).inputValue()).toBe('ga')
    await heading('Upload').waitFor()

    await page.getByRole('heading', { name: 'Upload', level: 1 }).click()
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await sheet.getByText('Audit', { exact: true }).waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
    await keepScreenshot(page, 'shortcuts-light-1280')
    await sheet.getByLabel('Single keys work as shortcuts').uncheck()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Search everything' }).waitFor()
    expect(await sheet.count()).toBe(0)
    expect(faults).toEqual([])
  },
  60_000,
)

const looks: readonly Look[] = [
  { scheme: 'dark', width: 390 },
  { scheme: 'light', width: 390 },
  { scheme: 'dark', width: 2560 },
]

test.each(looks.filter(() => executable !== undefined))(
  'palette, answer and sheet keep nobody out: $scheme, $width',
  async (look) => {
    await using visit = await visits.visit(look)
    const { page, faults } = visit
    const keep = async (name: string) => {
      expect(await accessibilityFindings(page)).toEqual([])
      const [wide, width] = await page.evaluate(
        () => [document.documentElement.scrollWidth, window.innerWidth] as const,
      )
      expect(wide).toBeLessThanOrEqual(width)
      await keepScreenshot(page, `${name}-${look.scheme}-${look.width}`)
    }
    await openPage(page, 'zones')
    await keep('zones')
    await page.getByRole('button', { name: /^Search/u }).click()
    const palette = page.getByRole('dialog', { name: 'Search everything' })
    await keep('palette')
    await palette.getByRole('combobox').fill('heron')
    await palette.getByRole('option', { name: 'heron.svg' }).waitFor()
    await keep('palette-found')
    await palette.getByRole('combobox').fill('How many files are there in acme?')
    await page.keyboard.press('Enter')
    await palette.getByRole('list', { name: 'Sources' }).getByRole('link').first().waitFor()
    await keep('palette-answer')
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await keep('shortcuts')
    expect(faults).toEqual([])
  },
  60_000,
)
