import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'

import { sampleVideo } from '../fixtures/media/sample-videos.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { access, account, temporaryDirectory } from '../support/service-process.ts'
import { findChromium, launchChromium } from './chromium.ts'

const executable = findChromium('thumbnails on the seek bar in a browser')
const undo = new AsyncDisposableStack()
let service: LocalService
let browser: Browser

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory())
  const environment = { SEARCH_BY_NAME_ONLY: 'true' }
  service = undo.use(await openLocalService({ dataDirectory: directory.path, environment }))
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
  const zone = { method: 'POST', headers: account, body: JSON.stringify({ Name: 'acme' }) }
  await sent('/api/core/zones', zone)
  for (const name of ['av1-opus', 'audio-only'] as const)
    await sent(`/api/storage/acme/v1/banners/${name}.mp4`, {
      method: 'PUT',
      headers: access,
      body: await sampleVideo(name),
    })
}, 60_000)
afterAll(() => undo.disposeAsync())

async function sent(path: string, init: RequestInit): Promise<void> {
  const response = await fetch(`${service.url}${path}`, init)
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
}

async function watch(name: string): Promise<Page> {
  const page = await browser.newPage()
  await page.goto(`${service.url}/watch?path=acme/v1/banners/${name}.mp4`)
  await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 1)
  return page
}

test.skipIf(executable === undefined)(
  'whoever points at the seek bar sees what is there, and a click seeks',
  async () => {
    const page = await watch('av1-opus')
    const bar = page.getByRole('slider', { name: 'Position' })
    const box = await bar.boundingBox()
    const at = { x: (box?.width ?? 0) * 0.6, y: (box?.height ?? 0) / 2 }
    expect(await page.isVisible('#thumbnail')).toBe(false)

    const sprite = page.waitForResponse((response) => response.url().includes('&v='))
    await bar.hover({ position: at })
    expect((await sprite).headers()['content-type']).toBe('image/webp')
    await page.waitForSelector('#thumbnail:not([hidden])')
    const shown = await page.evaluate(() => {
      const thumbnail = document.querySelector('#thumbnail') as HTMLElement
      const { width, height, backgroundPosition } = thumbnail.style
      return { width, height, backgroundPosition }
    })
    // Key frames are two seconds apart, and 60 % of eight seconds is in the third of them.
    expect(shown).toEqual({ width: '160px', height: '90px', backgroundPosition: '-320px 0px' })

    await bar.click({ position: at })
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 4)
    await bar.press('Home')
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 9) < 1)
    await page.close()
  },
)

test.skipIf(executable === undefined)('a recording without images has no such bar', async () => {
  const page = await watch('audio-only')

  expect(await page.isVisible('#position')).toBe(false)
  await page.close()
})
