import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'

import { photoPainter, painted } from '../fixtures/sample-images.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { temporaryDirectory } from '../support/service-process.ts'
import { worldOf } from '../support/world.ts'
import { accessibilityFindings } from './accessibility.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { openVisits, settle, type Visits } from './dashboard-visit.ts'

const executable = findChromium('zones, rules and domains in a browser')
const undo = new AsyncDisposableStack()
let service: LocalService
let browser: Browser
let visits: Visits

const photo = 'acme/v1/banners/photo.jpg'
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory())
  const environment = {
    SEARCH_BY_NAME_ONLY: 'true',
    CNAME_TARGET: 'edge.cdn.example',
    DNS_SERVERS: '127.0.0.1:9',
  }
  service = undo.use(await openLocalService({ dataDirectory: directory.path, environment }))
  const world = worldOf(service)
  for (const name of ['acme', 'harbour', 'quiet']) await world.zone(name)
  const body = await painted({ width: 600, height: 400 }, photoPainter(5)).jpeg().toBuffer()
  await world.put(photo, new Uint8Array(body))
  for (const name of ['logo', 'mark', 'sign']) await world.put(`acme/v1/logos/${name}.svg`, svg)
  await world.put('harbour/v1/logos/logo.svg', svg)
  await world.client.addDomain({ id: 'acme', body: { Hostname: 'assets.acme.example' } })
  await world.client.addDomain({ id: 'harbour', body: { Hostname: 'img.harbour.example' } })
  for (const path of [photo, 'acme/v1/logos/logo.svg', 'acme/v1/nothing.svg'])
    await (await fetch(`${service.url}/${path}`)).body?.cancel()
  await world.rules('_headers', '/*\n  X-Policy: all\n')
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

