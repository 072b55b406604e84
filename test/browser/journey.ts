import { expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'

import { testKeys } from '../support/service-process.ts'
import { accessibilityFindings } from './accessibility.ts'
import { keepScreenshot, type Look, openVisit, settle, type Visit } from './dashboard-visit.ts'
import { type Hand, keyboard, mouse } from './hand.ts'

/** Somebody on the way through the dashboard. */
export interface Walk {
  readonly page: Page
  readonly hand: Hand
  readonly look: Look
  readonly visit: Visit
  /** Of this walk alone: nothing of the others is in its way. */
  readonly name: string
  /** Has axe look at what is shown, and keeps a screenshot of it. */
  shown(what: string): Promise<void>
}

/** Both hands, both themes, both widths: four of the eight ways, so that each meets each. */
const ways = [
  { hand: mouse, scheme: 'light', width: 1440, name: 'by-day' },
  { hand: mouse, scheme: 'dark', width: 390, name: 'at-night' },
  { hand: keyboard, scheme: 'dark', width: 1440, name: 'by-keys' },
  { hand: keyboard, scheme: 'light', width: 390, name: 'by-few-keys' },
] as const

/** No place takes this long, even where the machine has much else to do. */
const longestWaitMs = 60_000

interface Journey {
  readonly who: string
  readonly does: string
  readonly isSkipped: boolean
  readonly browser: () => Browser
  readonly act: (walk: Walk) => Promise<void>
}

/** The same way, walked by each hand in a theme and a width. */
export function journey({ who, does, isSkipped, browser, act }: Journey): void {
  for (const { hand: handOf, scheme, width, name } of ways)
    test.skipIf(isSkipped)(
      `${who} ${does}, ${scheme}, ${width} wide, by ${handOf.name}`,
      async () => {
        const look = { scheme, width }
        await using visit = await openVisit(browser(), look)
        const { page, context, faults } = visit
        page.setDefaultTimeout(longestWaitMs)
        await context.grantPermissions(['clipboard-read', 'clipboard-write'])
        const shown = async (what: string) => {
          await settle(page)
          const findings = await accessibilityFindings(page)
          expect({ what, findings }).toEqual({ what, findings: [] })
          await keepScreenshot(page, `${who.replaceAll(' ', '-')}-${what}-${scheme}-${width}`)
        }
        await act({ page, hand: handOf(page), look, visit, name, shown })
        expect(faults).toEqual([])
      },
      300_000,
    )
}

export const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).first()

/** The links of the navigation, which is behind a button where there is no room for it, its groups unfolded. */
export async function openNavigation({ page, hand, look }: Walk) {
  if (look.width < 896) await hand.activate(button(page, 'Open the navigation'))
  const pages = page.getByRole('navigation', { name: 'Pages' }).filter({ visible: true })
  await pages.waitFor()
  const folded = pages.getByRole('button', { expanded: false })
  while ((await folded.count()) > 0) await hand.activate(folded.first())
  return pages
}

/** With the password that an operator has. */
export async function signIn({ page, hand }: Walk, serviceUrl: string): Promise<void> {
  await page.goto(`${serviceUrl}/dashboard/login`)
  await hand.type(page.getByLabel('Password'), testKeys.DASHBOARD_PASSWORD)
  await hand.activate(button(page, 'Sign in'))
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  await settle(page)
}

/** To a page by the navigation. */
export async function go(walk: Walk, name: string): Promise<void> {
  const { page, hand } = walk
  const pages = await openNavigation(walk)
  await hand.activate(pages.getByRole('link', { name, exact: true }))
  await page.getByRole('heading', { name, level: 1 }).waitFor()
  await settle(page)
}

/** The text that was copied last. */
export const copied = (page: Page): Promise<string> =>
  page.evaluate(() => navigator.clipboard.readText())
