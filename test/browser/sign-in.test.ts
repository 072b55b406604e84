import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'

import { createOneTimeSecrets } from '../../src/lib/secrets/one-time-secrets.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { temporaryDirectory, testKeys } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { findChromium, launchChromium } from './chromium.ts'

const executable = findChromium('signing in with a passkey in a browser')
const undo = new AsyncDisposableStack()
let service: LocalService
let browser: Browser
const signInLinks = createOneTimeSecrets({ lifeMs: 600_000, now: () => new Date() })

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory())
  service = undo.use(await openLocalService({ dataDirectory: directory.path, signInLinks }))
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
}, 60_000)
afterAll(() => undo.disposeAsync())

interface Visit {
  readonly page: Page
  /** What the browser complained of: scripts that were blocked, errors of pages. */
  readonly faults: string[]
  /** Plugs an authenticator in; answers its handle. */
  readonly plugIn: () => Promise<void>
  /** Whether the person at it proves to be who they are. */
  readonly setVerified: (isVerified: boolean) => Promise<void>
  readonly isSignedIn: () => Promise<boolean>
}

/** A browser of its own, with no cookie yet, that speaks English. */
async function visit(): Promise<Visit> {
  const context = await browser.newContext({ locale: 'en-GB' })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => void faults.push(String(error)))
  page.on('console', (message) => {
    if (/content security policy|refused to/iu.test(message.text())) faults.push(message.text())
  })
  const developer = await context.newCDPSession(page)
  await developer.send('WebAuthn.enable')
  let authenticatorId = ''
  return {
    page,
    faults,
    plugIn: async () => {
      const added = await developer.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      })
      authenticatorId = added.authenticatorId
    },
    setVerified: (isUserVerified) =>
      developer
        .send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
        .then(() => undefined),
    isSignedIn: async () =>
      (await context.request.get(`${service.url}/api/sessions`, { maxRedirects: 0 })).ok(),
  }
}

async function signInWithPassword(page: Page, password: string): Promise<void> {
  await page.goto(`${service.url}/dashboard/`)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test.skipIf(executable === undefined)(
  'a wrong password is said on the page, the right one signs in, and one can sign out',
  async () => {
    const { page, faults, isSignedIn } = await visit()
    await signInWithPassword(page, 'wrong')
    await page.getByRole('alert').getByText('The password is wrong').waitFor()
    expect(await isSignedIn()).toBe(false)
    await page.getByLabel('Password').fill(testKeys.DASHBOARD_PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${service.url}/dashboard/`)
    expect(await isSignedIn()).toBe(true)
    expect(await page.evaluate('document.cookie')).toBe('')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(({ pathname }) => pathname === '/dashboard/login')
    expect(await isSignedIn()).toBe(false)
    expect(faults).toEqual([])
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'a passkey is registered on the page, signs in, and is refused once it is removed',
  async () => {
    const { page, faults, plugIn, setVerified, isSignedIn } = await visit()
    await plugIn()
    await signInWithPassword(page, testKeys.DASHBOARD_PASSWORD)
    await page.waitForURL(`${service.url}/dashboard/`)
    await page.goto(`${service.url}/dashboard/passkeys`)
    await page.getByLabel('Name of the new passkey').fill('test <b>laptop</b>')
    await page.getByRole('button', { name: 'Register a passkey' }).click()
    await page
      .getByRole('status')
      .getByText('Passkey "test <b>laptop</b>" is registered.')
      .waitFor()
    const passkeys = page.getByRole('list', { name: 'Registered passkeys' }).getByRole('listitem')
    expect(await passkeys.count()).toBe(1)

    // The authenticator has a passkey of this site, and the service says so.
    await page.getByLabel('Name of the new passkey').fill('again')
    await page.getByRole('button', { name: 'Register a passkey' }).click()
    await page
      .getByRole('status')
      .getByText('This device has a passkey for this service already.')
      .waitFor()
    expect(await passkeys.count()).toBe(1)

    await page.getByRole('button', { name: 'Sign out' }).click()
    // Whoever closes the browser's question is told so in plain words.
    await setVerified(false)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page
      .getByRole('alert')
      .getByText(/^The passkey was not used: .+ use the password\.$/u)
      .waitFor()
    await setVerified(true)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL(`${service.url}/dashboard/`)
    expect(await isSignedIn()).toBe(true)

    // Removing it ends the session that it opened, too.
    await page.goto(`${service.url}/dashboard/passkeys`)
    await page.getByText('by passkey from').waitFor()
    await page.getByRole('button', { name: /^Remove: test/u }).click()
    await page.waitForURL(`${service.url}/dashboard/login`)
    expect(await isSignedIn()).toBe(false)
    // None is left, so none is offered.
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible()).toBe(
      false,
    )
    expect(faults).toEqual([])
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'sessions can be ended on the page',
  async () => {
    const [mine, other] = [await visit(), await visit()]
    await signInWithPassword(other.page, testKeys.DASHBOARD_PASSWORD)
    await other.page.waitForURL(`${service.url}/dashboard/`)
    await signInWithPassword(mine.page, testKeys.DASHBOARD_PASSWORD)
    await mine.page.waitForURL(`${service.url}/dashboard/`)
    await mine.page.goto(`${service.url}/dashboard/passkeys`)
    const sessions = mine.page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')
    await sessions.getByText(/^this one/u).waitFor()
    const before = await sessions.count()
    await mine.page
      .getByRole('button', { name: /^End: by password/u })
      .first()
      .click()
    await until(async () => (await sessions.count()) === before - 1)
    expect(await mine.isSignedIn()).toBe(true)
    expect(await other.isSignedIn()).toBe(false)
    expect([...mine.faults, ...other.faults]).toEqual([])
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'the link that a start shows signs in, leaves nothing in the URL, and is said to be used up',
  async () => {
    const link = `${service.url}/dashboard/login?once=${signInLinks.issue()}`
    const { page, faults, isSignedIn } = await visit()
    await page.goto(link)
    await page.waitForURL(`${service.url}/dashboard/`)
    expect(await isSignedIn()).toBe(true)

    const other = await visit()
    await other.page.goto(link)
    await other.page.getByRole('alert').getByText('This link was used already').waitFor()
    expect(other.page.url()).toBe(`${service.url}/dashboard/login`)
    expect(await other.isSignedIn()).toBe(false)
    expect([...faults, ...other.faults]).toEqual([])
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'at an address of numbers the page says that passkeys do not work there, and leads to where they do',
  async () => {
    const { page, faults } = await visit()
    await page.goto(`http://127.0.0.1:${service.port}/dashboard/`)
    expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible()).toBe(
      false,
    )
    const widths =
      'document.querySelector("main").scrollWidth <= document.querySelector("main").clientWidth'
    expect(await page.evaluate(widths)).toBe(true)
    await page.getByText('Passkeys do not work at this address').getByRole('link').click()
    await page.waitForURL(`${service.url}/dashboard/login`)
    expect(faults).toEqual([])
  },
  60_000,
)
