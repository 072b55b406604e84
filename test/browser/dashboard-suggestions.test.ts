import { expect, test } from 'bun:test'

import { openLocalService } from '../support/local-service.ts'
import { svgOf } from '../support/seeing-service.ts'
import { access, temporaryDirectory } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { leafSighting, startVisionServer, visionReplies } from '../support/vision-server.ts'
import { worldOf } from '../support/world.ts'
import { accessibilityFindings } from './accessibility.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { keepScreenshot, openVisits } from './dashboard-visit.ts'

const executable = findChromium('suggestions for many in a browser')
const paths = ['acme/v1/photos/one.svg', 'acme/v1/photos/two.svg']

/** Two images that a model has seen. */
async function openSeen() {
  await using opening = new AsyncDisposableStack()
  const directory = opening.use(await temporaryDirectory())
  const server = opening.use(startVisionServer(visionReplies.good))
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
  await worldOf(service).zone('acme')
  const ask = async (path: string) =>
    await (await fetch(`${service.url}${path}`, { headers: access })).json()
  for (const path of paths) {
    await fetch(`${service.url}/api/storage/${path}`, {
      method: 'PUT',
      headers: access,
      body: svgOf(path.includes('one') ? 'green' : 'blue'),
    })
    const suggestions = `/api/assets/suggestions?path=${path}`
    await until(async () => (await ask(suggestions)).Vision === 'seen', `${path} unseen`)
  }
  const opened = opening.move()
  return { url: service.url, ask, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

test.skipIf(executable === undefined)(
  'a person selects images, looks at what is suggested, and takes it for all of them',
  async () => {
    await using service = await openSeen()
    await using stack = new AsyncDisposableStack()
    const browser = await launchChromium(executable ?? '')
    stack.defer(() => browser.close())
    const visits = stack.use(openVisits(browser, service.url))
    await using visit = await visits.visit()
    const { page } = visit
    await page.goto(`${service.url}/dashboard/assets?folder=acme/v1/photos`)
    for (const name of ['one.svg', 'two.svg'])
      await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    const bar = page.getByRole('region', { name: 'Selected assets' })
    await bar.getByRole('button', { name: 'Suggestions' }).click()
    const dialog = page.getByRole('dialog', { name: 'Suggestions for 2 assets' })
    await dialog.getByText(leafSighting.alt.en).first().waitFor()
    expect(await dialog.getByRole('listitem').count()).toBe(2)
    expect(await accessibilityFindings(page)).toEqual([])
    await keepScreenshot(page, 'suggestions-for-many')
    await dialog.getByRole('button', { name: 'Take them' }).click()
    await page.getByText('Suggestions taken for 2 assets.').waitFor()

    for (const path of paths) {
      const { Metadata } = await service.ask(`/api/assets/metadata?path=${path}`)
      expect(Metadata).toMatchObject({ Alt: leafSighting.alt, Tags: ['leaf', 'stone'] })
    }
    expect(visit.faults).toEqual([])
  },
  120_000,
)
