import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'

import { photoPainter, painted } from '../fixtures/sample-images.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { temporaryDirectory } from '../support/service-process.ts'
import { worldOf } from '../support/world.ts'
import { accessibilityFindings } from './accessibility.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { settle, openVisits, type Visit, type Visits } from './dashboard-visit.ts'

const executable = findChromium('pages of the dashboard in a browser')
const undo = new AsyncDisposableStack()
let service: LocalService
let browser: Browser
let visits: Visits

const photo = 'acme/v1/banners/photo.jpg'

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory())
  const environment = { SEARCH_BY_NAME_ONLY: 'true', MAX_FILE_MB: '28' }
  service = undo.use(await openLocalService({ dataDirectory: directory.path, environment }))
  const world = worldOf(service)
  for (const name of ['acme', 'harbour']) await world.zone(name)
  await world.put(
    photo,
    new Uint8Array(await painted({ width: 900, height: 600 }, photoPainter(3)).jpeg().toBuffer()),
  )
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

interface Where {
  readonly url: string
  readonly width?: number
}

/** A test on a page of the dashboard, which must break no policy and be accessible as it is left. */
function onPage(name: string, where: string | Where, act: (visit: Visit) => Promise<void>): void {
  const { url, width = 1280 } = typeof where === 'string' ? { url: where } : where
  test.skipIf(executable === undefined)(
    name,
    async () => {
      await using visit = await visits.visit({ scheme: 'light', width })
      await open(visit.page, url)
      await act(visit)
      expect(await accessibilityFindings(visit.page)).toEqual([])
      expect(visit.faults).toEqual([])
    },
    60_000,
  )
}

onPage(
  'tags to purge are picked, and a dry run says what there is nothing of',
  'purge',
  async ({ page }) => {
    const urls = page.getByLabel('URLs', { exact: true }).last()
    await urls.fill('/acme/v1/nothing.svg')
    await page.getByRole('button', { name: 'Only show what would go' }).click()
    await page.getByText('nothing is there').waitFor()
    await page.getByText('Tags', { exact: true }).first().click()
    // What was typed and said of URLs is not of tags.
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
  await page.getByRole('button', { name: 'Actions', exact: true }).click()
  await page.getByRole('group', { name: 'Actions' }).getByText('Purge', { exact: true }).click()
  await page.getByText('is purged from every edge.').waitFor()
})

onPage(
  'after a restore one version is current, and the other has the same bytes',
  'assets',
  async ({ page }) => {
    const path = 'acme/v1/titles/notes.txt'
    await worldOf(service).put(path, 'first')
    await worldOf(service).put(path, 'second')
    await open(page, `assets?asset=${path}`)
    await page.getByRole('button', { name: 'Restore' }).click()
    const versions = page.locator('.versions > li')
    await versions.nth(2).waitFor()
    await page.getByText('same bytes').waitFor()
    expect(await versions.nth(0).getByText('current').count()).toBe(1)
    expect(await page.getByText('current', { exact: true }).count()).toBe(1)
    expect(await versions.nth(2).getByText('same bytes').count()).toBe(1)
  },
)

onPage(
  'a domain says what to set first, never a record that cannot be',
  'domains?zone=harbour',
  async ({ page }) => {
    await page.getByRole('heading', { name: 'harbour has no domain of its own' }).waitFor()
    await page.getByLabel('Host name').fill('assets.harbour.example')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'What to set for assets.harbour.example' }).click()
    const card = page.getByRole('dialog', { name: 'assets.harbour.example' })
    await card.getByText('CNAME_TARGET').first().waitFor()
    expect(await card.getByText(/CNAME (?:localhost|127)/u).count()).toBe(0)
  },
)

onPage(
  'what is refused is neither asked for nor there to be copied',
  `transform?asset=${photo}&w=300`,
  async ({ page }) => {
    const snippet = page.locator('pre')
    await page.getByText(/300 × 200/u).waitFor()
    expect(await snippet.textContent()).toBe(`${service.url}/api/transform?url=/${photo}&w=300`)
    await page.getByRole('button', { name: 'Compare formats' }).click()
    await page.waitForLoadState('networkidle')
    let asked = 0
    page.on('request', (request) => {
      if (request.url().includes('w=99999')) asked += 1
    })
    await page.getByLabel('Width', { exact: true }).fill('99999')
    await page.getByText('1 to 8192').waitFor()
    await page.getByText('There is nothing to copy').waitFor()
    expect(await snippet.count()).toBe(0)
    await page.waitForLoadState('networkidle')
    expect(asked).toBe(0)
    await page.getByLabel('Width', { exact: true }).fill('200')
    await page.getByText(/200 × 133/u).waitFor()
    expect(await snippet.textContent()).toContain('w=200')
  },
)

onPage(
  'suspending asks, says what visitors see, and can be taken back',
  'zones',
  async ({ page }) => {
    const statusOf = async () => (await fetch(`${service.url}/${photo}`)).status
    await page.getByRole('button', { name: 'Suspend acme' }).click()
    const dialog = page.getByRole('dialog', { name: 'Suspend acme' })
    await dialog.getByText('refused with 403').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await statusOf()).toBe(200)
    await page.getByRole('button', { name: 'Suspend acme' }).click()
    await dialog.getByRole('button', { name: 'Suspend the zone' }).click()
    await page.getByText('acme is suspended.').waitFor()
    expect(await statusOf()).toBe(403)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('acme is serving again.').waitFor()
    expect(await statusOf()).toBe(200)
  },
)

