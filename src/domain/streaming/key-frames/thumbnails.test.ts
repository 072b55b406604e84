import { expect, test } from 'bun:test'

import { sampleVideo } from '../../../../test/fixtures/media/sample-videos.ts'
import type { KeyFrames } from './frame-format.ts'
import { openKeyFrames } from './open-key-frames.ts'
import { planPreview, planThumbnails } from './thumbnails.ts'

const longVideo = (seconds: number, width: number, height: number): KeyFrames => ({
  format: {
    codec: 'h264',
    configuration: new Uint8Array(),
    width,
    height,
    rotation: 0,
    colour: undefined,
  },
  seconds: Array.from({ length: Math.ceil(seconds / 2) }, (_, place) => place * 2),
  durationSeconds: seconds,
  sizeOf: async () => 1,
  read: async () => new Uint8Array(1),
})

test('thumbnails cover a video from its start to its end, and none stands twice', async () => {
  const frames = await openKeyFrames(new Blob([await sampleVideo('regular')]))
  const { spans, places, tile } = planThumbnails(frames as KeyFrames)

  expect(places).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(tile).toEqual({ width: 160, height: 90 })
  expect(spans.map(({ from }) => from)).toEqual([0, 2, 4, 6, 8, 10, 12])
  expect(spans.map(({ to }) => to)).toEqual([2, 4, 6, 8, 10, 12, 14])
})

test('however long or large it is, there are not more than can be decoded in time', () => {
  const film = planThumbnails(longVideo(7200, 1920, 1080))
  const large = planThumbnails(longVideo(7200, 7680, 4320))

  expect(film.places).toHaveLength(64)
  expect(film.spans.at(-1)?.to).toBe(7200)
  expect(large.places).toHaveLength(4)
  expect(film.tile).toEqual({ width: 160, height: 90 })
})

test('what is turned stands upright', () => {
  const frames = longVideo(10, 1920, 1080)
  const turned = { ...frames, format: { ...frames.format, rotation: 90 as const } }

  expect(planThumbnails(turned).tile).toEqual({ width: 90, height: 160 })
})

test('a preview has three frames for each of its seconds, from all over the video', () => {
  const { places, delayMs } = planPreview(longVideo(600, 1280, 720), 3)

  expect(places).toHaveLength(9)
  expect(delayMs).toBe(333)
  expect(places[0]).toBe(16)
  expect(places.at(-1)).toBe(283)
  expect(planPreview(longVideo(2, 1280, 720), 3)).toEqual({ places: [0], delayMs: 3000 })
})
