import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'

import { freePort } from '../support/free-port.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { temporaryDirectory } from '../support/service-process.ts'
import { type World, worldOf } from '../support/world.ts'
import { accessibilityFindings } from './accessibility.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { keepScreenshot, openVisit, openVisits, settle, type Visits } from './dashboard-visit.ts'

const executable = findChromium('usage of the dashboard in a browser')
const undo = new AsyncDisposableStack()
let service: LocalService
let world: World
let browser: Browser
let visits: Visits

const now = new Date()
const monthText = (back: number): string =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7)
const sizes = { before: 4 * 1024, acme: 12 * 1024, bolt: 2 * 1024 } as const

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory())
  const port = await freePort()
  const url = `http://localhost:${port}`
  const environment = { BASE_URL: url, SEARCH_BY_NAME_ONLY: 'true' }
  service = undo.use(await openLocalService({ dataDirectory: directory.path, environment, port }))
  world = worldOf(service)
  await useInTwoMonths()
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
  visits = undo.use(openVisits(browser, service.url))
}, 120_000)
afterAll(() => undo.disposeAsync())

/** Something on the first day of the month before, and three times as much now. */
async function useInTwoMonths(): Promise<void> {
  const back = now.getTime() - Date.parse(`${monthText(1)}-01T12:00:00Z`)
  await wait(-back)
  await world.zone('acme')
  await world.put('acme/v1/a.bin', new Uint8Array(sizes.before))
  await ask('acme/v1/a.bin')
  await wait(back)
  await world.zone('bolt')
  await world.put('acme/v1/b.bin', new Uint8Array(sizes.acme - sizes.before))
  await world.put('bolt/v1/b.bin', new Uint8Array(sizes.bolt))
  for (const path of ['acme/v1/a.bin', 'acme/v1/b.bin', 'bolt/v1/b.bin']) await ask(path)
}

/** What was counted before belongs to the time before. */
async function wait(ms: number): Promise<void> {
  await world.client.getUsage({})
  service.wait(ms)
  await world.client.getUsage({})
}

const ask = async (path: string) => void (await (await fetch(`${service.url}/${path}`)).bytes())

async function open(page: Page, query = ''): Promise<void> {
  page.setDefaultTimeout(60_000)
  await page.goto(`${service.url}/dashboard/usage?${query}`)
  await page.getByRole('slider').waitFor()
  await settle(page)
}

const tab = (page: Page, name: RegExp) => page.getByRole('tab', { name })

test.skipIf(executable === undefined)(
  'a month is shown by day and zone, compared with the one before, and switched by keyboard',
  async () => {
    await using visit = await visits.visit()
    const { page, faults } = visit
    await open(page)
    await tab(page, /^Stored 14\.0 KB \+250/u).waitFor()
    await tab(page, /^Requests 3 \+200/u).waitFor()
    await tab(page, /^Uploads 2 \+100/u).waitFor()
    const table = page.getByRole('table', { name: 'Usage by zone' })
    const [, first, second] = await table.getByRole('row').allInnerTexts()
    expect(first?.split(/\s+/u).slice(0, 3)).toEqual(['acme', '12.0', 'KB'])
    expect(second?.split(/\s+/u).slice(0, 3)).toEqual(['bolt', '2.0', 'KB'])

    await page.getByRole('button', { name: 'The month before' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`month=${monthText(1)}$`, 'u'))
    await tab(page, /^Stored 4\.0 KB nothing before/u).waitFor()
    await page.getByText('1 zone', { exact: true }).waitFor()
    const oldest = monthText(12)
    await page.getByLabel('Month', { exact: true }).selectOption(oldest)
    await page.waitForURL(new RegExp(`month=${oldest}$`, 'u'))
    await page.getByText('Nothing was stored or used in this period').waitFor()
    expect(await page.getByRole('button', { name: 'The month before' }).isDisabled()).toBe(true)
    await page.goBack()
    await tab(page, /^Stored 4\.0 KB/u).waitFor()
    expect(faults).toEqual([])
  },
  180_000,
)

