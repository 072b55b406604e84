import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { sampleVideo, sampleVideos } from '../../../../test/fixtures/media/sample-videos.ts'
import { readFragment } from '../../../../test/fixtures/media/read-fragment.ts'
import { assembleSegment, type Part } from './assemble.ts'
import { audioSegments, cutTimes, videoSegments } from './cutting.ts'
import { fragmentHeaderBytes, payloadBytes } from './fragment.ts'
import { indexMedia } from '../index/index-media.ts'
import type { Samples, Track } from '../index/stream-index.ts'

for (const name of sampleVideos)
  test(`the segments of ${name} hold its samples byte by byte, in unbroken time, from key frame to key frame`, async () => {
    const bytes = await sampleVideo(name)
    const blob = new Blob([bytes])
    const { video, audio } = await indexMedia(blob)
    const cuts = video ? (cutTimes([video])[0] ?? []) : []
    for (const track of [...(video ? [video] : []), ...audio]) {
      const segments =
        track.kind === 'video' ? videoSegments(track, cuts) : audioSegments(track, cuts)
      let next = 0
      for (const [number, segment] of segments.entries()) {
        const parts = await assembleSegment(blob, track, { ...segment, sequenceNumber: number + 1 })
        const body = await joined(parts, 0)
        const samples = readFragment(body)

        expect(body.length).toBe(
          fragmentHeaderBytes(track, segment) + payloadBytes(track.samples, segment),
        )
        expect(segment.from).toBe(next)
        expect(samples.length).toBe(segment.to - segment.from)
        for (const [index, sample] of samples.entries())
          expect(sample).toEqual(expectedSample(bytes, track, segment.from + index))
        expect((samples[0]?.flags ?? 0) & 0x1_0000).toBe(0)
        next = segment.to
      }
      expect(next).toBe(track.samples.count)
    }
  })

function expectedSample(bytes: Uint8Array, { samples }: Track, sample: number) {
  const offset = samples.offsets[sample] ?? 0
  const decodeTime = samples.decodeTimes[sample] ?? 0
  const isKey = samples.keySamples?.includes(sample) ?? true
  return {
    bytes: bytes.subarray(offset, offset + (samples.sizes[sample] ?? 0)),
    decodeTime,
    duration: (samples.decodeTimes[sample + 1] ?? 0) - decodeTime,
    flags: isKey ? 0x200_0000 : 0x101_0000,
    compositionOffset: samples.compositionOffsets?.[sample] ?? 0,
  }
}

test('samples come out in their order wherever in the file they lie', async () => {
  const source = Uint8Array.from({ length: 600_000 }, (_, index) => (index * 7) ^ (index >> 8))
  const sample = fc.record({ offset: fc.nat(599_000), size: fc.nat(900) })
  await fc.assert(
    fc.asyncProperty(fc.array(sample, { minLength: 1, maxLength: 30 }), async (places) => {
      const track = soundTrack(places)
      const span = { from: 0, to: places.length }
      const parts = await assembleSegment(new Blob([source]), track, { ...span, sequenceNumber: 1 })

      const payload = await joined(parts, fragmentHeaderBytes(track, span))
      expect(payload).toEqual(
        Buffer.concat(places.map(({ offset, size }) => source.subarray(offset, offset + size))),
      )
    }),
  )
})

test('a segment too large to be held is handed on as parts of the file', async () => {
  const source = new Blob([new Uint8Array(20 * 2 ** 20).fill(7)])
  const track = soundTrack([{ offset: 100, size: 20 * 2 ** 20 - 100 }])

  const parts = await assembleSegment(source, track, { from: 0, to: 1, sequenceNumber: 1 })

  expect(parts.map((part) => part instanceof Blob)).toEqual([false, true])
})

const joined = async (parts: readonly Part[], from: number) =>
  Buffer.concat(
    await Promise.all(parts.map((part) => (part instanceof Uint8Array ? part : part.bytes()))),
  ).subarray(from)

function soundTrack(places: readonly { readonly offset: number; readonly size: number }[]): Track {
  const samples: Samples = {
    count: places.length,
    offsets: Float64Array.from(places, ({ offset }) => offset),
    sizes: Uint32Array.from(places, ({ size }) => size),
    decodeTimes: Float64Array.from({ length: places.length + 1 }, (_, index) => index * 1024),
    compositionOffsets: undefined,
    keySamples: undefined,
  }
  return {
    kind: 'audio',
    codec: 'mp4a.40.2',
    timescale: 48_000,
    language: 'und',
    sampleEntry: new Uint8Array(),
    editStart: 0,
    channels: 1,
    samples,
  }
}
