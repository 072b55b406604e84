import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page, Request } from 'playwright-core'

import { painted, photoPainter } from '../fixtures/sample-images.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { temporaryDirectory } from '../support/service-process.ts'
import { worldOf } from '../support/world.ts'
import { findChromium, launchChromium } from './chromium.ts'

const executable = findChromium('client hints of a browser')
const undo = new AsyncDisposableStack()
let service: LocalService
let browser: Browser
/** A page of somebody else, who shows images of the service. */
let site: URL

const imageUrl = () =>
  `${service.url}/api/transform?url=/acme/v1/photos/wide.jpg&w=auto&format=webp`
/** As the documentation says it. */
const page = () => `<!doctype html><title>hints</title>
<meta http-equiv="Delegate-CH" content="sec-ch-width ${service.url}; sec-ch-dpr ${service.url}">
<img src="${imageUrl()}" sizes="150px" srcset="${imageUrl()} 150w" width="150">`

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory())
  const environment = { SEARCH_BY_NAME_ONLY: 'true' }
  service = undo.use(await openLocalService({ dataDirectory: directory.path, environment }))
  const world = worldOf(service)
  await world.zone('acme')
  const wide = await painted({ width: 1800, height: 1200 }, photoPainter(4)).jpeg().toBuffer()
  await world.put('acme/v1/photos/wide.jpg', new Uint8Array(wide))
  const pages = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => new Response(page(), { headers: { 'Content-Type': 'text/html' } }),
  })
  undo.defer(() => pages.stop(true))
  site = pages.url
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
}, 60_000)
afterAll(() => undo.disposeAsync())

/** What the last request for the image said of the device: its density, and how wide the image is shown. */
async function saidBy(requests: readonly Request[]) {
  const headers = (await requests.at(-1)?.allHeaders()) ?? {}
  return [headers['sec-ch-dpr'], headers['sec-ch-width']]
}

/** In pixels of the image itself, whatever the page says of it. */
const shownWidth = (visit: Page) =>
  visit.evaluate<number>(
    `new Promise((resolve, reject) => {
      const image = document.images[0]
      const tell = () => createImageBitmap(image).then(({ width }) => resolve(width), reject)
      if (image.complete) tell()
      else image.addEventListener('load', tell)
    })`,
  )

async function visited(url: string, density: number) {
  await using context = await browser.newContext({
    deviceScaleFactor: density,
    viewport: { width: 400, height: 300 },
  })
  const visit = await context.newPage()
  const requests: Request[] = []
  visit.on('request', (request) => {
    if (request.url().includes('/api/transform')) requests.push(request)
  })
  await visit.goto(url)
  return { width: await shownWidth(visit), said: await saidBy(requests) }
}

for (const [density, width] of [
  [1, 160],
  [2, 308],
  [3, 480],
] as const)
  test.skipIf(executable === undefined)(
    `a page that delegates hints gets ${width} pixels for 150 at a density of ${density}`,
    async () => {
      expect(await visited(site.href, density)).toEqual({
        width,
        said: [String(density), String(150 * density)],
      })
    },
    60_000,
  )

test.skipIf(executable === undefined)(
  'asked for by itself, a browser says what is critical at once, and gets the width of its window',
  async () => {
    // Without what the first response asks for it would be 1080.
    expect((await visited(imageUrl(), 1)).width).toBe(480)
  },
  60_000,
)
