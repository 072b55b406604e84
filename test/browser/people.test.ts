import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'

import { freePort } from '../support/free-port.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { have } from '../support/needs.ts'
import { openRealProvider, realProvider } from '../support/real-provider.ts'
import { access, account, temporaryDirectory } from '../support/service-process.ts'
import { accessibilityFindings } from './accessibility.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { settle } from './dashboard-visit.ts'

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
  const noted = await fetch(`${service.url}/api/storage/acme/v1/notes/note.txt`, {
    method: 'PUT',
    headers: access,
    body: 'a note',
  })
  expect(noted.status).toBe(201)
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

test.skipIf(executable === undefined)(
  'an admin invites somebody by keyboard, changes roles, disables and removes, and an editor sees no such page',
  async () => {
    const { page, faults } = await visit()
    await signInAtProvider(page, 'olga')
    await page.waitForURL(`${service.url}/dashboard/`)
    await page.goto(`${service.url}/dashboard/people`)
    await page.getByRole('button', { name: 'Invite somebody' }).first().focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('nora@example.com')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Nora')
    await page.getByLabel('Role', { exact: true }).selectOption('editor')
    await page.getByLabel('acme').check()
    await page.getByRole('button', { name: 'Add another role' }).click()
    expect(await page.getByLabel('Role', { exact: true }).count()).toBe(2)
    expect(await accessibilityFindings(page)).toEqual([])
    await shoot(page, 'invite')
    await page.getByLabel('Name').press('Enter')
    const link = page.getByRole('dialog', { name: 'The invitation' })
    const url = (await link.locator('.code-block').textContent()) ?? ''
    await link.getByRole('button', { name: 'Done' }).click()
    await page.getByText('nora@example.com · viewer of all zones; editor of acme').waitFor()
    await settle(page)
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [390, 1440, 2560]) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 900 })
        expect(await accessibilityFindings(page)).toEqual([])
        await shoot(page, `people-${colorScheme}-${width}`)
      }

    const other = await visit()
    await other.page.goto(url)
    await other.page.getByRole('button', { name: 'Register a passkey and sign in' }).click()
    await other.page.waitForURL(`${service.url}/dashboard/`)
    await other.page.getByRole('link', { name: 'People' }).waitFor({ state: 'detached' })
    await other.page.goto(`${service.url}/dashboard/people`)
    await other.page.getByRole('alert').getByText('none of your roles opens this').waitFor()
    await showsWhatAnEditorMay(other.page)

    await page.getByRole('button', { name: 'Roles of Nora' }).click()
    await page.getByRole('button', { name: 'Take this role away' }).first().click()
    await page.getByRole('button', { name: 'Change the roles' }).click()
    await page.getByText('nora@example.com · editor of acme').waitFor()

    await page.getByRole('button', { name: 'Roles of Nora' }).click()
    await page.getByLabel('Role', { exact: true }).selectOption('viewer')
    await page.getByRole('button', { name: 'Change the roles' }).click()
    await page.getByText('nora@example.com · viewer of acme').waitFor()
    await page.getByRole('button', { name: 'Disable Nora' }).click()
    await page.getByRole('button', { name: 'Enable Nora' }).waitFor()
    expect((await other.page.reload())?.url()).toContain('/dashboard/login')
    await page.getByRole('button', { name: 'Remove Nora' }).click()
    await page.getByRole('button', { name: 'Remove for good' }).click()
    await page.getByText('nora@example.com').waitFor({ state: 'detached' })
    expect(faults).toEqual([])
  },
  120_000,
)

test.skipIf(executable === undefined)(
  'a token begins with a template, is tried by a command that works, and is rotated',
  async () => {
    const { page, faults } = await visit()
    await signInAtProvider(page, 'olga')
    await page.waitForURL(`${service.url}/dashboard/`)
    await page.goto(`${service.url}/dashboard/tokens`)
    await page.getByRole('button', { name: 'Create a token' }).first().click()
    await page.getByRole('button', { name: 'Read only' }).click()
    expect(await page.getByLabel('Name').inputValue()).toBe('Read only')
    expect(await accessibilityFindings(page)).toEqual([])
    await shoot(page, 'token-form')
    await page.getByRole('button', { name: 'Create the token' }).click()
    const made = page.getByRole('dialog', { name: 'The new token' })
    const secret = (await made.locator('.code-block').first().textContent()) ?? ''
    const command = (await made.locator('.code-block').last().textContent()) ?? ''
    expect(command).toContain(service.url)
    const [, header = '', url = ''] = /-H '([^']+)' '([^']+)'/u.exec(command) ?? []
    const asked = () => fetch(url, { headers: { Authorization: header.slice(15) } })
    expect((await asked()).status).toBe(200)
    expect(await accessibilityFindings(page)).toEqual([])
    await shoot(page, 'token-made')
    await made.getByRole('button', { name: 'Done' }).click()
    await page.getByText('olga of the tests ·').waitFor()
    await page.getByRole('button', { name: 'Rotate Read only' }).click()
    await page.getByLabel('The former secret is good for').selectOption('0')
    await page.getByRole('button', { name: 'Make another secret' }).click()
    const other = (await made.locator('.code-block').first().textContent()) ?? ''
    expect(other).not.toBe(secret)
    expect((await asked()).status).toBe(401)
    await made.getByRole('button', { name: 'Done' }).click()
    await page.setViewportSize({ width: 390, height: 800 })
    await page.getByText('olga of the tests · all zones').waitFor()
    await shoot(page, 'tokens-390')
    expect(faults).toEqual([])
  },
  60_000,
)

/** Buttons for others can be reached, say why they do nothing, and do nothing. */
async function showsWhatAnEditorMay(page: Page): Promise<void> {
  await page.goto(`${service.url}/dashboard/zones`)
  const create = page.getByRole('button', { name: 'Create a zone' }).first()
  await page.locator('[data-refused]').first().waitFor()
  expect(await create.getAttribute('title')).toBe(
    'Your roles do not open this: admin of all zones does.',
  )
  await create.focus()
  await page.keyboard.press('Enter')
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.goto(`${service.url}/dashboard/previews?zone=acme`)
  await page.getByRole('button', { name: 'Create a preview' }).first().click()
  await page.getByRole('dialog', { name: 'Create a preview' }).waitFor()
  await page.goto(`${service.url}/dashboard/assets?folder=acme/v1/notes`)
  await page.locator('[data-path$="/note.txt"]').focus()
  await page.keyboard.press('F2')
  await page.getByText('Your roles do not open this: publisher of acme does.').first().waitFor()
  expect(await page.getByRole('textbox', { name: /^New name of/u }).count()).toBe(0)
  await page.goto(`${service.url}/dashboard/upload`)
  await page.getByText('Your roles do not open uploads to what is live').waitFor()
  expect(await accessibilityFindings(page)).toEqual([])
}

/** For who wants to look: `SEDGE_SHOTS` is a directory. */
async function shoot(page: Page, name: string): Promise<void> {
  const directory = process.env['SEDGE_SHOTS']
  if (directory !== undefined) await page.screenshot({ path: `${directory}/${name}.png` })
}
