import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'

import { painted, photoPainter } from '../fixtures/sample-images.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { temporaryDirectory } from '../support/service-process.ts'
import { openWebhookReceiver } from '../support/webhook-receiver.ts'
import { accessibilityFindings } from './accessibility.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { keepScreenshot, settle, visitDashboard } from './dashboard-visit.ts'

const executable = findChromium('the whole journey in a browser')
const undo = new AsyncDisposableStack()
let service: LocalService
let browser: Browser

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory())
  service = undo.use(
    await openLocalService({
      dataDirectory: directory.path,
      environment: { SEARCH_BY_NAME_ONLY: 'true', WEBHOOK_ALLOW_PRIVATE: 'true' },
    }),
  )
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
}, 60_000)
afterAll(() => undo.disposeAsync())

for (const [look, zone] of [
  [{ scheme: 'light', width: 1280 }, 'daylight'],
  [{ scheme: 'dark', width: 390 }, 'evening'],
] as const)
  test.skipIf(executable === undefined)(
    `passkey, zone, upload, transform, purge, insights, rules, webhook, token, sign out: ${look.scheme}, ${look.width} wide`,
    async () => {
      await using visit = await visitDashboard(browser, service.url, look)
      using receiver = openWebhookReceiver()
      const { page, context, faults } = visit
      const developer = await context.newCDPSession(page)
      await plugInAuthenticator(developer)
      const shown = async (name: string) => {
        await settle(page)
        expect(await accessibilityFindings(page)).toEqual([])
        await keepScreenshot(page, `journey-${name}-${look.scheme}-${look.width}`)
      }
      const visitPage = async (name: string) => {
        await page.goto(`${service.url}/dashboard/${name}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
      }

      await visitPage('sessions')
      await page.getByLabel('Name of a new passkey').fill(`key of ${zone}`)
      await page.getByRole('button', { name: 'Register a passkey' }).click()
      await page.getByText(`The passkey key of ${zone} is registered.`).waitFor()
      await shown('passkeys')
      await context.clearCookies()
      await page.goto(`${service.url}/dashboard/login`)
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()

      await visitPage('zones')
      await createZone(page, zone, shown)
      await uploadPhoto(page, zone)
      await transformPhoto(page, zone)
      await visitPage('purge')
      await page.getByLabel('URLs', { exact: true }).last().fill(`/${zone}/v1/banners/photo.jpg`)
      await page.getByRole('button', { name: 'Purge', exact: true }).click()
      await page.getByText('Purged: 1').waitFor()
      await shown('purge')

      for (let count = 0; count < 3; count += 1)
        await fetch(`${service.url}/${zone}/v1/banners/photo.jpg`)
      await visitPage(`insights?zone=${zone}`)
      await page.getByRole('link', { name: `${zone}/v1/banners/photo.jpg` }).waitFor()
      await shown('insights')
      await editRules(page, zone, shown)
      await addWebhook(page, receiver.url, shown)
      await receiver.until(1)
      await createToken(page, shown)

      await visitPage('audit')
      await page.getByLabel('Filter').fill('zone.create')
      await page.locator('#main').getByText(`created zone ${zone}`).first().waitFor()
      await shown('audit')
      await page.context().request.post(`${service.url}/dashboard/logout`, {
        headers: { Origin: service.url },
      })
      await page.goto(`${service.url}/dashboard/`)
      await page.waitForURL(/\/dashboard\/login/u)
      expect(faults).toEqual([])
    },
    240_000,
  )

interface Developer {
  send(method: 'WebAuthn.enable'): Promise<unknown>
  send(method: 'WebAuthn.addVirtualAuthenticator', options: object): Promise<unknown>
}

async function plugInAuthenticator(developer: Developer): Promise<void> {
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
}

type Shown = (name: string) => Promise<void>

async function createZone(page: Page, zone: string, shown: Shown): Promise<void> {
  await page.getByRole('button', { name: 'Create a zone' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create a zone' })
  await dialog.getByLabel('Name').fill('Not A Zone!')
  await dialog.getByRole('button', { name: 'Create the zone' }).click()
  await dialog.getByRole('alert').waitFor()
  await shown('zone-refused')
  await dialog.getByLabel('Name').fill(zone)
  await dialog.getByRole('button', { name: 'Create the zone' }).click()
  await page.getByRole('heading', { name: `${zone} is ready` }).waitFor()
  await shown('zones')
}

async function uploadPhoto(page: Page, zone: string): Promise<void> {
  const photo = await painted({ width: 900, height: 600 }, photoPainter(3)).jpeg().toBuffer()
  await page.goto(`${service.url}/dashboard/upload?zone=${zone}`)
  await page.getByLabel('Folder', { exact: true }).fill('banners')
  await page
    .getByLabel('Choose files')
    .setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: photo })
  await page.getByRole('table', { name: 'Uploads' }).getByText('Live', { exact: true }).waitFor()
  expect((await fetch(`${service.url}/${zone}/v1/banners/photo.jpg`)).status).toBe(200)
}

async function transformPhoto(page: Page, zone: string): Promise<void> {
  await page.goto(`${service.url}/dashboard/transform?asset=${zone}/v1/banners/photo.jpg`)
  await page.getByLabel('Width', { exact: true }).fill('300')
  await page.getByLabel('Format', { exact: true }).selectOption('webp')
  await page.getByText(/300 × 200, WEBP/u).waitFor()
}

async function editRules(page: Page, zone: string, shown: Shown): Promise<void> {
  await page.goto(`${service.url}/dashboard/rules`)
  const editor = page.getByLabel('Rules in _headers')
  await editor.fill('/no/fields/follow\n')
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await page.locator('.line-notes').waitFor()
  await shown('rules-refused')
  await editor.fill(`/${zone}/*\n  X-Journey: ${zone}\n`)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The rules are saved.').waitFor()
  await page.getByLabel('URL').fill(`/${zone}/v1/banners/photo.jpg`)
  await page.getByRole('button', { name: 'Explain', exact: true }).click()
  await page
    .getByText(new RegExp(`x-journey: ${zone}`, 'iu'))
    .last()
    .waitFor()
  await shown('rules')
}

async function addWebhook(page: Page, url: string, shown: Shown): Promise<void> {
  await page.goto(`${service.url}/dashboard/webhooks`)
  await page.getByRole('button', { name: 'Add a webhook' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add a webhook' })
  await dialog.getByLabel('URL').fill(url)
  await dialog.getByLabel('Asset stored').check()
  await dialog.getByRole('button', { name: 'Add the webhook' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  const card = page.getByRole('region', { name: url })
  await card.getByRole('button', { name: 'Send a test' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText(/The receiver took it/u).waitFor()
  await card.getByRole('table', { name: 'Deliveries' }).waitFor()
  await shown('webhooks')
  await card.getByRole('button', { name: 'Show' }).first().click()
  await page.getByRole('heading', { name: 'Tries' }).waitFor()
  await shown('delivery')
}

async function createToken(page: Page, shown: Shown): Promise<void> {
  await page.goto(`${service.url}/dashboard/tokens`)
  await page.getByRole('button', { name: 'Create a token' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create a token' })
  await dialog.getByLabel('Name').fill('build server')
  await dialog.getByLabel('Store and delete files').check()
  await shown('token-form')
  await dialog.getByRole('button', { name: 'Create the token' }).click()
  const secret = page.getByRole('dialog', { name: 'The new token' })
  const token = (await secret.locator('.code-block').first().textContent()) ?? ''
  await secret.getByRole('button', { name: 'Done' }).click()
  const asToken = { headers: { Authorization: `Bearer ${token}` } }
  expect((await fetch(`${service.url}/api/core/zones`, asToken)).status).toBe(403)
  await shown('tokens')
  await page.getByRole('button', { name: 'Revoke build server' }).first().click()
  await page.getByRole('button', { name: 'Revoke the token' }).click()
  await page.getByText('The token build server is revoked.').waitFor()
  expect((await fetch(`${service.url}/api/core/zones`, asToken)).status).toBe(401)
}
