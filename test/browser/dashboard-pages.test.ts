import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'

import { photoPainter, painted } from '../fixtures/pictures.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { access, account, temporaryDirectory } from '../support/service-process.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { seriousFindings, settle, type Visit, visitDashboard } from './dashboard-visit.ts'

const executable = findChromium('pages of the dashboard in a browser')
const undo = new AsyncDisposableStack()
let service: LocalService
let browser: Browser

const photo = 'acme/v1/banners/photo.jpg'

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory())
  const environment = { SEARCH_BY_NAME_ONLY: 'true' }
  service = undo.use(await openLocalService({ dataDirectory: directory.path, environment }))
  for (const Name of ['acme', 'harbour'])
    await fetch(`${service.url}/api/core/zones`, {
      method: 'POST',
      headers: account,
      body: JSON.stringify({ Name }),
    })
  await put(photo, await painted({ width: 900, height: 600 }, photoPainter(3)).jpeg().toBuffer())
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
}, 60_000)
afterAll(() => undo.disposeAsync())

async function put(path: string, body: string | Buffer): Promise<void> {
  const answer = await fetch(`${service.url}/api/storage/clients/${encodeURI(path)}`, {
    method: 'PUT',
    headers: access,
    body: typeof body === 'string' ? body : new Uint8Array(body),
  })
  expect(answer.status).toBe(201)
}

async function open(page: Page, address: string): Promise<void> {
  await page.goto(`${service.url}/dashboard/${address}`)
  await page.getByRole('heading').first().waitFor()
  await settle(page)
}

/** A test on a page of the dashboard, which must break no policy and be accessible as it is left. */
const onPage = (name: string, address: string, act: (visit: Visit) => Promise<void>): void =>
  test.skipIf(executable === undefined)(
    name,
    async () => {
      await using visit = await visitDashboard(browser, service.url)
      await open(visit.page, address)
      await act(visit)
      expect(await seriousFindings(visit.page)).toEqual([])
      expect(visit.faults).toEqual([])
    },
    60_000,
  )

onPage(
  'tags to purge are picked, and a dry run says what there is nothing of',
  'purge',
  async ({ page }) => {
    const addresses = page.getByLabel('Addresses', { exact: true }).last()
    await addresses.fill('/acme/v1/nothing.svg')
    await page.getByRole('button', { name: 'Only show what would go' }).click()
    await page.getByText('nothing is there').waitFor()
    await page.getByText('Tags', { exact: true }).first().click()
    // What was typed and said of addresses is not of tags.
    const tags = page.getByRole('textbox', { name: 'Tags' })
    expect(await tags.inputValue()).toBe('')
    expect(await page.getByText('Would be purged').count()).toBe(0)
    await page.getByLabel('Add a zone').selectOption('acme')
    await page.getByLabel('Add a category').selectOption('banners')
    expect(await tags.inputValue()).toBe('zone-acme\ncategory-banners')
    await page.getByRole('button', { name: 'Purge', exact: true }).click()
    await page.getByText('Purged: 2').waitFor()
    await page.getByRole('heading', { name: 'Recent purges' }).waitFor()
    await tags.fill('zone:acme')
    await page.getByText('such as zone-acme').last().waitFor()
    expect(await page.getByRole('button', { name: 'Purge', exact: true }).isDisabled()).toBe(true)
  },
)

onPage('an asset is purged from its drawer', `assets?asset=${photo}`, async ({ page }) => {
  await page.getByRole('link', { name: 'Purge', exact: true }).last().click()
  await page.getByRole('button', { name: 'Only show what would go' }).click()
  await page.getByText('1 asset', { exact: true }).waitFor()
})
