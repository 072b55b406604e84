import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'

import { freePort } from '../support/free-port.ts'
import { openLocalService } from '../support/local-service.ts'
import { access, account, temporaryDirectory, testKeys } from '../support/service-process.ts'
import { findChromium, launchChromium } from './chromium.ts'

const executable = findChromium('a dashboard with a host name of its own in a browser')
const undo = new AsyncDisposableStack()
let dashboard = ''
let assets = ''
let browser: Browser

const image = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>'

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory())
  const port = await freePort()
  assets = `http://assets.localhost:${port}`
  dashboard = `http://panel.localhost:${port}`
  const environment = {
    SEARCH_BY_NAME_ONLY: 'true',
    BASE_URL: assets,
    DASHBOARD_HOST: 'panel.localhost',
  }
  const { url } = undo.use(
    await openLocalService({ dataDirectory: directory.path, environment, port }),
  )
  const body = JSON.stringify({ Name: 'acme' })
  await fetch(`${url}/api/core/zones`, { method: 'POST', headers: account, body })
  await fetch(`${url}/api/storage/acme/v1/icons/a.svg`, {
    method: 'PUT',
    headers: access,
    body: image,
  })
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
}, 60_000)
afterAll(() => undo.disposeAsync())

test.skipIf(executable === undefined)(
  'at a host name of its own one signs in, registers a passkey and sees images; elsewhere nobody is signed in',
  async () => {
    const context = await browser.newContext({ locale: 'en-GB' })
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
    // Whoever comes by the other name is led here.
    await page.goto(`${assets}/dashboard/`)
    await page.waitForURL(`${dashboard}/dashboard/login`)
    await page.getByLabel('Password').fill(testKeys.DASHBOARD_PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(`${dashboard}/dashboard/`)

    await page.goto(`${dashboard}/dashboard/passkeys`)
    await page.getByLabel('Name of the new passkey').fill('laptop')
    await page.getByRole('button', { name: 'Register a passkey' }).click()
    await page.getByRole('status').getByText('Passkey "laptop" is registered.').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL(`${dashboard}/dashboard/`)

    await page.goto(`${dashboard}/dashboard/assets`)
    await page.waitForFunction(
      () =>
        document.images.length > 0 &&
        [...document.images].every((shown) => shown.complete && shown.naturalWidth > 0),
    )
    expect(await context.cookies(assets)).toEqual([])
    expect((await context.cookies(dashboard)).map(({ name }) => name)).toEqual(['cdn_session'])
    expect(faults).toEqual([])
  },
  60_000,
)
