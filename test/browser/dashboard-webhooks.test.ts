import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Locator, Page } from 'playwright-core'

import { openLocalService, type LocalService } from '../support/local-service.ts'
import { account, temporaryDirectory } from '../support/service-process.ts'
import { openWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'
import { accessibilityFindings } from './accessibility.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { keepScreenshot, type Look, openVisits, settle, type Visits } from './dashboard-visit.ts'

const executable = findChromium('webhooks in a browser')
const undo = new AsyncDisposableStack()
let service: LocalService
let browser: Browser
let visits: Visits
let receiver: WebhookReceiver

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory())
  receiver = undo.use(openWebhookReceiver())
  service = undo.use(
    await openLocalService({
      dataDirectory: directory.path,
      environment: { SEARCH_BY_NAME_ONLY: 'true', WEBHOOK_ALLOW_PRIVATE: 'true' },
    }),
  )
  for (const Name of ['acme', 'bolt'])
    await fetch(`${service.url}/api/core/zones`, {
      method: 'POST',
      headers: account,
      body: JSON.stringify({ Name }),
    })
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
  visits = undo.use(openVisits(browser, service.url))
}, 120_000)
afterAll(() => undo.disposeAsync())

const visitTest = (name: string, act: (page: Page) => Promise<void>, look?: Look) =>
  test.skipIf(executable === undefined)(
    name,
    async () => {
      await using visit = await visits.visit(look)
      visit.page.setDefaultTimeout(60_000)
      await visit.page.goto(`${service.url}/dashboard/webhooks`)
      await visit.page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
      await act(visit.page)
      expect(await accessibilityFindings(visit.page)).toEqual([])
      expect(visit.faults).toEqual([])
    },
    180_000,
  )

const card = (page: Page) => page.getByRole('region', { name: /\/hook$/u })

/** What is pressed before then goes to whatever had the focus. */
const untilFocused = (locator: Locator) => locator.and(locator.page().locator(':focus')).waitFor()

async function sendTest(page: Page, event: string): Promise<void> {
  await card(page).getByRole('button', { name: 'Send a test' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send a test' })
  await dialog.getByLabel('Event').selectOption(event)
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

visitTest(
  'a webhook is added for a zone, by keyboard alone, and edited to all events',
  async (page) => {
    await page.getByRole('button', { name: 'Add a webhook' }).first().focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Add a webhook' })
    await untilFocused(dialog.getByLabel('URL'))
    await page.keyboard.type(receiver.url)
    await dialog.getByLabel('Notification raised').focus()
    await page.keyboard.press('Space')
    await dialog.getByLabel('bolt').focus()
    await page.keyboard.press('Space')
    await dialog.getByRole('button', { name: 'Add the webhook' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Done' }).waitFor()
    await page.getByRole('button', { name: 'Done' }).focus()
    await page.keyboard.press('Enter')
    await card(page).getByText('no deliveries yet').waitFor()
    await card(page).getByText('Notification raised').waitFor()
    await card(page).getByText('bolt').waitFor()

    await card(page).getByRole('button', { name: 'More' }).focus()
    await page.keyboard.press('Enter')
    await untilFocused(page.getByRole('button', { name: 'Edit' }))
    await page.keyboard.press('Enter')
    const edit = page.getByRole('dialog', { name: 'Edit the webhook' })
    await edit.getByLabel('All events, also those that are added later').focus()
    await page.keyboard.press('Space')
    await edit.getByLabel('acme').focus()
    await page.keyboard.press('Space')
    await edit.getByRole('button', { name: 'Save' }).focus()
    await page.keyboard.press('Enter')
    await card(page).getByText('All events').waitFor()
    await card(page).getByText('acme, bolt').waitFor()
  },
)

visitTest('an event is tested, and one that fails is shown as failing, not as on', async (page) => {
  await sendTest(page, 'zone.created')
  await card(page).getByText('healthy').waitFor()
  expect(receiver.received.at(-1)).toMatchObject({ event: 'zone.created', data: { zone: 'acme' } })
  receiver.respond = () =>
    new Response('{"why":"broken"}', { status: 500, headers: { 'X-Why': 'a-test' } })
  await sendTest(page, 'asset.created')
  await card(page).getByText('failing', { exact: true }).waitFor()
  await card(page)
    .getByText(/500 in/u)
    .waitFor()
  await card(page).getByText('50.0% of the last 2 deliveries').waitFor()
})

for (const scheme of ['light', 'dark'] as const)
  for (const width of [390, 1440])
    visitTest(
      `deliveries are filtered, and open to what was sent beside what came back, ${scheme}, ${width}`,
      async (page) => {
        await card(page).getByRole('button', { name: 'Deliveries' }).click()
        const table = card(page).getByRole('table', { name: 'Deliveries' })
        await table.getByText('Zone created').waitFor()
        await card(page).getByText('Failed', { exact: true }).click()
        await table.getByText('Zone created').waitFor({ state: 'detached' })
        await settle(page)
        await keepScreenshot(page, `webhooks-${scheme}-${width}`)
        await card(page).getByLabel('Event').selectOption('zone.created')
        await card(page).getByText('No results').waitFor()
        await card(page).getByText('All', { exact: true }).click()
        await card(page).getByLabel('Event').selectOption('asset.created')
        await table.getByText('Asset stored').waitFor()
        await table.getByRole('button', { name: /^Show/u }).first().click()
        const dialog = page.getByRole('dialog', { name: 'Asset stored' })
        await dialog
          .getByRole('region', { name: 'Sent' })
          .getByText(/webhook-signature: v1,/u)
          .waitFor()
        await dialog
          .getByRole('region', { name: 'Tries' })
          .getByText(/x-why: a-test/u)
          .waitFor()
        await dialog.getByText('"why": "broken"').waitFor()
        await settle(page)
        await keepScreenshot(page, `webhook-delivery-${scheme}-${width}`)
        expect(await accessibilityFindings(page)).toEqual([])
      },
      { scheme, width },
    )

visitTest('a delivery is sent again from where it is looked at', async (page) => {
  receiver.respond = () => new Response(null, { status: 204 })
  await card(page).getByRole('button', { name: 'Deliveries' }).click()
  await card(page).getByText('Failed', { exact: true }).click()
  await card(page).getByRole('button', { name: /^Show/u }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
  await receiver.until(3, 60_000)
  await card(page).getByText('No results').waitFor()
})
