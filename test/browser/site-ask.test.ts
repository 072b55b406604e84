import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'

import { type LocalService, openLocalService } from '../support/local-service.ts'
import { temporaryDirectory } from '../support/service-process.ts'
import { accessibilityFindings } from './accessibility.ts'
import { findChromium, launchChromium } from './chromium.ts'

// Asking on the pages of the documentation: no session, no key, no model.

const executable = findChromium('asking the documentation in a browser')
const undo = new AsyncDisposableStack()
let service: LocalService
let browser: Browser
const timeout = 60_000
/** Waiting by an expression would need `eval`, which the page's policy forbids. */
const answered = (page: Page): Promise<void> =>
  page.locator('.ask-box [aria-busy]').waitFor({ state: 'detached', timeout })

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory())
  const environment = { SEARCH_BY_NAME_ONLY: 'true', CHATS_PER_MINUTE: '3' }
  service = undo.use(await openLocalService({ dataDirectory: directory.path, environment }))
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
}, 120_000)
afterAll(() => undo.disposeAsync())

async function askByKeyboard(page: Page, question: string): Promise<void> {
  const field = page.getByLabel('Your question')
  await field.waitFor({ timeout })
  await field.fill(question)
  await page.keyboard.press('Enter')
}

test.skipIf(executable === undefined)(
  'a question is answered with sources that lead there, by the keyboard alone, and axe finds nothing',
  async () => {
    await using context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const page = await context.newPage()
    const faults: string[] = []
    page.on('pageerror', (error) => void faults.push(String(error)))
    page.on('console', (message) => {
      // Chromium says of each refusal that it was one.
      if (message.type() === 'error' && !message.text().includes('429')) faults.push(message.text())
    })
    await page.goto(`${service.url}/docs/storing`)
    const open = page.getByRole('button', { name: 'Ask', exact: true })
    await open.waitFor({ timeout })
    await open.focus()
    await page.keyboard.press('Enter')

    await askByKeyboard(page, 'What is a zone?')
    const box = page.getByRole('dialog', { name: 'Ask the documentation' })
    await box.getByText('No model wrote this').waitFor({ timeout })
    const sources = box.getByRole('list', { name: 'Sources' }).getByRole('link')
    expect(await sources.first().getAttribute('href')).toStartWith('/docs/concepts')
    expect(await box.getByRole('log').textContent()).toContain('tenant')
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 800 })
        expect(await accessibilityFindings(page, { rules: 'all' })).toEqual([])
      }
    }

    // Escape goes back to where one was, and what was said is there again.
    await page.keyboard.press('Escape')
    await box.waitFor({ state: 'hidden', timeout })
    expect(await page.evaluate<string>('document.activeElement.className')).toBe('ask')
    await page.keyboard.press('Enter')
    await askByKeyboard(page, '<img src=x onerror=alert(1)>')
    await answered(page)
    expect(await box.locator('img').count()).toBe(0)

    // So many a minute, which may end in between.
    const refusal = box.getByText(/Too many questions were asked\. Ask again in \d+ seconds\./u)
    for (let count = 0; count < 20 && (await refusal.count()) === 0; count += 1) {
      await askByKeyboard(page, `What is an asset, the ${count}th?`)
      await answered(page)
    }
    expect(await refusal.count()).toBe(1)
    expect(faults).toEqual([])

    await sources.first().click()
    await page.waitForURL(/\/docs\/concepts/u, { timeout })
  },
  240_000,
)
