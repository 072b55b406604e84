import { afterAll, beforeAll, expect } from 'bun:test'
import { join } from 'node:path'
import type { Browser, Locator } from 'playwright-core'

import { type LocalService, openLocalService } from '../support/local-service.ts'
import { temporaryDirectory } from '../support/service-process.ts'
import { openWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'
import { type World, worldOf } from '../support/world.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { settle } from './dashboard-visit.ts'
import { button, go, journey, signIn, type Walk } from './journey.ts'

const executable = findChromium('the journey of an operator')
const undo = new AsyncDisposableStack()
let service: LocalService
let world: World
let browser: Browser
let receiver: WebhookReceiver

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory())
  receiver = undo.use(openWebhookReceiver())
  service = undo.use(
    await openLocalService({
      dataDirectory: join(directory.path, 'data'),
      environment: {
        SEARCH_BY_NAME_ONLY: 'true',
        WEBHOOK_ALLOW_PRIVATE: 'true',
        CNAME_TARGET: 'edge.cdn.example',
        DNS_SERVERS: '127.0.0.1:9',
        BACKUP_TO: join(directory.path, 'backups'),
        BACKUP_EVERY_HOURS: '0',
      },
    }),
  )
  world = worldOf(service)
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
}, 60_000)
afterAll(() => undo.disposeAsync())

journey({
  who: 'an operator',
  does: 'opens a zone, lets others in, is told of what happens, backs it up, finds a fault and closes it',
  isSkipped: executable === undefined,
  browser: () => browser,
  async act(walk) {
    await signIn(walk, service.url)
    await addZone(walk)
    await addDomain(walk)
    await writeRules(walk)
    await letIn(walk)
    await listen(walk)
    await backUp(walk)
    await findFault(walk)
    await lookBack(walk)
    await closeZone(walk)
  },
})

const shut = async ({ hand }: Walk, dialog: Locator, name: string): Promise<void> => {
  await hand.activate(dialog.getByRole('button', { name, exact: true }).last())
  await dialog.waitFor({ state: 'detached' })
}

async function addZone(walk: Walk): Promise<void> {
  const { page, hand, name } = walk
  await go(walk, 'Zones')
  await hand.activate(button(page, 'Create a zone'))
  const dialog = page.getByRole('dialog', { name: 'Create a zone' })
  await hand.type(dialog.getByLabel('Name'), name)
  await hand.activate(dialog.getByRole('button', { name: 'Create the zone' }))
  await page.getByRole('heading', { name: `${name} is ready` }).waitFor()
  await walk.shown('zone')
  await world.put(`${name}/v1/texts/hours.txt`, 'open on weekdays\n')
}

/** What to set in DNS is there to be copied. */
async function addDomain(walk: Walk): Promise<void> {
  const { page, hand, name } = walk
  await page.goto(`${service.url}/dashboard/zone?zone=${name}&tab=domains`)
  await settle(page)
  await hand.type(page.getByLabel('Host name'), `${name}.example`)
  await hand.activate(button(page, 'Add'))
  await hand.activate(button(page, `${name}.example`))
  const dialog = page.getByRole('dialog', { name: `${name}.example` })
  await dialog.getByText('edge.cdn.example').waitFor()
  await walk.shown('domain')
  await shut(walk, dialog, 'Close')
}

/** A fault is said at its line; without it the rules are saved, and hold. */
async function writeRules(walk: Walk): Promise<void> {
  const { page, hand, name } = walk
  await page.goto(`${service.url}/dashboard/zone?zone=${name}&tab=rules`)
  await settle(page)
  const editor = page.getByLabel('Rules in _headers')
  await hand.type(editor, '/v1/*\nX-Accel-Redirect: /x')
  await page.locator('.line-notes li').first().waitFor()
  await walk.shown('faulty-rules')
  await hand.type(editor, '/v1/*\n X-Opened-By: operator')
  await page.locator('.line-notes li').first().waitFor({ state: 'detached' })
  await hand.activate(button(page, 'Save'))
  await page.getByText('Saved.', { exact: true }).waitFor()
  const { headers } = await fetch(`${service.url}/${name}/v1/texts/hours.txt`)
  expect(headers.get('x-opened-by')).toBe('operator')
}

