import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'

import { freePort } from '../support/free-port.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { have } from '../support/needs.ts'
import { openRealProvider, realProvider } from '../support/real-provider.ts'
import { account, temporaryDirectory } from '../support/service-process.ts'
import { findChromium, launchChromium } from './chromium.ts'

const executable = have('people in a browser', realProvider)
  ? findChromium('people in a browser')
  : undefined
const undo = new AsyncDisposableStack()
let service: LocalService
let browser: Browser

const claimsOf = (login: string) => ({
  name: `${login} of the tests`,
  email: `${login}@example.com`,
  email_verified: true,
  groups: login === 'olga' ? ['ops'] : [],
})

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory())
  const port = await freePort()
  const url = `http://localhost:${port}`
  const provider = undo.use(
    await openRealProvider({ redirectUri: `${url}/dashboard/oidc/callback`, claimsOf }),
  )
  service = undo.use(
    await openLocalService({
      dataDirectory: directory.path,
      port,
      environment: {
        BASE_URL: url,
        OIDC_ISSUER: provider.issuer,
        OIDC_NAME: 'the provider',
        OIDC_CLIENT_ID: 'sedge',
        OIDC_CLIENT_SECRET: 'a-secret-of-the-tests',
        OIDC_ROLES: 'ops=admin',
      },
    }),
  )
  await ask('POST', '/api/core/zones', { Name: 'acme' })
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
}, 60_000)
afterAll(() => undo.disposeAsync())

async function ask(method: string, path: string, body: unknown) {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { ...account, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await response.json()) as Record<string, never>
}

/** A browser of its own, with an authenticator in it. */
async function visit() {
  const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => void faults.push(String(error)))
  page.on('console', (message) => {
    if (/content security policy|refused to/iu.test(message.text())) faults.push(message.text())
  })
  const developer = await context.newCDPSession(page)
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
  const self = async () =>
    (await (await context.request.get(`${service.url}/api/people/me`)).json()) as {
      Person: { name: string; roles: readonly { role: string }[] } | null
    }
  return { page, faults, self }
}

async function signInAtProvider(page: Page, login: string): Promise<void> {
  await page.goto(`${service.url}/dashboard/login`)
  await page.getByRole('link', { name: 'Sign in with the provider' }).click()
  await page.locator('input[name=login]').fill(login)
  await page.locator('input[name=password]').fill('any')
  await page.locator('button[type=submit]').click()
  await page.locator('button[type=submit]').click()
}

test.skipIf(executable === undefined)(
  'a person signs in at a real provider, has the roles of a group, and sees the dashboard',
  async () => {
    const { page, faults, self } = await visit()
    await signInAtProvider(page, 'olga')
    await page.waitForURL(`${service.url}/dashboard/`)

    expect((await self()).Person).toMatchObject({
      name: 'olga of the tests',
      roles: [{ role: 'admin' }],
    })
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    expect(faults).toEqual([])
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'somebody at the provider whom nobody invited is told so where the password is',
  async () => {
    const { page } = await visit()
    await signInAtProvider(page, 'stranger')
    await page.getByRole('alert').getByText('Nobody has invited you here').waitFor()

    expect(await page.getByLabel('Password').isVisible()).toBe(true)
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'who is invited opens the link, registers a passkey, is in, and comes in with it from then on',
  async () => {
    const roles = [{ role: 'editor', zones: ['acme'] }]
    const invited = (await ask('POST', '/api/people', {
      email: 'ines@example.com',
      name: 'Ines',
      roles,
    })) as unknown as { Invitation: { url: string } }
    const { page, faults, self } = await visit()
    await page.goto(invited.Invitation.url)
    await page.getByRole('heading', { name: 'Welcome, Ines' }).waitFor()
    await page.getByRole('button', { name: 'Register a passkey and sign in' }).click()
    await page.waitForURL(`${service.url}/dashboard/`)
    expect((await self()).Person).toMatchObject({ name: 'Ines', roles: [{ role: 'editor' }] })

    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL(`${service.url}/dashboard/`)
    expect((await self()).Person).toMatchObject({ name: 'Ines' })
    expect(faults).toEqual([])

    const other = await visit()
    await other.page.goto(invited.Invitation.url)
    await other.page.getByRole('alert').getByText('This link was used already').waitFor()
  },
  60_000,
)
