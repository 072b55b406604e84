import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'

import { testApp } from '../../src/http/testing.ts'
import { Secret } from '../../src/lib/secrets/secret.ts'
import { createWithheldAssets } from '../../src/domain/content/delivered/withheld-assets.ts'
import { getStream } from '../../src/planes/delivery/streams/stream.ts'
import { createWatchPage } from '../../src/planes/delivery/streams/watch-page.ts'
import { createWatchFiles } from '../../src/wiring/pages/page-files.ts'
import { createStreamingWorld, pathOf, storeVideos } from '../streaming/streaming-world.ts'
import { findChromium, launchChromium } from './chromium.ts'

const executable = findChromium('playing streams in a browser')
const house = createStreamingWorld()
let browser: Browser
let server: ReturnType<typeof Bun.serve>

beforeAll(async () => {
  if (executable === undefined) return
  await storeVideos(house)
  const app = testApp([
    getStream.endpoint({
      previewOfHost: () => undefined,
      zoneOfHost: () => undefined,
      withheld: createWithheldAssets({ ruleFile: () => undefined, zone: () => undefined }),
      pinned: { from: async () => ({ asset: () => undefined, zone: () => undefined }) },
      streams: house.streams,
      signedUrlSecret: new Secret('secret'),
      signedUrlMaxAgeSeconds: 604_800,
      now: () => new Date(),
    }),
  ])
  const player = createWatchPage(createWatchFiles())
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => (await player.fetch(request)) ?? app.fetch(request, '127.0.0.1'),
  })
  browser = await launchChromium(executable)
})
afterAll(async () => {
  await browser?.close()
  await server?.stop(true)
})

/** What a page reported that should not have happened. */
async function watch(name: string): Promise<{ readonly page: Page; readonly faults: string[] }> {
  const page = await browser.newPage()
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`)
  })
  await page.goto(`${server.url}watch?path=${pathOf(name)}`)
  return { page, faults }
}

/** Plays the video's last second: reaching its end proves that all of it fits together. */
async function playFrom(page: Page, seconds: number): Promise<void> {
  await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2)
  await page.evaluate(async (start) => {
    const video = document.querySelector('video') as HTMLVideoElement
    video.currentTime = start
    await video.play()
  }, seconds)
}

const isEnded = (page: Page) =>
  page.waitForFunction(() => document.querySelector('video')?.ended === true)

const stateOf = (page: Page) =>
  page.evaluate(() => {
    const video = document.querySelector('video') as HTMLVideoElement
    return {
      duration: video.duration,
      width: video.videoWidth,
      error: video.error?.message ?? null,
      ranges: video.buffered.length,
      dropped: video.getVideoPlaybackQuality().droppedVideoFrames,
      decoded: video.getVideoPlaybackQuality().totalVideoFrames,
      status: document.querySelector('#status')?.textContent,
    }
  })

/** Not those that Chromium cannot seek in as plain files either: images that start nowhere anew. */
const videos: readonly (readonly [name: string, seconds: number])[] = [
  ['regular', 14],
  ['moov-last', 13],
  ['variable-rate', 14],
  ['two-audio-tracks', 8],
  ['video-only', 7],
  ['audio-only', 20],
  ['delayed-audio', 8],
  ['no-edit-list', 12],
  ['pre-roll', 12],
  ['all-key-frames', 8],
  ['ntsc', 13],
  ['av1-opus', 8],
  ['vp9', 8],
  ['quicktime', 7],
]

for (const [name, seconds] of videos)
  test.skipIf(executable === undefined)(
    `the player page plays ${name} to its end without an error`,
    async () => {
      const { page, faults } = await watch(name)
      await playFrom(page, Math.max(0, seconds - 2))
      await isEnded(page)

      const state = await stateOf(page)
      expect(state.duration).toBeCloseTo(seconds, 0)
      expect(state).toMatchObject({ error: null, status: '' })
      expect(faults).toEqual([])
      await page.close()
    },
  )

test.skipIf(executable === undefined)(
  'a viewer can change the size, seek, and read subtitles',
  async () => {
    const { page, faults } = await watch('ladder')
    await page.waitForSelector('#quality:not([hidden])')
    expect(await page.locator('#quality option').allTextContents()).toEqual([
      'Automatic',
      '90p',
      '144p',
      '180p',
    ])

    await page.selectOption('#quality', '90p')
    await playFrom(page, 1)
    await page.waitForFunction(() => document.querySelector('video')?.videoWidth === 160)
    await page.selectOption('#quality', '180p')
    await page.waitForFunction(() => document.querySelector('video')?.videoWidth === 320)
    await page.evaluate(() => {
      const [track] = document.querySelector('video')?.textTracks ?? []
      if (track) track.mode = 'showing'
    })
    await page.waitForFunction(
      () => (document.querySelector('video')?.textTracks[0]?.cues?.length ?? 0) === 2,
    )
    await playFrom(page, 17)
    await isEnded(page)

    expect(await stateOf(page)).toMatchObject({ error: null, status: '' })
    expect(faults).toEqual([])
    await page.close()
  },
)

test.skipIf(executable === undefined)(
  'a video that is played from its start shows no gap and drops no image of note',
  async () => {
    const { page, faults } = await watch('one-frame')
    await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2)
    expect(await stateOf(page)).toMatchObject({ error: null, width: 160 })
    await page.goto(`${server.url}watch?path=${pathOf('video-only')}`)
    await playFrom(page, 0)
    await isEnded(page)

    const { decoded, dropped, ranges } = await stateOf(page)
    expect(ranges).toBe(1)
    expect(decoded).toBeGreaterThan(150)
    expect(dropped).toBeLessThan(decoded / 4)
    expect(faults).toEqual([])
    await page.close()
  },
)

test.skipIf(executable === undefined)(
  'a browser that plays HLS itself plays, seeks and ends without an error',
  async () => {
    const page = await browser.newPage()
    await page.goto(`${server.url}watch/watch.css`)
    const isNative = await page.evaluate(
      (url) => {
        const video = document.createElement('video')
        video.muted = true
        if (video.canPlayType('application/vnd.apple.mpegurl') === '') return false
        video.src = url
        document.body.append(video)
        return true
      },
      `/api/stream?path=${pathOf('ladder')}`,
    )
    if (!isNative) return console.log('Skipped: this Chromium plays no HLS by itself')
    await playFrom(page, 15)
    await isEnded(page)

    const state = await page.evaluate(() => {
      const video = document.querySelector('video') as HTMLVideoElement
      return { duration: video.duration, error: video.error?.message ?? null }
    })
    expect(state.duration).toBeCloseTo(19, 0)
    expect(state.error).toBeNull()
    await page.close()
  },
)

test.skipIf(executable === undefined)('a video that is not there is said to be so', async () => {
  const { page } = await watch('none')
  await page.waitForFunction(() => document.querySelector('#status')?.textContent !== '')

  expect(await page.textContent('#status')).toBe('This video is not there.')
  expect(await page.isVisible('video')).toBe(false)
  await page.close()
})