/** A person by a link, and a program by a token that is taken back. */
async function letIn(walk: Walk): Promise<void> {
  const { page, hand, name } = walk
  await go(walk, 'People')
  await hand.activate(button(page, 'Invite somebody'))
  const dialog = page.getByRole('dialog', { name: 'Invite somebody' })
  await hand.type(dialog.getByLabel('E-mail address'), `ella-${name}@example.com`)
  await hand.type(dialog.getByLabel('Name'), 'Ella')
  await hand.choose(
    dialog.getByLabel('Role', { exact: true }),
    'Editor: also previews and descriptions',
  )
  await hand.check(dialog.getByLabel(name, { exact: true }))
  await hand.activate(dialog.getByRole('button', { name: 'Make the link' }))
  await shut(walk, page.getByRole('dialog', { name: 'The invitation' }), 'Done')
  await page.getByText(`ella-${name}@example.com · editor of ${name}`).waitFor()
  await walk.shown('people')

  await go(walk, 'Tokens')
  await hand.activate(button(page, 'Create a token'))
  const fields = page.getByRole('dialog', { name: 'Create a token' })
  await hand.activate(fields.getByRole('button', { name: 'Read only' }))
  await hand.type(fields.getByLabel('Name'), `reader of ${name}`)
  await hand.activate(fields.getByRole('button', { name: 'Create the token' }))
  await shut(walk, page.getByRole('dialog', { name: 'The new token' }), 'Done')
  await walk.shown('tokens')
  await hand.activate(button(page, `Revoke reader of ${name}`))
  await hand.activate(page.getByRole('dialog').getByRole('button', { name: 'Revoke the token' }))
  await page.getByText(`The token reader of ${name} is revoked.`).waitFor()
}

/** A webhook, and whether it arrives. */
async function listen(walk: Walk): Promise<void> {
  const { page, hand, name } = walk
  const url = `${receiver.url}-${name}`
  await go(walk, 'Webhooks')
  await hand.activate(button(page, 'Add a webhook'))
  const dialog = page.getByRole('dialog', { name: 'Add a webhook' })
  await hand.type(dialog.getByLabel('URL'), url)
  await hand.check(dialog.getByLabel('Notification raised'))
  await hand.check(dialog.getByLabel(name, { exact: true }))
  await hand.activate(dialog.getByRole('button', { name: 'Add the webhook' }))
  await hand.activate(button(page, 'Done'))
  const card = page.getByRole('region', { name: new RegExp(`${url}$`, 'u') })
  await hand.activate(card.getByRole('button', { name: 'Send a test' }))
  const test = page.getByRole('dialog', { name: 'Send a test' })
  await shut(walk, test, 'Send')
  await card.getByText('healthy').waitFor()
  await walk.shown('webhook')
}

async function backUp(walk: Walk): Promise<void> {
  const { page, hand } = walk
  await go(walk, 'Backups')
  await hand.activate(button(page, 'Back up now'))
  const card = page.locator('section.card').filter({ hasText: 'Not verified' })
  await hand.activate(card.getByRole('button', { name: 'Verify' }))
  await card.waitFor({ state: 'detached' })
  await page.getByText('Verified', { exact: true }).first().waitFor()
  await walk.shown('backup')
}

/** Somebody misses a file: what was asked for, and why it was not there. */
async function findFault(walk: Walk): Promise<void> {
  const { page, hand, name } = walk
  await go(walk, 'Health')
  await walk.shown('health')
  const missing = `/${name}/v1/texts/missing.txt`
  expect((await fetch(service.url + missing)).status).toBe(404)
  await go(walk, 'Logs')
  await hand.type(page.getByLabel('Find requests'), 'status:404')
  await page.keyboard.press('Enter')
  const table = page.getByRole('table', { name: 'Requests' })
  await hand.activate(table.getByRole('button', { name: missing }).first())
  const details = page.getByRole('dialog')
  await details.getByText('AssetNotFound').waitFor()
  await walk.shown('request')
  await shut(walk, details, 'Close')
}

/** The traffic beside the period before, and who did what. */
async function lookBack(walk: Walk): Promise<void> {
  const { page, hand, name } = walk
  await go(walk, 'Insights')
  await hand.pick(page.getByRole('radio', { name: '30 days' }))
  await page.getByText('Top assets').waitFor()
  await walk.shown('insights')
  await go(walk, 'Usage')
  await walk.shown('usage')
  await go(walk, 'Audit')
  await hand.type(page.getByLabel('Filter'), `${name}.example`)
  const table = page.getByRole('table', { name: 'Audit log' })
  await table.getByText(`added domain ${name}.example`).first().waitFor()
  await walk.shown('audit')
}

/** By its name, typed, and it is gone. */
async function closeZone(walk: Walk): Promise<void> {
  const { page, hand, name } = walk
  await page.goto(`${service.url}/dashboard/zone?zone=${name}&tab=settings`)
  await settle(page)
  await hand.type(page.getByLabel('Cache lifetime, in seconds'), '3600')
  await hand.activate(button(page, 'Save delivery'))
  await page.getByText(`How ${name} is delivered is saved.`).waitFor()
  await walk.shown('settings')
  await hand.activate(button(page, 'Delete…'))
  const dialog = page.getByRole('dialog', { name: `Delete ${name}` })
  await hand.type(dialog.getByLabel(`Type ${name} to confirm`), name)
  await hand.activate(dialog.getByRole('button', { name: 'Delete the zone' }))
  await page.getByRole('heading', { name: 'Zones', level: 1 }).waitFor()
  await page.getByRole('link', { name, exact: true }).waitFor({ state: 'detached' })
  expect((await fetch(`${service.url}/${name}/v1/texts/hours.txt`)).status).toBe(404)
}
