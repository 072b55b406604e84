import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'

import { openLocalService, type LocalService } from '../support/local-service.ts'
import { account, temporaryDirectory } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { openWebhookReceiver } from '../support/webhook-receiver.ts'
import { accessibilityFindings } from './accessibility.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { keepScreenshot, type Look, openVisits, settle, type Visits } from './dashboard-visit.ts'

const executable = findChromium('health and notifications in a browser')
const undo = new AsyncDisposableStack()
let service: LocalService
let browser: Browser
let visits: Visits

/** A webhook whose receiver is gone is switched off; the service that is started again says so. */
beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory())
  const gone = undo.use(openWebhookReceiver())
  gone.respond = () => new Response(null, { status: 410 })
  const environment = { SEARCH_BY_NAME_ONLY: 'true', WEBHOOK_ALLOW_PRIVATE: 'true' }
  const start = () => openLocalService({ dataDirectory: directory.path, environment })
  {
    await using first = await start()
    const post = async (path: string, body: object) =>
      await fetch(`${first.url}${path}`, {
        method: 'POST',
        headers: account,
        body: JSON.stringify(body),
      })
    await post('/api/webhooks', { url: gone.url, events: ['zone.created'] })
    await post('/api/core/zones', { Name: 'acme' })
    await until(async () => {
      const response = await fetch(`${first.url}/api/webhooks`, { headers: account })
      return (await response.text()).includes('"switchedOff":"gone"')
    })
  }
  service = undo.use(await start())
  await until(async () => {
    const response = await fetch(`${service.url}/api/core/notifications`, { headers: account })
    return (await response.text()).includes('"webhook"')
  })
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
  visits = undo.use(openVisits(browser, service.url))
}, 60_000)
afterAll(() => undo.disposeAsync())

const visitTest = (name: string, act: (page: Page) => Promise<void>, look?: Look) =>
  test.skipIf(executable === undefined)(
    name,
    async () => {
      await using visit = await visits.visit(look)
      await act(visit.page)
      expect(await accessibilityFindings(visit.page)).toEqual([])
      expect(visit.faults).toEqual([])
    },
    60_000,
  )

async function open(page: Page, address: string): Promise<void> {
  await page.goto(`${service.url}/dashboard/${address}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await settle(page)
}

for (const scheme of ['light', 'dark'] as const)
  for (const width of [390, 1440, 2560])
    visitTest(
      `health and notifications can be read, ${scheme}, ${width} pixels wide`,
      async (page) => {
        await open(page, 'health')
        const webhooks = page.getByRole('listitem').filter({ hasText: 'switched off' })
        await webhooks.getByRole('link', { name: 'What to do Webhooks' }).waitFor()
        await keepScreenshot(page, `health-${scheme}-${width}`)
        expect(await accessibilityFindings(page)).toEqual([])
        await open(page, 'notifications')
        await page.getByRole('heading', { name: /^Webhook: / }).waitFor()
        await keepScreenshot(page, `notifications-${scheme}-${width}`)
        const wide = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect(wide).toBe(0)
      },
      { scheme, width },
    )

visitTest('the bell counts what is not read, and leads to it, by keyboard alone', async (page) => {
  await open(page, 'overview')
  const bell = page.getByRole('link', { name: 'Notifications, 1 unread' }).first()
  await bell.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor()
  const read = page.getByRole('button', { name: /^Mark as read/ })
  await read.focus()
  await page.keyboard.press('Enter')
  await read.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Notifications', exact: true }).first().waitFor()
  await page.getByRole('link', { name: /^Look at it/ }).click()
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
})