test.skipIf(executable === undefined)(
  'each figure has a chart that is told by keyboard, a table, and a file',
  async () => {
    await using visit = await visits.visit()
    const { page, faults } = visit
    await open(page)
    await tab(page, /^Stored/u).focus()
    for (const title of [/delivered each/u, /^Requests each/u, /^Images/u, /^Files/u, /^Calls/u]) {
      await page.keyboard.press('ArrowRight')
      await page.getByRole('heading', { name: title }).waitFor()
    }
    await page.waitForURL(/metric=ai/u)
    await tab(page, /^Requests/u).click()
    const chart = page.getByRole('slider', { name: /^Requests each day/u })
    await chart.focus()
    await page.keyboard.press('End')
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/From the cache: \d+.*month before/u)
    await page.getByText('Show as a table').click()
    const days = page.getByRole('table', { name: 'Usage by day' })
    expect(await days.getByRole('row', { name: /^All/u }).innerText()).toMatch(/14\.0 KB.*3/u)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download as CSV' }).click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(/^usage-\d{4}-\d{2}-01-[\d-]{10}\.csv$/u)
    const lines = (await Bun.file(await file.path()).text()).trim().split('\r\n')
    expect(lines[0]).toStartWith('Zone,Date,Requests,')
    expect(lines).toHaveLength(1 + 2 * ((await days.getByRole('row').count()) - 2))
    expect(faults).toEqual([])
  },
  180_000,
)

for (const scheme of ['light', 'dark'] as const)
  for (const width of [390, 1440])
    test.skipIf(executable === undefined)(
      `a zone is shown by itself, and axe finds nothing, ${scheme}, ${width}`,
      async () => {
        await using visit = await visits.visit({ scheme, width })
        const { page, faults } = visit
        await open(page)
        await page.getByText('2 zones', { exact: true }).waitFor()
        await keepScreenshot(page, `usage-${scheme}-${width}`)
        expect(await accessibilityFindings(page)).toEqual([])
        await page.getByRole('link', { name: 'acme', exact: true }).click()
        await page.waitForURL(/zone=acme/u)
        await tab(page, /^Stored 12\.0 KB \+200/u).waitFor()
        await page.getByRole('table', { name: 'Usage by zone' }).waitFor({ state: 'detached' })
        await page.getByText('Show as a table').click()
        await keepScreenshot(page, `usage-zone-${scheme}-${width}`)
        expect(await accessibilityFindings(page)).toEqual([])
        expect(faults).toEqual([])
      },
      180_000,
    )

test.skipIf(executable === undefined)(
  'it is in the navigation, and in the palette by name and by keys',
  async () => {
    await using visit = await visits.visit()
    const { page } = visit
    page.setDefaultTimeout(60_000)
    await page.goto(`${service.url}/dashboard/`)
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('x')
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor()
    await page.goto(`${service.url}/dashboard/health`)
    await page.getByRole('heading', { name: 'Health', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Usage' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('usage')
    await page
      .getByRole('dialog')
      .getByRole('option', { name: /^Usage Monitoring/u })
      .click()
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor()
  },
  180_000,
)

test.skipIf(executable === undefined)(
  'who may see a zone alone sees that zone and nothing of others',
  async () => {
    const { Invitation } = await world.client.invitePerson({
      body: {
        email: 'vera@example.com',
        name: 'Vera',
        roles: [{ role: 'viewer', zones: ['bolt'] }],
      },
    })
    await using visit = await openVisit(browser, { scheme: 'light', width: 1280 })
    const { page, context, faults } = visit
    page.setDefaultTimeout(60_000)
    const developer = await context.newCDPSession(page)
    await developer.send('WebAuthn.enable')
    await developer.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    const { pathname, hash } = new URL(Invitation?.url ?? '')
    await page.goto(`http://localhost:${service.port}${pathname}${hash}`)
    await page.getByRole('button', { name: 'Register a passkey and sign in' }).click()
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Usage' }).click()
    await tab(page, /^Stored 2\.0 KB nothing before/u).waitFor()
    await page.getByText('1 zone', { exact: true }).waitFor()
    expect(await page.locator('main').innerText()).not.toContain('acme')
    expect(
      await page.getByLabel('Zone', { exact: true }).locator('option').allInnerTexts(),
    ).toEqual(['All zones', 'bolt'])
    expect(faults).toEqual([])
  },
  180_000,
)
