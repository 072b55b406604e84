import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { zstdCompressSync } from 'node:zlib'

import { type LocalService, openLocalService } from '../support/local-service.ts'
import { createRandom } from '../support/random.ts'
import { temporaryDirectory } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { type World, worldOf } from '../support/world.ts'
import { findChromium, launchChromium } from './chromium.ts'

const executable = findChromium('what a browser is sent of a file that was edited')
const undo = new AsyncDisposableStack()
let service: LocalService
let world: World
let browser: Browser

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory())
  const environment = { SEARCH_BY_NAME_ONLY: 'true' }
  service = undo.use(await openLocalService({ dataDirectory: directory.path, environment }))
  world = worldOf(service)
  await world.zone('acme')
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
}, 60_000)
afterAll(() => undo.disposeAsync())

/** A script of some 300 KB that does not repeat itself much. */
function script(): string {
  const random = createRandom(7)
  const lines = Array.from(
    { length: 4_600 },
    (_, line) =>
      `export const f${line} = (a, b) => a * ${random.integer(0, 1e9)} + b - ${random.integer(0, 1e9)}\n`,
  )
  return lines.join('')
}

interface Visit {
  readonly coding: string | null
  readonly bytes: number
  readonly text: string
}

/** As a page of the service's own asks for it. */
const visit = async (page: Page, url: string): Promise<Visit> =>
  await page.evaluate(async (asked) => {
    performance.clearResourceTimings()
    const response = await fetch(asked, { cache: 'no-cache' })
    const text = await response.text()
    const [timing] = performance.getEntriesByName(asked)
    const bytes = timing instanceof PerformanceResourceTiming ? timing.encodedBodySize : -1
    return { coding: response.headers.get('content-encoding'), bytes, text }
  }, url)

/** What is beyond `dictionary` is worked out while nobody waits for it. */
async function untilKnown(url: string, dictionary: string): Promise<void> {
  const digest = new Bun.CryptoHasher('sha256').update(dictionary).digest('base64')
  const headers = { 'Accept-Encoding': 'dcz', 'Available-Dictionary': `:${digest}:` }
  await until(async () => {
    const response = await fetch(url, { headers, decompress: false })
    await response.bytes()
    return response.headers.get('content-encoding') === 'dcz'
  })
}

test.skipIf(executable === undefined)(
  'a browser that has the script is sent what was edited in it',
  async () => {
    const path = 'acme/v1/scripts/app.js'
    const url = `${service.url}/${path}`
    const before = script()
    const after = before.replace('f2300 = (a, b) => a', 'f2300 = (a, b = 0) => b || a')
    await world.put(path, before)
    const page = await browser.newPage()
    await page.goto(`${service.url}/docs`)
    await until(async () => (await visit(page, url)).text === before)
    await world.put(path, after)
    await untilKnown(url, before)

    const last = await visit(page, url)
    expect(last.text).toBe(after)
    expect(last.coding).toBe('dcz')
    const whole = zstdCompressSync(after)
    console.log(`a visit: ${last.bytes} bytes, of ${whole.length} as zstd`)
    expect(last.bytes / whole.length).toBeLessThan(0.02)
  },
  60_000,
)
