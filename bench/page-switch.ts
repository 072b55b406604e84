/**
 * How long after a click in the navigation the heading of the page is shown, on a slow line: for every page, once with
 * nothing of it fetched beforehand, and once more when it is there. In front of each first click the browser's cache
 * is emptied, and the dashboard is told that whoever pays by the byte sits there, so that it fetches nothing ahead.
 */
import type { Page } from 'playwright-core'

import { findChromium, launchChromium } from '../test/browser/chromium.ts'
import { visitDashboard } from '../test/browser/dashboard-visit.ts'
import { openLocalService } from '../test/support/local-service.ts'
import { temporaryDirectory } from '../test/support/service-process.ts'
import { worldOf } from '../test/support/world.ts'
import { asInProduction, median, report } from './harness.ts'
import { setSlow, slowLineText } from './slow-line.ts'

const executable = findChromium('bench/page-switch')
if (executable === undefined) process.exit(1)

await using directory = await temporaryDirectory()
await using service = await openLocalService({
  dataDirectory: directory.path,
  environment: { SEARCH_BY_NAME_ONLY: 'true', ...asInProduction },
})
await worldOf(service).zone('bench')
const browser = await launchChromium(executable)
await using visit = await visitDashboard(browser, service.url)
const { page, context, faults } = visit
const session = await context.newCDPSession(page)
await page.addInitScript(
  "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })",
)

/** Milliseconds from the click until the frame with another heading than before is on the screen. */
const switchTo = async (shown: Page, path: string): Promise<number> =>
  await shown.evaluate(
    async (to) =>
      await new Promise<number>((resolve, reject) => {
        const heading = () => document.querySelector('main h1')
        const before = heading()?.textContent
        const link = document.querySelector<HTMLElement>(`nav a[href="${to}"]`)
        if (link === null) return reject(new Error(`no link to ${to}`))
        const start = performance.now()
        link.click()
        const look = () => {
          const isShown = heading()?.checkVisibility() === true && heading()?.textContent !== before
          // What a frame has is on the screen before the next task.
          if (isShown) setTimeout(() => resolve(performance.now() - start))
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      }),
    path,
  )

async function begin(path: string): Promise<void> {
  await setSlow(session, false)
  await session.send('Network.clearBrowserCache')
  await page.goto(service.url + path)
  await page.locator('main h1').waitFor()
  await setSlow(session, true)
}

const home = '/dashboard/'
const paths = await page
  .locator('nav a[href^="/dashboard/"]')
  .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
const others = [...new Set(paths)].filter((path) => path !== home)
const first: number[] = []
const again: number[] = []
for (const path of others) {
  await begin(home)
  first.push(await switchTo(page, path))
  await page.goBack()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  again.push(await switchTo(page, path))
}
await browser.close()
if (faults.length > 0) throw new Error(faults.join('; '))

const measured = (times: readonly number[]): string =>
  `median ${median(times).toFixed(0)} ms, most ${Math.max(...times).toFixed(0)} ms of ${times.length} pages`
await report('page-switch', [
  {
    what: `Page switch until the heading is visible (${slowLineText}), nothing fetched before`,
    figure: '≤ 100 ms',
    measured: `${measured(first)} (${others[first.indexOf(Math.max(...first))]})`,
  },
  {
    what: `The same, to a page that was open before`,
    figure: '≤ 100 ms',
    measured: `${measured(again)} (${others[again.indexOf(Math.max(...again))]})`,
  },
])
