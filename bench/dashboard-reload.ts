/**
 * How long after a reload the dashboard is to be used: its heading is shown and takes a click, which the browser's own
 * clock counts from the beginning of the navigation. Once as the line is, and once on a slow one, on which the page
 * itself and who is signed in are each a way there and back.
 */
import type { Page } from 'playwright-core'

import { findChromium, launchChromium } from '../test/browser/chromium.ts'
import { visitDashboard } from '../test/browser/dashboard-visit.ts'
import { openLocalService } from '../test/support/local-service.ts'
import { temporaryDirectory } from '../test/support/service-process.ts'
import { worldOf } from '../test/support/world.ts'
import { asInProduction, median, percentile, report, type Row } from './harness.ts'
import { setSlow, slowLineText } from './slow-line.ts'

const executable = findChromium('bench/dashboard-reload')
if (executable === undefined) process.exit(1)

const rounds = 9
const pages = ['overview', 'assets', 'insights'] as const

await using directory = await temporaryDirectory()
await using service = await openLocalService({
  dataDirectory: directory.path,
  environment: { SEARCH_BY_NAME_ONLY: 'true', ...asInProduction },
})
await worldOf(service).zone('bench')
const browser = await launchChromium(executable)
await using visit = await visitDashboard(browser, service.url)
const { page, context } = visit
const session = await context.newCDPSession(page)
await page.addInitScript(() => {
  const look = () => {
    const heading = document.querySelector('main h1')
    const { left = 0, top = 0 } = heading?.getBoundingClientRect() ?? {}
    const isShown = heading?.contains(document.elementFromPoint(left + 1, top + 1)) === true
    if (isShown) setTimeout(() => performance.mark('interactive'))
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
})

async function reload(of: Page): Promise<number> {
  await of.reload({ waitUntil: 'commit' })
  await of.waitForFunction(() => performance.getEntriesByName('interactive').length > 0)
  return await of.evaluate(
    () => performance.getEntriesByName('interactive')[0]?.startTime ?? Number.NaN,
  )
}

const rows: Row[] = []
for (const isSlow of [false, true])
  for (const name of pages) {
    await setSlow(session, false)
    await page.goto(`${service.url}/dashboard/${name}`)
    await page.locator('main h1').waitFor()
    // What a first visit fetches is in the browser's cache from here on.
    await reload(page)
    await setSlow(session, isSlow)
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1) times.push(await reload(page))
    rows.push({
      what: `Interactive on reload, ${name}${isSlow ? `, on a slow line (${slowLineText})` : ''}`,
      figure: isSlow ? '—' : '≤ 500 ms',
      measured: `median ${median(times).toFixed(0)} ms, 90 % ${percentile(times, 0.9).toFixed(0)} ms of ${rounds} reloads`,
    })
  }
await browser.close()
await report('dashboard-reload', rows)
