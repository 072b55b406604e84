import { afterAll, beforeAll, expect } from 'bun:test'
import type { Browser } from 'playwright-core'

import { type LocalService, openLocalService } from '../support/local-service.ts'
import { temporaryDirectory } from '../support/service-process.ts'
import { type World, worldOf } from '../support/world.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { settle } from './dashboard-visit.ts'
import { reachItem } from './hand.ts'
import { button, copied, go, journey, signIn, type Walk } from './journey.ts'

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

journey({
  who: 'an editor',
  does: 'uploads, renames, tags, describes and shows a preview around',
  isSkipped: executable === undefined,
  browser: () => browser,
  async act(walk) {
    await signIn(walk, service.url)
    await upload(walk)
    await walk.shown('uploaded')
    await changeMany(walk)
    await walk.shown('changed')
    await showAround(walk)
    await walk.shown('preview')
  },
})

/** Into a folder that is made by it. */
async function upload(walk: Walk): Promise<void> {
  const { page, hand, name: folder } = walk
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
async function changeMany({ page, hand, name: folder }: Walk): Promise<void> {
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
  const { page, hand, name: folder } = walk
  await go(walk, 'Previews')
  const name = `of-${folder}`
  await hand.activate(button(page, 'Create a preview'))
  const dialog = page.getByRole('dialog', { name: 'Create a preview of acme' })
  await hand.type(dialog.getByLabel('Name'), name)
  await hand.activate(dialog.getByRole('button', { name: 'Create the preview' }))
  await page.getByRole('heading', { name, level: 2 }).waitFor()
  await hand.activate(page.locator('#main').getByRole('button', { name: /^Cop/u }).first())
  const url = await copied(page)
  expect(await (await fetch(`${url}${folder}/camp.txt`)).text()).toBe(`a tent ${folder}`)
}