function onPage(name: string, address: string, act: (page: Page) => Promise<void>): void {
  test.skipIf(executable === undefined)(
    name,
    async () => {
      await using visit = await visits.visit()
      await open(visit.page, address)
      await act(visit.page)
      expect(await accessibilityFindings(visit.page)).toEqual([])
      expect(visit.faults).toEqual([])
    },
    60_000,
  )
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

const at = (page: Page) => new URL(page.url()).pathname + new URL(page.url()).search

onPage('a zone has a home, and what it has is a tab away', 'zones', async (page) => {
  const row = page.getByRole('row').filter({ hasText: 'assets.acme.example' })
  await row.getByRole('img', { name: 'Requests by day' }).waitFor()
  await page.getByRole('link', { name: 'acme', exact: true }).click()
  await page.getByRole('heading', { name: 'acme', level: 1 }).waitFor()
  await page.getByText('Top assets').waitFor()
  await page.getByLabel(/^Requests by day/u).waitFor()
  await page.getByRole('link', { name: 'SVG', exact: true }).waitFor()
  await page.getByText('By folder').click()
  await page.getByRole('link', { name: 'banners', exact: true }).waitFor()
  const bar = page.getByRole('navigation', { name: 'Zone acme' })
  for (const [tab, seen] of [
    ['Domains', 'assets.acme.example'],
    ['Rules', 'Explain a URL'],
    ['Named transforms', 'Examples'],
    ['Tokens', 'No token reaches acme'],
    ['Settings', 'Danger zone'],
  ] as const) {
    await bar.getByRole('link', { name: tab, exact: true }).click()
    await page.getByText(seen, { exact: true }).first().waitFor()
  }
  expect(at(page)).toBe('/dashboard/zone?zone=acme&tab=settings')
})

onPage(
  'what a zone may have is said in its settings, and its overview shows what is used of it',
  'zone?zone=harbour&tab=settings',
  async (page) => {
    const files = page.getByLabel('Stored files')
    await files.fill('many')
    await page.getByText('A whole number, a dash, or nothing').waitFor()
    expect(await page.getByRole('button', { name: 'Save quotas' }).isDisabled()).toBe(true)
    await files.fill('2')
    await page.getByLabel('Stored bytes').fill('-')
    await page.getByLabel('When traffic, requests or new variants are used up').selectOption('cut')
    await press(page, 'Save quotas')
    await page.getByText('The quotas of harbour are saved.').waitFor()
    const { Quotas, WhenUsedUp } = await worldOf(service).client.getZoneQuotas({ id: 'harbour' })
    expect(WhenUsedUp).toBe('cut')
    expect(Quotas.find(({ Name }) => Name === 'files')).toMatchObject({ Limit: 2, Own: true })
    expect(Quotas.find(({ Name }) => Name === 'bytes')).toMatchObject({ Limit: null, Own: true })

    const bar = page.getByRole('navigation', { name: 'Zone harbour' })
    await bar.getByRole('link', { name: 'Overview', exact: true }).click()
    await page.getByText('1 of 2').waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
  },
)

onPage(
  'the switcher shows another zone on the page one is on, and the navigation keeps it',
  'zone?zone=acme&tab=settings',
  async (page) => {
    await page.getByLabel('Scope').first().selectOption('harbour')
    await page.getByRole('heading', { name: 'harbour', level: 1 }).waitFor()
    expect(at(page)).toBe('/dashboard/zone?zone=harbour&tab=settings')
    await page.getByRole('link', { name: 'Edge rules' }).first().click()
    expect(at(page)).toBe('/dashboard/rules?zone=harbour')
    await page.getByLabel('Scope').first().selectOption('')
    expect(at(page)).toBe('/dashboard/rules')
    await settle(page)
  },
)

onPage('a zone that was created is shown, with the way to upload to it', 'zones', async (page) => {
  await press(page, 'Create a zone')
  const dialog = page.getByRole('dialog', { name: 'Create a zone' })
  await dialog.getByLabel('Name').fill('Bad Name!')
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('Name').fill('fresh')
  await dialog.getByRole('button', { name: 'Create the zone' }).click()
  await page.getByRole('heading', { name: 'fresh is ready' }).waitFor()
  await page.getByRole('link', { name: 'Upload to it' }).click()
  expect(at(page)).toBe('/dashboard/upload?zone=fresh')
  await settle(page)
})

onPage(
  'rules of a zone are checked as they are typed, explained before they are saved, and taken back',
  'zone?zone=acme&tab=rules',
  async (page) => {
    const editor = page.getByLabel('Rules in _headers')
    const note = page.locator('.line-notes li')
    await editor.fill('/v1/*\n  X-Fine: 1\n  X-Accel-Redirect: /x\n')
    await note.first().waitFor()
    expect(await note.count()).toBe(1)
    expect(await page.getByRole('alert').count()).toBe(0)

    await editor.fill('/v1/*\n  X-Policy: own\n  X-Draft: 1\n')
    await page.getByLabel('URL', { exact: true }).fill('/acme/v1/logos/logo.svg')
    await press(page, 'Explain')
    await page.locator('.code-block').getByText('x-draft: 1').waitFor()
    await page.getByText('_headers, line 1, zone acme').waitFor()
    await page.getByText('Without effect here: x-policy').waitFor()
    const headers = async () => (await fetch(`${service.url}/acme/v1/logos/logo.svg`)).headers
    expect((await headers()).get('x-draft')).toBeNull()

    await open(page, 'zones')
    await open(page, 'zone?zone=acme&tab=rules')
    await page.getByText('from your last visit').waitFor()
    expect(await editor.inputValue()).toContain('X-Draft')
    await press(page, 'Save')
    await page.getByText('Saved.', { exact: true }).waitFor()
    expect((await headers()).get('x-draft')).toBe('1')

    await press(page, 'Insert Keep out of search engines')
    expect(await editor.inputValue()).toContain('X-Robots-Tag')
    await press(page, 'Save')
    await page
      .getByRole('button', { name: /^Compare/u })
      .first()
      .click()
    const dialog = page.getByRole('dialog', { name: /_headers at/u })
    await dialog.getByText('X-Robots-Tag: noindex').waitFor()
    expect(await dialog.locator('[data-change="removed"]').count()).toBeGreaterThan(0)
    expect(await accessibilityFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('_headers is as it was.').waitFor()
    expect(await editor.inputValue()).toBe('/v1/*\n  X-Policy: own\n  X-Draft: 1\n')
    await settle(page)
  },
)

onPage('all domains are one table, with what to set and a look now', 'domains', async (page) => {
  await page.getByRole('button', { name: 'img.harbour.example', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Check now assets.acme.example' }).click()
  await page.getByText(/assets\.acme\.example (?:is being|was) looked at/u).waitFor()
  await page.getByRole('button', { name: 'What to set for assets.acme.example' }).click()
  const dialog = page.getByRole('dialog', { name: 'assets.acme.example' })
  await dialog.getByText('edge.cdn.example').waitFor()
  await dialog.getByRole('button', { name: 'Copy value' }).waitFor()
  expect(await accessibilityFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByLabel('Zone', { exact: true }).selectOption('quiet')
  await page.getByRole('heading', { name: 'quiet has no domain of its own' }).waitFor()
})

onPage(
  'what a zone is delivered with is set, and a zone is deleted by its name alone',
  'zone?zone=quiet&tab=settings',
  async (page) => {
    const lifetime = page.getByLabel('Cache lifetime, in seconds')
    await lifetime.fill('often')
    await page.getByText('A whole number from 0 to').waitFor()
    await lifetime.fill('3600')
    await page.getByLabel('What images keep of their metadata').selectOption('copyright')
    await press(page, 'Save delivery')
    await page.getByText('How quiet is delivered is saved.').waitFor()
    expect(await worldOf(service).client.getZone({ id: 'quiet' })).toMatchObject({
      CacheLifetime: 3600,
      Metadata: 'copyright',
    })
    await press(page, 'Delete…')
    const dialog = page.getByRole('dialog', { name: 'Delete quiet' })
    expect(await dialog.getByRole('button', { name: 'Delete the zone' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Type quiet to confirm').fill('quiet')
    await dialog.getByRole('button', { name: 'Delete the zone' }).click()
    await page.getByRole('heading', { name: 'Zones', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'quiet', exact: true }).waitFor({ state: 'detached' })
    await settle(page)
  },
)