const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document
    const field = activeElement instanceof HTMLInputElement ? activeElement.labels?.[0] : undefined
    return field?.textContent ?? activeElement?.getAttribute('data-path') ?? activeElement?.id
  })

onPage(
  'a dialog begins at its first field, and a name that cannot be is not sent',
  'zones',
  async ({ page }) => {
    const opener = page.getByRole('button', { name: 'Create a zone' }).first()
    await opener.click()
    const dialog = page.getByRole('dialog', { name: 'Create a zone' })
    expect(await focused(page)).toBe('Name')
    let sent = 0
    page.on('request', (request) => {
      if (request.method() === 'POST') sent += 1
    })
    await page.keyboard.type('Bad Name!')
    await dialog.getByRole('alert').waitFor()
    await page.keyboard.press('Enter')
    expect(await dialog.getByText('Files will be at').count()).toBe(0)
    expect(sent).toBe(0)
    await page.keyboard.press('Escape')
    expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true)
  },
)

onPage(
  'a drawer that a page opened with gives focus to its asset, or to the page',
  `assets?asset=${photo}`,
  async ({ page }) => {
    await page.getByRole('dialog', { name: 'photo.jpg' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await focused(page)).toBe(photo)
    await open(page, 'assets?asset=acme/v1/nothing/here.svg')
    await page.getByRole('dialog', { name: 'here.svg' }).getByRole('alert').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await focused(page)).toBe('main')
  },
)

onPage('files go where one has said, and nowhere before', 'upload', async ({ page }) => {
  // Two zones, and nobody has chosen.
  await page.getByText('Choose a zone first').waitFor()
  const file = (name: string, text: string) => ({
    name,
    mimeType: 'text/plain',
    buffer: Buffer.from(text),
  })
  await page.getByLabel('Choose files').setInputFiles(file('early.txt', 'early'))
  await page.getByText('1 file waits').waitFor()
  await page.getByLabel('Zone').selectOption('harbour')
  await page.getByLabel('Folder', { exact: true }).fill('titles/autumn')
  await page.getByRole('button', { name: 'Upload to harbour/v1/titles/autumn/' }).click()
  await page.getByText('1 file done').waitFor()
  expect(await (await fetch(`${service.url}/harbour/v1/titles/autumn/early.txt`)).text()).toBe(
    'early',
  )

  await open(page, 'upload')
  await page.getByText('harbour/v1/titles/autumn/').waitFor()
  // From the disk: so many bytes take the browser long to be told.
  await using directory = await temporaryDirectory()
  const [small, large] = [`${directory.path}/small.txt`, `${directory.path}/large.bin`]
  await Bun.write(small, 'small')
  await Bun.write(large, new Uint8Array(31_457_280))
  await page.getByLabel('Choose files').setInputFiles([small, large])
  await page.getByText('1 of 2 files done').waitFor()
  await page
    .getByText('The file has 30.0 MB; the service takes files of up to 28.0 MB.')
    .first()
    .waitFor()
})

onPage(
  'the overview says what its chart spans, and lists every part of the health',
  '',
  async ({ page }) => {
    await page.getByText(/^The last 7 days; times in/u).waitFor()
    await page.getByRole('slider', { name: /^Requests by the hour/u }).waitFor()
    const response = await fetch(`${service.url}/api/health?deep=1`)
    const { checks } = (await response.json()) as { readonly checks: readonly unknown[] }
    const shown = page.locator('.health-checks > li')
    await shown.first().waitFor()
    expect(await shown.count()).toBe(checks.length)
    expect(checks.length).toBeGreaterThan(2)
  },
)

onPage('sessions are named as people name browsers', 'sessions', async ({ page }) => {
  await page
    .getByText(/^Chrome \d+ on Linux$/u)
    .first()
    .waitFor()
  expect(await page.getByText('Mozilla/5.0').count()).toBe(0)
})

onPage(
  'assets begin in the upper half of a phone',
  { url: 'assets', width: 390 },
  async ({ page }) => {
    const first = page.getByRole('list', { name: 'Assets' }).getByRole('button').first()
    expect((await first.boundingBox())?.y).toBeLessThan(400)
    await page.getByText('Filters', { exact: true }).click()
    await page.getByLabel('Category').selectOption('banners')
    await page.getByText('Filters (1)').waitFor()
  },
)

onPage('a wide screen is used', { url: 'assets', width: 2560 }, async ({ page }) => {
  const scroller = await page.locator('.asset-scroller').boundingBox()
  expect(scroller?.width).toBeGreaterThan(2000)
})

onPage(
  'a slash begins a search, and a search by meaning says what it looks at',
  'assets',
  async ({ page }) => {
    await page.keyboard.press('/')
    expect(await focused(page)).toBe('Search assets')
    await page.keyboard.type('round/thing')
    await page.getByText('By meaning', { exact: true }).click()
    await page.getByText('What a photograph shows is not looked at.').waitFor()
  },
)
