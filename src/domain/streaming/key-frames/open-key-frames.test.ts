import { expect, test } from 'bun:test'
import sharp from 'sharp'

import { type SampleClip, sampleClip } from '../../../../test/fixtures/media/sample-clips.ts'
import { type SampleVideo, sampleVideo } from '../../../../test/fixtures/media/sample-videos.ts'
import { keyFrameBefore, tellingKeyFrame } from './choose-key-frame.ts'
import type { KeyFrames } from './frame-format.ts'
import { openKeyFrames } from './open-key-frames.ts'
import { stillOfFrame } from './still-of-frame.ts'

const opened = async (bytes: Uint8Array<ArrayBuffer>) =>
  (await openKeyFrames(new Blob([bytes]))) as KeyFrames

const videos: readonly (readonly [SampleVideo, readonly number[], number])[] = [
  ['regular', [0, 2, 4, 6, 8, 10, 12], 14],
  ['moov-last', [0, 1.292, 4.5, 5, 9.708, 11], 13],
  ['one-frame', [0], 0.04],
  ['vp9', [0, 2, 4, 6], 8],
  ['hevc', [0, 2, 4, 6, 8, 10, 12], 13],
  // As ffprobe tells them: nothing says that the first is to be seen at once.
  ['fragmented', [0.08, 1.08, 2.08, 3.08], 4],
  ['fragmented-av1', [0, 2.007], 4],
]

for (const [name, seconds, duration] of videos)
  test(`the key frames of ${name} are where its writer put them`, async () => {
    const frames = await opened(await sampleVideo(name))

    expect(frames.seconds.map((each) => Math.round(each * 1000) / 1000)).toEqual([...seconds])
    expect(frames.durationSeconds).toBeCloseTo(duration, 0)
  })

const clips: readonly (readonly [SampleClip, string])[] = [
  ['vp9.webm', 'vp9'],
  ['av1.webm', 'av1'],
  ['h264.mkv', 'h264'],
  ['live.webm', 'vp8'],
]

for (const [name, codec] of clips)
  test(`the key frames of ${name} are found, by its list or without one`, async () => {
    const frames = await opened(await sampleClip(name))

    expect(frames.format).toMatchObject({ codec, width: 160, height: 90, rotation: 0 })
    expect(frames.seconds.map((each) => Math.round(each))).toEqual([0, 1, 2, 3])
    expect(await frames.read(2)).toHaveLength(await frames.sizeOf(2))
  })

test('the key frame at or before a moment is taken, the last one beyond the end', async () => {
  const frames = await opened(await sampleVideo('regular'))
  const at = (seconds: number) => frames.seconds[keyFrameBefore(frames, seconds)]

  expect([0, 1.9, 2, 3.999, 4, 5.5, 13, 86_400].map(at)).toEqual([0, 0, 2, 2, 4, 4, 12, 12])
})

test('where nobody says when, a black beginning is passed over', async () => {
  const frames = await opened(await sampleClip('vp8.webm'))
  const place = await tellingKeyFrame(frames)

  expect(frames.seconds[place]).toBeGreaterThanOrEqual(2)
  const { channels } = await sharp(
    stillOfFrame(frames.format, await frames.read(place))?.bytes,
  ).stats()
  expect(Math.max(...channels.map(({ mean }) => mean))).toBeGreaterThan(40)
})

test('and else the one at a tenth of it', async () => {
  const frames = await opened(await sampleVideo('ladder'))

  expect(frames.seconds[await tellingKeyFrame(frames)]).toBe(0)
  const longer = { ...frames, durationSeconds: 60 }
  expect(frames.seconds[await tellingKeyFrame(longer)]).toBe(6)
})

test('a file of sound alone has nothing to be seen', async () => {
  expect(await openKeyFrames(new Blob([await sampleVideo('audio-only')]))).toBeUndefined()
  expect(await openKeyFrames(new Blob([await sampleVideo('unsupported')]))).toBeUndefined()
})
