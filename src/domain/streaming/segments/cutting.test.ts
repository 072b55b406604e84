import { expect, test } from 'bun:test'

import { sampleVideo, type SampleVideo } from '../../../../test/fixtures/media/sample-videos.ts'
import { audioSegments, cutTimes, iframeSegments, videoSegments } from './cutting.ts'
import { indexMedia } from '../index/index-media.ts'
import type { VideoTrack } from '../index/stream-index.ts'

const indexOf = async (name: SampleVideo) => indexMedia(new Blob([await sampleVideo(name)]))
const videoOf = async (name: SampleVideo) => (await indexOf(name)).video as VideoTrack
const durations = (segments: readonly { readonly duration: number }[]) =>
  segments.map(({ duration }) => Number(duration.toFixed(3)))

test('a video is cut about every six seconds', async () => {
  const video = await videoOf('regular')

  expect(durations(videoSegments(video, cutTimes([video])[0] ?? []))).toEqual([6, 6, 2])
})

test('a cut goes to the nearest key frame, and no rest of a moment is left', async () => {
  const irregular = await videoOf('moov-last')
  const dense = await videoOf('all-key-frames')

  expect(durations(videoSegments(irregular, cutTimes([irregular])[0] ?? []))).toEqual([5, 6, 2])
  expect(durations(videoSegments(dense, cutTimes([dense])[0] ?? []))).toEqual([6, 2])
})

test('videos of one ladder are cut where the key frames of all meet', async () => {
  const videos = [
    await videoOf('ladder'),
    await videoOf('ladder_144p'),
    await videoOf('ladder_90p'),
  ]
  const cuts = cutTimes(videos)

  expect(cuts).toEqual([
    [6, 12, 18],
    [6, 12, 18],
    [6, 12, 18],
  ])
})

test('videos whose key frames never meet are cut each for itself', async () => {
  const cuts = cutTimes([await videoOf('regular'), await videoOf('moov-last')])

  expect(cuts).toEqual([
    [6, 12],
    [5, 11],
  ])
})

test('sound is cut at the frame where its video is cut', async () => {
  const { video, audio } = await indexOf('regular')
  const [sound] = audio
  if (video === undefined || sound === undefined) throw new Error('The fixture has both')
  const segments = audioSegments(sound, cutTimes([video])[0] ?? [])

  expect(segments.map(({ start }) => Math.round(start * 10))).toEqual([0, 60, 120])
  expect(segments.reduce((sum, { duration }) => sum + duration, 0)).toBeCloseTo(14, 2)
})

test('sound without a video is cut every six seconds', async () => {
  const { audio } = await indexOf('audio-only')

  expect(audio.flatMap((track) => durations(audioSegments(track, [])).length)).toEqual([4])
})

test('single key frames last until the next and are at least half a second apart', async () => {
  const sparse = iframeSegments(await videoOf('regular'))
  const dense = iframeSegments(await videoOf('all-key-frames'))

  expect(durations(sparse)).toEqual([2, 2, 2, 2, 2, 2, 2])
  expect(dense.every(({ from, to, duration }) => to === from + 1 && duration >= 0.4)).toBe(true)
})
