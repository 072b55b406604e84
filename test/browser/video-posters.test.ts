import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import sharp from 'sharp'

import { sampleVideoFile } from '../fixtures/media/sample-videos.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { access, temporaryDirectory } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { visitDashboard } from './dashboard-visit.ts'

const executable = findChromium('images of videos by the dashboard in a browser')
const undo = new AsyncDisposableStack()
const formerPath = process.env['PATH']
let service: LocalService
let browser: Browser

/** A machine that has git, and nothing that decodes a video. */
async function hideDecoders(directory: string): Promise<void> {
  await mkdir(directory)
  await symlink(Bun.which('git') ?? 'git', join(directory, 'git'))
  process.env['PATH'] = directory
  undo.defer(() => {
    process.env['PATH'] = formerPath
  })
}

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory()).path
  await hideDecoders(join(directory, 'bin'))
  const environment = { SEARCH_BY_NAME_ONLY: 'true' }
  service = undo.use(
    await openLocalService({ dataDirectory: join(directory, 'data'), environment }),
  )
  await worldOf(service).zone('acme')
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
}, 60_000)
afterAll(() => undo.disposeAsync())

const transform = () =>
  service.fetch(
    new Request(`${service.url}/api/transform?url=/acme/v1/banners/regular.mp4&w=80&format=png`),
    '127.0.0.1',
  )

test.skipIf(executable === undefined)(
  'where nothing decodes a video, the browser that uploads it makes its image',
  async () => {
    await using visit = await visitDashboard(browser, service.url)
    const { page } = visit
    await page.goto(`${service.url}/dashboard/upload?zone=acme`)
    await page.getByLabel('Folder', { exact: true }).fill('banners')
    await page.getByLabel('Choose files').setInputFiles(sampleVideoFile('regular'))

    const poster = `${service.url}/api/storage/clients/acme/v1/banners/regular.poster.jpg`
    const isThere = async () => (await fetch(poster, { headers: access })).status === 200
    await until(isThere, 'no image was stored beside the video')
    const response = await transform()
    expect(response.status).toBe(200)
    const { width, height } = await sharp(await response.arrayBuffer()).metadata()
    expect([width, height]).toEqual([80, 45])

    await page.goto(`${service.url}/dashboard/assets?zone=acme`)
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.thumbnail img')].some(
        (image) =>
          (image as HTMLImageElement).src.includes('regular.mp4') &&
          (image as HTMLImageElement).naturalWidth > 0,
      ),
    )
  },
)
