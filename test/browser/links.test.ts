import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'

import { pageNames } from '../../web/dashboard/page-names.ts'
import { parametersByPage } from '../../web/dashboard/page-parameters.ts'
import { photoPainter, painted } from '../fixtures/sample-images.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { access, temporaryDirectory } from '../support/service-process.ts'
import { worldOf } from '../support/world.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { openVisits, settle, type Visits } from './dashboard-visit.ts'

const executable = findChromium('the links of every page')
const undo = new AsyncDisposableStack()
let service: LocalService
let browser: Browser
let visits: Visits

const photo = 'acme/v1/banners/a photo.jpg'
const other = 'acme/v1/banners/other.jpg'

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory())
  const environment = { SEARCH_BY_NAME_ONLY: 'true' }
  service = undo.use(await openLocalService({ dataDirectory: directory.path, environment }))
  const world = worldOf(service)
  await world.zone('acme')
  const body = await painted({ width: 900, height: 600 }, photoPainter(3)).jpeg().toBuffer()
  for (const path of [photo, other]) await world.put(path, new Uint8Array(body))
  for (let count = 0; count < 3; count += 1) {
    await fetch(`${service.url}/${encodeURI(photo)}`)
    await fetch(`${service.url}/acme/v1/icons/never.svg`)
  }
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
  visits = undo.use(openVisits(browser, service.url))
}, 60_000)
afterAll(() => undo.disposeAsync())

const pages: readonly string[] = [
  '/',
  '/docs/',
  '/api/docs',
  `/watch?path=${encodeURIComponent(other)}`,
  '/nothing-here',
  '/docs/nothing-here',
  '/dashboard/login',
  '/dashboard/passkeys',
  ...pageNames.map((name) => `/dashboard/${name === 'overview' ? '' : name}`),
  `/dashboard/assets?asset=${encodeURIComponent(photo)}`,
  '/dashboard/assets?q=nothing+like+this',
  `/dashboard/transform?asset=${encodeURIComponent(photo)}`,
  '/dashboard/insights?days=1&zone=acme',
]

interface FoundLink {
  readonly from: string
  readonly href: string
}

const linksOf = async (page: Page, from: string): Promise<readonly FoundLink[]> =>
  (await hrefsOn(page, from)).map((href) => ({ from, href }))

async function hrefsOn(page: Page, from: string): Promise<readonly string[]> {
  await page.goto(service.url + from)
  await page.getByRole('heading').first().waitFor()
  await settle(page)
  // What a page shows after its own questions are answered has links too.
  if (from.startsWith('/dashboard/')) await page.waitForLoadState('networkidle').catch(() => {})
  return await page
    .locator('a[href]')
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href))
}

/** Why the link leads nowhere, or says something that nobody reads. */
async function faultOf(page: Page, { href }: FoundLink): Promise<string | undefined> {
  const { origin, pathname, hash, searchParams, protocol } = new URL(href)
  if (origin !== service.url) return protocol === 'https:' ? undefined : 'leads out, unencrypted'
  const response = await page.context().request.get(href)
  if (response.status() >= 400) return `answers ${response.status()}`
  if (pathname.startsWith('/dashboard/')) return ignoredParameter(pathname, searchParams)
  // The page of the API makes its places itself.
  if (hash === '' || pathname === '/api/docs') return undefined
  const text = await response.text()
  return text.includes(`id="${decodeURIComponent(hash.slice(1))}"`)
    ? undefined
    : 'has no such place'
}

function ignoredParameter(pathname: string, query: URLSearchParams): string | undefined {
  const name = pathname.slice('/dashboard/'.length)
  const page = name === '' ? 'overview' : pageNames.find((each) => each === name)
  const read: readonly string[] = page === undefined ? [] : parametersByPage[page]
  const ignored = [...query.keys()].filter((key) => !read.includes(key))
  return ignored.length === 0 ? undefined : `the page ignores ${ignored.join(', ')}`
}

test.skipIf(executable === undefined)(
  'every link of every page leads somewhere, and the page there reads all that it says',
  async () => {
    await using visit = await visits.visit()
    const { page } = visit
    await page.goto(`${service.url}/docs/`)
    const documents = await page
      .locator('#contents a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
    const fromByHref = new Map<string, string>()
    for (const from of [...pages, ...documents])
      for (const { href } of await linksOf(page, from))
        if (!fromByHref.has(href)) fromByHref.set(href, from)
    const faults: string[] = []
    const ofApi = new Set(await hrefsOn(page, '/api/docs'))
    for (const way of ['/', '/docs/', '/dashboard/'])
      expect(ofApi.has(service.url + way)).toBe(true)
    for (const [href, from] of fromByHref) {
      const fault = await faultOf(page, { from, href })
      if (fault !== undefined) faults.push(`${from}: ${href} ${fault}`)
    }

    expect(faults).toEqual([])
    expect(fromByHref.size).toBeGreaterThan(100)
  },
  240_000,
)

test.skipIf(executable === undefined)(
  'what is most asked for opens with its traffic, and what was not found with its history',
  async () => {
    await using visit = await visits.visit()
    const { page, faults } = visit
    await page.goto(`${service.url}/dashboard/insights`)
    await page.getByRole('link', { name: photo }).click()
    const drawer = page.getByRole('dialog', { name: 'a photo.jpg' })
    // Three at least: whoever follows every link asks for it, too.
    await drawer.getByText(/^(?:[3-9]|[1-9]\d) requests$/u).waitFor()
    await page.goto(`${service.url}/dashboard/insights`)
    await page.getByRole('link', { name: 'acme/v1/icons/never.svg', exact: true }).click()
    await page.getByRole('dialog', { name: 'never.svg' }).getByRole('alert').waitFor()
    expect(faults).toEqual([])
  },
  60_000,
)

const requestsCounted = async (): Promise<unknown> => {
  const response = await fetch(`${service.url}/api/insights/summary?days=1`, { headers: access })
  const { TotalRequests, TotalBandwidthBytes, CacheHitRate } = (await response.json()) as {
    readonly [name: string]: unknown
  }
  return { TotalRequests, TotalBandwidthBytes, CacheHitRate }
}

test.skipIf(executable === undefined)(
  'looking at pages of the dashboard is no traffic, and looking at a URL is',
  async () => {
    await using visit = await visits.visit()
    const { page } = visit
    const before = await requestsCounted()
    let images = 0
    page.on('response', (response) => {
      if (response.request().resourceType() === 'image' && response.ok()) images += 1
    })
    const asset = encodeURIComponent(photo)
    for (const url of ['', 'assets', `assets?asset=${asset}`, `transform?asset=${asset}&w=77`]) {
      await page.goto(`${service.url}/dashboard/${url}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
    }
    expect(images).toBeGreaterThan(3)
    expect(await requestsCounted()).toEqual(before)

    await page.goto(`${service.url}/${encodeURI(photo)}`)
    await page.goto(`${service.url}/api/transform?url=/${encodeURI(photo)}&w=78&format=jpeg`)
    expect(await requestsCounted()).toMatchObject({
      TotalRequests: (before as { readonly TotalRequests: number }).TotalRequests + 2,
    })
  },
  60_000,
)
