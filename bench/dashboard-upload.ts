/**
 * A thousand icons through the page of uploads of the dashboard, in a real browser, against `sedge sync` of the same
 * folder, its start included, into a zone of the same service, in turn. Both compare what is stored before they send.
 */
import { cp, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

import { findChromium, launchChromium } from '../test/browser/chromium.ts'
import { visitDashboard } from '../test/browser/dashboard-visit.ts'
import { sedge } from '../test/support/sedge-command.ts'
import { startService, temporaryDirectory } from '../test/support/service-process.ts'
import { worldOf } from '../test/support/world.ts'
import { asInProduction, compare, report } from './harness.ts'
import { lucideIcons } from './lucide.ts'

const executable = findChromium('bench/dashboard-upload')
if (executable === undefined) process.exit(1)

const rounds = Number(process.env['ROUNDS'] ?? 7)
const iconCount = 1000

async function copyIcons(directory: string): Promise<void> {
  const names = (await readdir(lucideIcons)).filter((name) => name.endsWith('.svg')).toSorted()
  await mkdir(directory, { recursive: true })
  for (const name of names.slice(0, iconCount))
    await cp(join(lucideIcons, name), join(directory, name))
}

await using directory = await temporaryDirectory()
const icons = join(directory.path, 'set')
await copyIcons(icons)
await using service = await startService({
  dataDirectory: join(directory.path, 'data'),
  environment: asInProduction,
})
await worldOf(service).zone('bench')
const environment = { XDG_CONFIG_HOME: directory.path, SEDGE_URL: service.url }
const browser = await launchChromium(executable)
await using visit = await visitDashboard(browser, service.url)

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return iconCount / ((performance.now() - start) / 1000)
}

async function sync(target: string): Promise<void> {
  const { out, error, exitCode } = await sedge(['sync', icons, target], environment)
  if (exitCode !== 0 || !out.includes(`${iconCount} new`))
    throw new Error(`sync failed: ${out}${error}`)
}

/**
 * From the moment the page has the files, until it says that all of them are stored: a test gives a browser a thousand
 * files far more slowly than its own dialog does.
 */
async function upload(page: Page, folder: string): Promise<number> {
  await page.goto(`${service.url}/dashboard/upload?zone=bench&folder=${folder}`)
  const choice = page.getByLabel('Choose a folder')
  await choice.waitFor({ state: 'attached' })
  await choice.evaluate((input) =>
    input.addEventListener('change', () => performance.mark('chosen'), { capture: true }),
  )
  await choice.setInputFiles(icons)
  await page.getByText(`${iconCount.toLocaleString('en')} files done`).waitFor({ timeout: 120_000 })
  const tookMs = await page.evaluate(() => performance.measure('upload', 'chosen').duration)
  return iconCount / (tookMs / 1000)
}

const rates: number[] = []
const ratios = await compare({
  title: `${iconCount} icons (files/s)`,
  ours: {
    name: 'the dashboard',
    async run(round) {
      const rate = await upload(visit.page, `icons/page-${round}`)
      rates.push(rate)
      return rate
    },
  },
  peers: [
    {
      name: 'sedge sync',
      run: (round) => timed(() => sync(`bench/v1/icons/sync-${round}`)),
    },
  ],
  rounds,
})
await browser.close()
await report('dashboard-upload', [
  {
    what: `Upload of ${iconCount} icons in the dashboard against \`sedge sync\``,
    figure: '≥ 0.8x',
    measured: `${(ratios.get('sedge sync') ?? Number.NaN).toFixed(2)}x, ${Math.round(Math.max(...rates))} files/s at best, ${rounds} rounds in turn`,
  },
])
