import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'

import { type LocalService, openLocalService } from '../support/local-service.ts'
import { temporaryDirectory, testKeys } from '../support/service-process.ts'
import { type World, worldOf } from '../support/world.ts'
import { accessibilityFindings } from './accessibility.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { keepScreenshot, type Look, openVisit, settle } from './dashboard-visit.ts'
import { type Hand, keyboard, mouse, reachItem } from './hand.ts'

const executable = findChromium('the journey of an editor')
const undo = new AsyncDisposableStack()
let service: LocalService
let world: World
let browser: Browser

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory())
  const environment = { SEARCH_BY_NAME_ONLY: 'true' }
  service = undo.use(await openLocalService({ dataDirectory: directory.path, environment }))
  world = worldOf(service)
  await world.zone('acme')
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
}, 60_000)
afterAll(() => undo.disposeAsync())

/** Both hands, both themes, both widths: four of the eight ways, so that each meets each. */
const ways = [
  { hand: mouse, scheme: 'light', width: 1440, folder: 'by-day' },
  { hand: mouse, scheme: 'dark', width: 390, folder: 'at-night' },
  { hand: keyboard, scheme: 'dark', width: 1440, folder: 'by-keys' },
  { hand: keyboard, scheme: 'light', width: 390, folder: 'by-few-keys' },
] as const

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).first()

interface Walk {
  readonly page: Page
  readonly hand: Hand
  readonly look: Look
  /** In `acme`, of this walk alone. */
  readonly folder: string
}

async function signIn({ page, hand }: Walk): Promise<void> {
  await page.goto(`${service.url}/dashboard/login`)
  await hand.type(page.getByLabel('Password'), testKeys.DASHBOARD_PASSWORD)
  await hand.activate(button(page, 'Sign in'))
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  await settle(page)
}

/** By the navigation, which is behind a button where there is no room for it. */
async function go({ page, hand, look }: Walk, name: string): Promise<void> {
  const isNarrow = look.width < 896
  if (isNarrow) await hand.activate(button(page, 'Open the navigation'))
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await hand.activate(pages.getByRole('link', { name, exact: true }))
  await page.getByRole('heading', { name, level: 1 }).waitFor()
  await settle(page)
}

for (const { hand: handOf, scheme, width, folder } of ways)
  test.skipIf(executable === undefined)(
    `an editor uploads, renames, tags, describes and shows a preview around, ${scheme}, ${width} wide, by ${handOf.name}`,
    async () => {
      const look = { scheme, width }
      await using visit = await openVisit(browser, look)
      const { page, faults } = visit
      const walk: Walk = { page, hand: handOf(page), look, folder }
      const shown = async (name: string) => {
        await settle(page)
        expect({ name, findings: await accessibilityFindings(page) }).toEqual({
          name,
          findings: [],
        })
        await keepScreenshot(page, `editor-${name}-${scheme}-${width}`)
      }
      await visit.context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await signIn(walk)
      await upload(walk)
      await shown('uploaded')
      await changeMany(walk)
      await shown('changed')
      await showAround(walk)
      await shown('preview')
      expect(faults).toEqual([])
    },
    180_000,
  )

/** Into a folder that is made by it. */
async function upload(walk: Walk): Promise<void> {
  const { page, hand, folder } = walk
  await go(walk, 'Upload')
  const main = page.locator('#main')
  await hand.choose(main.getByLabel('Zone', { exact: true }), 'acme')
  await hand.type(main.getByLabel('Folder', { exact: true }), folder)
  await hand.bring(button(page, 'Choose files'), {
    'tent.txt': `a tent ${folder}`,
    'boat.txt': `a boat ${folder}`,
  })
  await page.getByText('2 files done').first().waitFor()
  expect(await (await fetch(`${service.url}/acme/v1/${folder}/tent.txt`)).text()).toBe(
    `a tent ${folder}`,
  )
}

/** Renames one, tags and describes all. */
async function changeMany({ page, hand, folder }: Walk): Promise<void> {
  await page.goto(`${service.url}/dashboard/assets?folder=acme/v1/${folder}`)
  await settle(page)
  const item = page.locator('[data-path$="/tent.txt"]')
  if (hand.name === 'mouse') await item.locator('.asset-name').dblclick()
  else {
    await reachItem(page, item)
    await page.keyboard.press('F2')
  }
  await page.getByLabel('New name of tent.txt').waitFor()
  await page.keyboard.type('camp')
  await page.keyboard.press('Enter')
  await page.getByText('tent.txt is now camp.txt.').waitFor()
  const camp = page.locator('[data-path$="/camp.txt"]')
  if (hand.name === 'mouse') await page.getByRole('checkbox', { name: 'Select camp.txt' }).click()
  else {
    await reachItem(page, camp)
    await page.keyboard.press('Space')
  }
  await page.keyboard.press('ControlOrMeta+a')
  await page.getByRole('status').filter({ hasText: '2 selected' }).first().waitFor()
  await hand.activate(button(page, 'Tag'))
  const dialog = page.getByRole('dialog')
  await hand.type(dialog.getByLabel('Tags'), 'spring, draft')
  await page.keyboard.press('Enter')
  await page.getByText('Tags of 2 assets changed.').waitFor()
  await hand.activate(button(page, 'Describe'))
  await hand.type(dialog.getByLabel('Copyright'), 'Acme')
  await page.keyboard.press('Enter')
  await page.getByText('2 assets described.').waitFor()
  const { Metadata } = await world.client.getAssetMetadata({
    path: `acme/v1/${folder}/camp.txt`,
  })
  expect(Metadata).toMatchObject({ Copyright: 'Acme', Tags: ['draft', 'spring'] })
}

/** Makes a preview, and takes the URL of its files along. */
async function showAround(walk: Walk): Promise<void> {
  const { page, hand, folder } = walk
  await go(walk, 'Previews')
  const name = `of-${folder}`
  await hand.activate(button(page, 'Create a preview'))
  const dialog = page.getByRole('dialog', { name: 'Create a preview of acme' })
  await hand.type(dialog.getByLabel('Name'), name)
  await hand.activate(dialog.getByRole('button', { name: 'Create the preview' }))
  await page.getByRole('heading', { name, level: 2 }).waitFor()
  await hand.activate(page.locator('#main').getByRole('button', { name: /^Cop/u }).first())
  const url = await page.evaluate(() => navigator.clipboard.readText())
  expect(await (await fetch(`${url}${folder}/camp.txt`)).text()).toBe(`a tent ${folder}`)
}
