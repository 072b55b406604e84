import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'

import { pageNames } from '../../web/dashboard/page-names.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { temporaryDirectory, testKeys } from '../support/service-process.ts'
import { worldOf } from '../support/world.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { settle } from './dashboard-visit.ts'

const executable = findChromium('the dashboard in another language')
const undo = new AsyncDisposableStack()
let service: LocalService
let browser: Browser

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory())
  const environment = { SEARCH_BY_NAME_ONLY: 'true' }
  service = undo.use(await openLocalService({ dataDirectory: directory.path, environment }))
  const world = worldOf(service)
  await world.zone('acme')
  await world.put('acme/v1/texts/long.txt', 'x'.repeat(1536))
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
}, 60_000)
afterAll(() => undo.disposeAsync())

test.skipIf(executable === undefined)(
  'a German browser has German numbers and dates, and no page fails for it',
  async () => {
    const context = await browser.newContext({ locale: 'de-DE', reducedMotion: 'reduce' })
    const page = await context.newPage()
    const faults: string[] = []
    page.on('pageerror', (error) => void faults.push(`${page.url()}: ${String(error)}`))
    await page.goto(`${service.url}/dashboard/login`)
    await page.locator('input[type=password]').fill(testKeys.DASHBOARD_PASSWORD)
    await page.keyboard.press('Enter')
    await page.locator('#main h1').waitFor()
    const query: Readonly<Record<string, string>> = {
      assets: '?view=list',
      history: '?zone=acme',
      zone: '?zone=acme',
    }
    const texts = new Map<string, string>()
    for (const name of pageNames) {
      const path = name === 'overview' ? '' : name
      await page.goto(`${service.url}/dashboard/${path}${query[name] ?? ''}`)
      await page.getByRole('heading').first().waitFor()
      await settle(page)
      expect({ name, lang: await page.locator('html').getAttribute('lang') }).toEqual({
        name,
        lang: 'de',
      })
      texts.set(name, await page.locator('#main').innerText())
    }
    expect(texts.get('assets')).toMatch(/1,5\s?kB/iu)
    const day = new Intl.DateTimeFormat('de-DE', { dateStyle: 'full' }).format(new Date())
    expect(texts.get('history')).toContain(day)
    expect(faults).toEqual([])
    await context.close()
  },
  90_000,
)
