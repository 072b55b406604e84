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
  look: Look = { scheme: 'light', width: 1280 },
): Promise<Visit> {
  const visit = await openVisit(browser, look)
  await signIn(visit.page, url)
  return visit
}

/** A browser of its own, in which nobody has signed in. */
export async function openVisit(browser: Browser, look: Look): Promise<Visit> {
  const context = await openContext(browser, look)
  return { ...(await visitIn(context)), [Symbol.asyncDispose]: () => context.close() }
}

/** Visits that share a browser that is signed in: all that they share is what it keeps in its cache. */
export interface Visits extends AsyncDisposable {
  visit(look?: Look): Promise<Visit>
}

/** Signs in once, which together with an empty cache costs far more than to look at a page. */
export function openVisits(browser: Browser, url: string): Visits {
  const contexts = new Map<string, Promise<BrowserContext>>()
  const openSignedIn = async (look: Look): Promise<BrowserContext> => {
    const context = await openContext(browser, look)
    await using visit = await visitIn(context)
    await signIn(visit.page, url)
    return context
  }
  return {
    async visit(look = { scheme: 'light', width: 1280 }) {
      const key = `${look.scheme} ${look.width}`
      const opening = contexts.get(key) ?? openSignedIn(look)
      contexts.set(key, opening)
      return await visitIn(await opening)
    },
    async [Symbol.asyncDispose]() {
      for (const context of contexts.values()) await (await context).close()
    },
  }
}

const openContext = async (browser: Browser, { scheme, width }: Look): Promise<BrowserContext> =>
  await browser.newContext({
    locale: 'en-GB',
    colorScheme: scheme,
    reducedMotion: 'reduce',
    viewport: { width, height: 800 },
  })

async function visitIn(context: BrowserContext): Promise<Visit> {
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => void faults.push(String(error)))
  page.on('dialog', (dialog) => {
    // The browser's own question to whoever leaves in the middle of something.
    if (dialog.type() === 'beforeunload') {
      void dialog.accept()
      return
    }
    faults.push(`a script of a stranger ran: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    if (/content security policy|refused to/iu.test(message.text())) faults.push(message.text())
  })
  return {
    page,
    context,
    faults,
    async [Symbol.asyncDispose]() {
      if (page.url().includes('/dashboard/')) await page.evaluate('localStorage.clear()')
      await page.close()
    },
  }
}

async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/dashboard/login`)
  await page.getByLabel('Password').fill(testKeys.DASHBOARD_PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
}

/** Nothing is on its way any more. */
export async function settle(page: Page): Promise<void> {
  await page.locator('.loading').first().waitFor({ state: 'detached' })
  await page.waitForFunction(
    () =>
      [...document.images].every((image) => image.complete) && document.fonts.status === 'loaded',
  )
}

/** Keeps an image of the page where `DASHBOARD_SCREENSHOTS` says, if it says so. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  const directory = process.env['DASHBOARD_SCREENSHOTS']
  if (directory === undefined || directory === '') return
  await mkdir(directory, { recursive: true })
  await page.screenshot({ path: join(directory, `${name}.png`) })
}
