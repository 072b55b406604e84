import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'

import { accessibilityFindings } from './accessibility.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { keepScreenshot, openVisits, settle, type Visits } from './dashboard-visit.ts'
import { type FurnishedService, openFurnishedService } from './furnished-service.ts'
import { dialogLooks, type FurnishedLook, pageLooks } from './looks.ts'

const executable = findChromium('how every page and dialog looks')
const undo = new AsyncDisposableStack()
let furnished: FurnishedService
let browser: Browser
let visits: Visits

beforeAll(async () => {
  if (executable === undefined) return
  furnished = undo.use(await openFurnishedService())
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
  visits = undo.use(openVisits(browser, furnished.service.url))
}, 120_000)
afterAll(() => undo.disposeAsync())

/**
 * What is asked in which theme and width. What is there does not depend on the theme, and colours hardly on the
 * width: all rules once in each width, those of colours once in each theme.
 */
const appearances = [
  { scheme: 'light', width: 1440, rules: 'all' },
  { scheme: 'dark', width: 1440, rules: 'colours' },
  { scheme: 'light', width: 2560, rules: 'structure' },
  { scheme: 'dark', width: 390, rules: 'all' },
] as const

const heights: Readonly<Record<number, number>> = { 390: 844, 1440: 900, 2560: 1440 }

/** Opens it once, then shows it in each appearance; answers what is wrong. */
async function faultsOf(look: FurnishedLook): Promise<readonly string[]> {
  await using visit = await visits.visit({ scheme: 'light', width: 1440 })
  const { page, faults } = visit
  await page.goto(furnished.service.url + look.path)
  await page.getByRole('heading').first().waitFor()
  await settle(page)
  await look.open?.(page)
  if (look.dialog !== undefined) await page.getByRole('dialog').last().waitFor()
  await settle(page)
  const found: string[] = []
  for (const { scheme, width, rules } of appearances) {
    await page.emulateMedia({ colorScheme: scheme })
    await page.setViewportSize({ width, height: heights[width] ?? 900 })
    await drawn(page)
    const where = `${look.name}, ${scheme}, ${width} wide`
    for (const finding of await accessibilityFindings(page, { rules }))
      found.push(`${where}: ${finding}`)
    const shown = await page.evaluate<number>('document.documentElement.scrollWidth')
    if (shown > width) found.push(`${where}: ${shown} pixels are shown`)
    await keepScreenshot(page, `${look.name}-${scheme}-${width}`)
  }
  return [...found, ...faults.map((fault) => `${look.name}: ${fault}`)]
}

/** Whatever follows the size of the window has done so. */
const drawn = async (page: Page): Promise<void> => {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
  await settle(page)
}

const lanes = 2

/** For who looks at some: `LOOKS` is an expression that their names fit. */
const wanted = new RegExp(process.env['LOOKS'] ?? '', 'u')

/** As many at a time as there are processors in CI. */
async function faultsOfAll(looks: readonly FurnishedLook[]): Promise<readonly string[]> {
  const waiting = looks.filter(({ name }) => wanted.test(name))
  const found: string[] = []
  const lane = async () => {
    for (let look = waiting.shift(); look !== undefined; look = waiting.shift())
      found.push(...(await faultsOf(look).catch((error) => [`${look?.name}: ${String(error)}`])))
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return found
}

test.skipIf(executable === undefined)(
  'axe finds nothing on any page, by day, at night, on a phone and on a wall',
  async () => expect(await faultsOfAll(pageLooks(furnished))).toEqual([]),
  600_000,
)

test.skipIf(executable === undefined)(
  'axe finds nothing in any dialog, by day, at night, on a phone and on a wall',
  async () => expect(await faultsOfAll(dialogLooks(furnished))).toEqual([]),
  600_000,
)

test('every dialog of the dashboard is among the looks', async () => {
  const dashboard = new URL('../../web/dashboard/', import.meta.url).pathname
  const shown = new Set(
    dialogLooks({ formerCommit: '' } as FurnishedService).map(({ dialog }) => dialog),
  )
  const missing: string[] = []
  for await (const file of new Bun.Glob('**/*.tsx').scan(dashboard))
    if (!file.startsWith('parts/') && !shown.has(file))
      if (
        /<(?:[Dd]ialog|TypedConfirmation|ShownOnce)\b/u.test(
          await Bun.file(dashboard + file).text(),
        )
      )
        missing.push(file)
  expect(missing).toEqual([])
})
