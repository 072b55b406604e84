import { expect, test } from 'bun:test'

import { openLocalService } from '../support/local-service.ts'
import { svgOf, saying } from '../support/seeing-service.ts'
import { access, account, temporaryDirectory } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { startVisionServer } from '../support/vision-server.ts'
import { worldOf } from '../support/world.ts'
import { accessibilityFindings } from './accessibility.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { keepScreenshot, openVisits } from './dashboard-visit.ts'

const executable = findChromium('held images in a browser')
const poster = 'acme/v1/photos/poster.svg'

/** A preview with an image that the zone holds back, and that has been looked at. */
async function openHolding() {
  await using opening = new AsyncDisposableStack()
  const directory = opening.use(await temporaryDirectory())
  const server = opening.use(startVisionServer(saying({ safety: 'unsafe' })))
  const service = opening.use(
    await openLocalService({
      dataDirectory: directory.path,
      environment: {
        SEARCH_BY_NAME_ONLY: 'true',
        VISION_BASE_URL: server.baseUrl,
        VISION_MODEL: 'eyes',
      },
    }),
  )
  const zone = `${service.url}/api/core/zones/acme`
  const send = (method: string, url: string, body: object) =>
    fetch(url, { method, headers: account, body: JSON.stringify(body) })
  await worldOf(service).zone('acme')
  await send('PATCH', zone, { Moderation: 'hold' })
  await send('POST', `${zone}/previews`, { Name: 'spring' })
  await fetch(`${service.url}/api/storage/${poster}`, {
    method: 'PUT',
    headers: { ...access, 'Sedge-Preview': 'spring' },
    body: svgOf('green'),
  })
  const promote = () => send('POST', `${zone}/previews/spring/promote`, { DryRun: true })
  await until(async () => (await (await promote()).text()).includes('is held back: unsafe'))
  const opened = opening.move()
  return { url: service.url, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

test.skipIf(executable === undefined)(
  'a person looks at what a preview holds back, releases it by keyboard, and it is live',
  async () => {
    await using service = await openHolding()
    await using stack = new AsyncDisposableStack()
    const browser = await launchChromium(executable ?? '')
    stack.defer(() => browser.close())
    const visits = stack.use(openVisits(browser, service.url))
    await using visit = await visits.visit()
    const { page } = visit
    await page.goto(`${service.url}/dashboard/previews?zone=acme&preview=spring`)
    await page.getByRole('button', { name: 'Promote' }).first().click()
    const held = page.getByRole('region', { name: 'Held back' })
    await held.waitFor()
    const image = held.getByRole('img', { name: 'photos/poster.svg' })
    await image.waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
    await keepScreenshot(page, 'held-images')
    await held.getByRole('checkbox', { name: /^Release /u }).focus()
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Make it live: 1 file' }).click()
    await page.getByText('spring is live').waitFor()

    expect((await fetch(`${service.url}/${poster}`)).status).toBe(200)
    expect(visit.faults.filter((fault) => !fault.includes('409'))).toEqual([])
  },
  120_000,
)
