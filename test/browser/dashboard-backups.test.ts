import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'

import { type LocalService, openLocalService } from '../support/local-service.ts'
import { temporaryDirectory } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'
import { accessibilityFindings } from './accessibility.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { keepScreenshot, openVisits, settle, type Visits } from './dashboard-visit.ts'

const executable = findChromium('backups in a browser')
const undo = new AsyncDisposableStack()
let service: LocalService
let browser: Browser
let visits: Visits

beforeAll(async () => {
  if (executable === undefined) return
  const { path } = undo.use(await temporaryDirectory())
  const environment = {
    SEARCH_BY_NAME_ONLY: 'true',
    BACKUP_TO: `${path}/backups`,
    BACKUP_EVERY_HOURS: '0',
  }
  service = undo.use(await openLocalService({ dataDirectory: `${path}/data`, environment }))
  const world = worldOf(service)
  await world.zone('acme')
  await world.put('acme/v1/a.txt', 'kept')
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
  visits = undo.use(openVisits(browser, service.url))
}, 60_000)
afterAll(() => undo.disposeAsync())

test.skipIf(executable === undefined)(
  'a backup is made, verified and deleted by buttons',
  async () => {
    await using visit = await visits.visit({ scheme: 'light', width: 1440 })
    const { page, faults } = visit
    await page.goto(`${service.url}/dashboard/backups`)
    await page.getByRole('heading', { name: 'No backup yet' }).waitFor()
    await page.getByRole('button', { name: 'Back up now' }).click()
    const card = page.locator('section.card').filter({ hasText: 'Not verified' })
    await card.waitFor()
    await card.getByRole('button', { name: 'Verify' }).click()
    await page.getByText('Verified', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'How to restore' }).click()
    await page.getByText('npx sedge restore --from').waitFor()
    expect(await page.getByRole('link', { name: 'Download manifest' }).count()).toBe(1)

    for (const look of looks) {
      await page.emulateMedia({ colorScheme: look.scheme })
      await page.setViewportSize({ width: look.width, height: 900 })
      await settle(page)
      await keepScreenshot(page, `backups-${look.scheme}-${look.width}`)
      const findings = await accessibilityFindings(page)
      expect({ ...look, findings }).toEqual({ ...look, findings: [] })
    }
    await page.getByRole('button', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete this backup?' })
    const id = (await page.locator('section.card code').last().textContent()) ?? ''
    await dialog.getByRole('textbox').fill(/\d{8}T\d{6}Z-[0-9a-f]{4}/u.exec(id)?.[0] ?? '')
    await dialog.getByRole('button', { name: 'Delete the backup' }).click()
    await page.getByRole('heading', { name: 'No backup yet' }).waitFor()
    expect(faults).toEqual([])
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'backups of the same hour are told apart by name',
  async () => {
    const { client } = worldOf(service)
    service.wait(-2.5 * 3_600_000)
    for (const count of [1, 2]) {
      await client.createBackup()
      await until(async () => {
        const { Backups, Running } = await client.listBackups()
        return Running === null && Backups.length === count
      })
    }
    await using visit = await visits.visit({ scheme: 'light', width: 1440 })
    const { page, faults } = visit
    await page.goto(`${service.url}/dashboard/backups`)
    await page.getByRole('button', { name: 'Verify' }).nth(1).waitFor()
    await settle(page)
    expect(await accessibilityFindings(page)).toEqual([])
    expect(faults).toEqual([])
  },
  60_000,
)

const looks = [
  { scheme: 'light', width: 1440 },
  { scheme: 'dark', width: 2560 },
  { scheme: 'dark', width: 390 },
  { scheme: 'light', width: 390 },
] as const
