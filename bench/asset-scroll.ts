/**
 * What a frame costs the main thread while somebody scrolls through 100,000 assets, as Chromium's own trace
 * has it: the processor time of all tasks from one frame to the next. Pages of the list are answered by this
 * process, 200 assets each, as they are asked for while one scrolls.
 */
import type { Browser, Page } from 'playwright-core'

import { findChromium, launchChromium } from '../test/browser/chromium.ts'
import { visitDashboard } from '../test/browser/dashboard-visit.ts'
import { openLocalService } from '../test/support/local-service.ts'
import { temporaryDirectory } from '../test/support/service-process.ts'
import { asInProduction, percentile, report, type Row } from './harness.ts'

const executable = findChromium('bench/asset-scroll')
if (executable === undefined) process.exit(1)

const scrolledMs = 4_000
/** A hurried wheel: so many pixels each sixtieth of a second. */
const stepPx = 120

await using directory = await temporaryDirectory()
await using service = await openLocalService({
  dataDirectory: directory.path,
  environment: { SEARCH_BY_NAME_ONLY: 'true', ...asInProduction },
})
const browser = await launchChromium(executable)
await using visit = await visitDashboard(browser, service.url, { scheme: 'light', width: 1440 })
const { page } = visit
await page.route('**/api/assets?*', (route) => {
  const query = new URL(route.request().url()).searchParams
  return route.fulfill({ json: hugePage(Number(query.get('page')), Number(query.get('per_page'))) })
})

const rows: Row[] = []
for (const view of ['grid', 'list']) {
  await page.goto(`${service.url}/dashboard/assets?view=${view}`)
  await page.getByText('100,000 assets').waitFor()
  await page.keyboard.press('ControlOrMeta+a')
  await scroll(page, 500)
  const frames = await traced(browser, page)
  const [middle, high, most] = [0.5, 0.95, 1].map((part) => percentile(frames, part).toFixed(1))
  rows.push({
    what: `Main thread a frame while scrolling 100,000 assets, ${view}`,
    figure: '8 ms',
    measured: `median ${middle} ms, 95 % ${high} ms, most ${most} ms of ${frames.length} frames`,
  })
}
await browser.close()
await report('asset-scroll', rows)

async function scroll(of: Page, ms: number): Promise<void> {
  await of.evaluate(
    ({ ms: duration, stepPx: step }) =>
      new Promise<void>((resolve) => {
        const scroller =
          document.querySelector('.asset-rows') ?? document.querySelector('.asset-scroller')
        const end = performance.now() + duration
        const next = () => {
          scroller?.scrollBy(0, step)
          if (performance.now() < end) requestAnimationFrame(next)
          else resolve()
        }
        requestAnimationFrame(next)
      }),
    { ms, stepPx },
  )
}

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** Microseconds. */
  readonly ts: number
  /** Of the processor. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/** Milliseconds of the main thread, a number for each frame. */
async function traced(of: Browser, shown: Page): Promise<readonly number[]> {
  const categories = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline']
  await of.startTracing(shown, { categories: [...categories, '__metadata'] })
  await scroll(shown, scrolledMs)
  const { traceEvents } = JSON.parse((await of.stopTracing()).toString()) as {
    readonly traceEvents: readonly TraceEvent[]
  }
  const first = traceEvents.find(({ name }) => name === 'FireAnimationFrame')
  if (first === undefined) throw new Error('the trace has no frames')
  const main = traceEvents.filter(({ pid, tid }) => pid === first.pid && tid === first.tid)
  const tasks = main.filter(({ name, ph }) => name === 'RunTask' && ph === 'X')
  const times = main.filter(({ name }) => name === 'Commit').map(({ ts }) => ts)
  return times.slice(1).map((end, index) => {
    const start = times[index] ?? 0
    const within = tasks.filter(({ ts }) => ts >= start && ts < end)
    return within.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1000
  })
}

function hugePage(number: number, perPage: number) {
  const Data = Array.from({ length: perPage }, (_, index) => {
    const name = `asset-${String((number - 1) * perPage + index).padStart(6, '0')}.txt`
    const path = `acme/v1/titles/${name}`
    const at = '2026-11-23T10:00:00Z'
    return {
      name,
      path,
      project: 'acme',
      category: 'titles',
      format: 'txt',
      size: 1_000 + ((index * 7_919) % 900_000),
      LastChanged: at,
    }
  })
  return {
    Data,
    Pagination: { Page: number, PerPage: perPage, TotalItems: 100_000, TotalPages: 500 },
  }
}
