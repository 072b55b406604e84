import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'

import { testKeys } from '../support/service-process.ts'

export interface Look {
  readonly scheme: 'light' | 'dark'
  readonly width: number
}

export interface Visit extends AsyncDisposable {
  readonly page: Page
  readonly context: BrowserContext
  /** What the browser complained of: policies that were broken, errors of pages, scripts of strangers. */
  readonly faults: string[]
}

/** A browser of its own, signed in with the password. */
export async function visitDashboard(
  browser: Browser,
  url: string,
  { scheme, width }: Look = { scheme: 'light', width: 1280 },
): Promise<Visit> {
  const context = await browser.newContext({
    locale: 'en-GB',
    colorScheme: scheme,
    reducedMotion: 'reduce',
    viewport: { width, height: 800 },
  })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => void faults.push(String(error)))
  page.on('dialog', (dialog) => {
    faults.push(`a script of a stranger ran: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    if (/content security policy|refused to/iu.test(message.text())) faults.push(message.text())
  })
  await page.goto(`${url}/dashboard/login`)
  await page.getByLabel('Password').fill(testKeys.DASHBOARD_PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  return { page, context, faults, [Symbol.asyncDispose]: () => context.close() }
}

/** Nothing is on its way any more. */
export async function settle(page: Page): Promise<void> {
  await page.locator('.loading').first().waitFor({ state: 'detached' })
  await page.waitForFunction(
    () =>
      [...document.images].every((image) => image.complete) && document.fonts.status === 'loaded',
  )
}

const axeSource = await Bun.file(new URL(import.meta.resolve('axe-core/axe.min.js'))).text()

interface AxeFinding {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** What axe finds serious on the page as it is, a line each. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(`window.axe ?? (() => { ${axeSource} })()`)
  const { violations } = await page.evaluate<{ readonly violations: readonly AxeFinding[] }>(
    `axe.run(document, { resultTypes: ['violations'] })`,
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    )
}

/** Keeps an image of the page where `DASHBOARD_SCREENSHOTS` says, if it says so. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  const directory = process.env['DASHBOARD_SCREENSHOTS']
  if (directory === undefined || directory === '') return
  await mkdir(directory, { recursive: true })
  await page.screenshot({ path: join(directory, `${name}.png`) })
}
