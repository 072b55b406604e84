import { afterAll, beforeAll, expect } from 'bun:test'
import type { Browser } from 'playwright-core'

import { freePort } from '../support/free-port.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { temporaryDirectory } from '../support/service-process.ts'
import { type World, worldOf } from '../support/world.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { settle } from './dashboard-visit.ts'
import { reachItem } from './hand.ts'
import { button, copied, go, journey, openNavigation, type Walk } from './journey.ts'

const executable = findChromium('the journey of a publisher')
const undo = new AsyncDisposableStack()
let service: LocalService
let world: World
let browser: Browser

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory())
  const port = await freePort()
  service = undo.use(
    await openLocalService({
      dataDirectory: directory.path,
      port,
      environment: { BASE_URL: `http://localhost:${port}`, SEARCH_BY_NAME_ONLY: 'true' },
    }),
  )
  world = worldOf(service)
  await world.zone('of-others')
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
}, 60_000)
afterAll(() => undo.disposeAsync())

journey({
  who: 'a publisher',
  does: 'promotes a preview, tries a rule, purges, takes a version back and sees what is visited',
  isSkipped: executable === undefined,
  browser: () => browser,
  async act(walk) {
    await furnish(walk)
    await join(walk)
    await promote(walk)
    await tryRule(walk)
    await purge(walk)
    await visitAsset(walk)
    await seeTraffic(walk)
  },
})

/** A zone that somebody visits, with a preview that somebody asks to have published. */
async function furnish({ name }: Walk): Promise<void> {
  const { client } = world
  await world.zone(name)
  await world.put(`${name}/v1/texts/hours.txt`, 'open on mondays\n')
  await world.put(`${name}/v1/texts/hours.txt`, 'open on weekdays\n')
  const preview = { headers: { 'Sedge-Preview': 'spring' } }
  await client.createPreview({ id: name, body: { Name: 'spring' } })
  await client.putFile({ path: `${name}/v1/texts/hours.txt`, body: 'open every day\n' }, preview)
  await client.putFile({ path: `${name}/v1/texts/fair.txt`, body: 'in april\n' }, preview)
  for (let visits = 0; visits < 3; visits += 1)
    expect(await textAt(`/${name}/v1/texts/hours.txt`)).toBe('open on weekdays\n')
}

const textAt = async (path: string) => (await fetch(new URL(path, service.url))).text()

/** By an invitation; what the role does not open is not in the navigation. */
async function join(walk: Walk): Promise<void> {
  const { page, hand, visit, name } = walk
  const developer = await visit.context.newCDPSession(page)
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
  const { Invitation } = await world.client.invitePerson({
    body: {
      email: `pia-${name}@example.com`,
      name: 'Pia',
      roles: [{ role: 'publisher', zones: [name] }],
    },
  })
  await page.goto(Invitation?.url ?? '')
  await page.getByRole('heading', { name: 'Welcome, Pia' }).waitFor()
  await hand.activate(button(page, 'Register a passkey and sign in'))
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  await settle(page)
  await walk.shown('joined')
  const pages = await openNavigation(walk)
  await pages.getByRole('link', { name: 'Purge' }).waitFor()
  for (const closed of ['People', 'Webhooks', 'Backups', 'Erasures'])
    await pages.getByRole('link', { name: closed }).waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
}

/** Finds what the preview changes, looks at a difference, and makes it live. */
async function promote(walk: Walk): Promise<void> {
  const { page, hand, name } = walk
  await go(walk, 'Previews')
  await hand.activate(page.getByRole('link', { name: 'spring', exact: true }))
  await page.getByRole('heading', { name: 'spring', level: 2 }).waitFor()
  await hand.activate(page.getByRole('button', { name: /texts\/hours\.txt/u }))
  const difference = page.getByRole('dialog', { name: 'hours.txt' })
  await difference.getByText('15 B, text').waitFor()
  await walk.shown('difference')
  await hand.activate(difference.getByRole('button', { name: 'Close', exact: true }))
  await difference.waitFor({ state: 'detached' })
  await hand.activate(button(page, 'Promote…'))
  await page.getByRole('button', { name: 'Make it live: 2 files', disabled: false }).waitFor()
  await walk.shown('promote')
  await hand.activate(button(page, 'Make it live: 2 files'))
  await page.getByText('spring is live: 2 files.').waitFor()
  expect(await textAt(`/${name}/v1/texts/hours.txt`)).toBe('open every day\n')
}

/** A draft says what it would do; to save it is for somebody else, and the button says who. */
async function tryRule(walk: Walk): Promise<void> {
  const { page, hand, name } = walk
  await go(walk, 'Edge rules')
  const main = page.locator('#main')
  await hand.choose(main.getByLabel('Zone', { exact: true }), name)
  await hand.pick(main.getByRole('radio', { name: 'Redirects' }))
  const editor = page.getByLabel('Rules in _redirects')
  await hand.type(editor, '/v1/summer/* /v1/texts/:splat 302')
  await hand.type(main.getByLabel('URL', { exact: true }), `/${name}/v1/summer/fair.txt`)
  await hand.activate(button(page, 'Explain'))
  await page.getByText(`Leads to /${name}/v1/texts/fair.txt with 302.`).waitFor()
  const save = button(page, 'Save')
  expect(await save.getAttribute('title')).toContain(`admin of ${name} does.`)
  expect(await page.getByRole('alert').count()).toBe(0)
  await walk.shown('rule')
  await hand.activate(button(page, 'Discard changes'))
}

/** Everything of the zone, having seen what that is. */
async function purge(walk: Walk): Promise<void> {
  const { page, hand, name } = walk
  await go(walk, 'Purge')
  const main = page.locator('#main')
  await hand.pick(main.getByRole('radio', { name: 'Tags' }))
  await hand.type(main.getByLabel('Tags', { exact: true }).last(), `zone-${name}`)
  await hand.activate(button(page, 'Only show what would go'))
  await page.getByText('Would be purged').waitFor()
  await main.getByText('2 assets').waitFor()
  await walk.shown('purge')
  await hand.activate(main.getByRole('button', { name: 'Purge', exact: true }))
  await page.getByText('Purged: 1').waitFor()
}

/** Its traffic, a URL for somebody else, a former version, and the history that tells of all. */
async function visitAsset(walk: Walk): Promise<void> {
  const { page, hand, name } = walk
  await page.goto(`${service.url}/dashboard/assets?folder=${name}/v1/texts`)
  await settle(page)
  const item = page.locator('[data-path$="/hours.txt"]')
  if (hand.name === 'mouse') await item.click()
  else {
    await reachItem(page, item)
    await page.keyboard.press('Enter')
  }
  const drawer = page.getByRole('dialog', { name: 'hours.txt' })
  await drawer.getByText('4 requests', { exact: true }).waitFor()
  await hand.activate(drawer.getByRole('button', { name: 'Actions' }))
  await hand.activate(drawer.getByRole('button', { name: 'Signed URL…' }))
  await copySignedUrl(walk)
  const former = drawer.getByRole('listitem').filter({ hasText: /^(?!.*current).*Restore/su })
  await hand.activate(former.last().getByRole('button', { name: 'Restore' }))
  await page.getByText('The version is back').waitFor()
  expect(await textAt(`/${name}/v1/texts/hours.txt`)).toBe('open on mondays\n')
  await walk.shown('asset')
  await hand.activate(drawer.getByRole('link', { name: 'Show in the history of the zone' }))
  await page.getByRole('heading', { name: 'History', level: 1 }).waitFor()
  await page
    .getByRole('link', { name: /^Restore/u })
    .first()
    .waitFor()
  await walk.shown('history')
}

async function copySignedUrl({ page, hand }: Walk): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Signed URL' })
  await hand.activate(dialog.getByRole('button', { name: 'Make the URL' }))
  await hand.activate(dialog.getByRole('button', { name: /^Copy/u }).first())
  await dialog
    .getByRole('button', { name: 'Copied' })
    .or(dialog.getByText('Copied'))
    .first()
    .waitFor()
  const url = await copied(page)
  expect(await textAt(url)).toBe('open every day\n')
  await hand.activate(dialog.getByRole('button', { name: 'Close', exact: true }).last())
  await dialog.waitFor({ state: 'detached' })
}

/** Of the week, as a chart and as a table. */
async function seeTraffic(walk: Walk): Promise<void> {
  const { page, hand } = walk
  await go(walk, 'Insights')
  await hand.pick(page.getByRole('radio', { name: '7 days' }))
  await page.getByText('Top assets').waitFor()
  await hand.activate(page.getByText('Show as a table'))
  await page.getByRole('row', { name: /^All/u }).last().waitFor()
  await walk.shown('insights')
}
