import { expect, test } from 'bun:test'
import { setImmediate } from 'node:timers/promises'

import {
  crafted,
  idr,
  longestVideo,
  frames,
  sound,
} from '../../../test/fixtures/media/crafted-video.ts'
import { createStreamingWorld } from '../../../test/streaming/streaming-world.ts'
import { assembleSegment } from './segments/assemble.ts'
import { box, fullBox, u32 } from './mp4/box-writer.ts'
import { createByteSource, UnstreamableMediaError } from './mp4/byte-source.ts'
import { audioSegments } from './segments/cutting.ts'
import { indexMedia } from './index/index-media.ts'
import type { VideoTrack } from './index/stream-index.ts'

const durations = (count: number, each: number) => fullBox('stts', {}, u32(1, count, each))
const oneChunk = (count: number) => fullBox('stsc', {}, u32(1, 1, count, 1))
const at = (...offsets: readonly number[]) => fullBox('stco', {}, u32(offsets.length, ...offsets))
const uniform = (size: number, count: number) => fullBox('stsz', {}, u32(size, count))

test('a small file that claims as many samples as are allowed costs little', async () => {
  const count = 300_000
  const tables = [durations(count, 48), oneChunk(count), at(0), uniform(1, count)]
  const blob = await crafted(tables, sound(count))
  const started = performance.now()
  const { audio } = await indexMedia(blob)

  expect(audio[0]?.samples.count).toBe(count)
  expect(audioSegments(audio[0] as (typeof audio)[0], []).length).toBeLessThan(200)
  expect(performance.now() - started).toBeLessThan(10_000)
})

const hostile: readonly (readonly [string, readonly Uint8Array[], RegExp])[] = [
  [
    'one sample more than allowed',
    [durations(300_001, 1), oneChunk(300_001), at(0), uniform(1, 300_001)],
    /too many/u,
  ],
  [
    'samples larger than the file',
    [durations(4, 1024), oneChunk(4), at(0), uniform(0xffff_ffff, 4)],
    /cut off/u,
  ],
  ['samples that overlap', [durations(4, 1024), oneChunk(4), at(0), uniform(900, 4)], /overlap/u],
  [
    'samples that last for ages',
    [durations(4, 0xffff_ffff), oneChunk(4), at(0), uniform(1, 4)],
    /longer than a day/u,
  ],
  [
    'samples that last no time',
    [durations(4, 0), oneChunk(4), at(0), uniform(1, 4)],
    /no duration/u,
  ],
  ['no samples', [durations(0, 0), oneChunk(1), at(0), uniform(0, 0)], /neither/u],
  [
    'more entries than samples',
    [fullBox('stts', {}, u32(6, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 4, 1)), oneChunk(4), at(0)].concat(
      uniform(1, 4),
    ),
    /more entries/u,
  ],
  [
    'more chunks than samples',
    [durations(2, 1), oneChunk(1), at(0, 1, 2, 3), uniform(1, 2)],
    /more entries/u,
  ],
  ['no chunks', [durations(4, 1), fullBox('stsc', {}, u32(0)), at(0), uniform(1, 4)], /too few/u],
]

for (const [what, tables, reason] of hostile)
  test(`${what}: refused`, async () => {
    const indexing = indexMedia(await crafted(tables, sound(2000)))

    expect(indexing).rejects.toBeInstanceOf(UnstreamableMediaError)
    expect(indexing).rejects.toThrow(reason)
  })

test('more boxes than anyone needs: refused', async () => {
  const boxes = Array.from({ length: 5000 }, () => box('free') as Uint8Array<ArrayBuffer>)

  expect(indexMedia(new Blob(boxes))).rejects.toThrow('more than 4096 boxes')
})

test('boxes within boxes to any depth: never followed', async () => {
  let nested = box('trak')
  for (let depth = 0; depth < 10_000; depth += 1) {
    const outer = new Uint8Array(nested.length + 8)
    new DataView(outer.buffer).setUint32(0, outer.length)
    outer.set(Buffer.from(depth === 9999 ? 'moov' : 'trak'), 4)
    outer.set(nested, 8)
    nested = outer
  }

  expect(indexMedia(new Blob([nested as Uint8Array<ArrayBuffer>]))).rejects.toThrow('mvhd')
})

const everySample = fullBox('stsc', {}, u32(1, 1, 1, 1))

test('samples at the two ends of a file in turn are read in the order of the file', async () => {
  const count = 20_000
  const sizeBytes = 800_000
  const offsets = Array.from({ length: count }, (_, sample) =>
    sample % 2 === 0 ? 8 + 5 * (sample / 2) : 8 + sizeBytes - 5 * ((sample + 1) / 2),
  )
  const tables = [durations(count, 1000), everySample, at(...offsets), uniform(5, count)]
  const blob = await crafted(tables, frames(idr, sizeBytes))
  const { readBytes, counted } = countReads(blob)
  const { video } = await indexMedia(counted)

  expect(video?.samples.keySamples).toHaveLength(count)
  expect(readBytes()).toBeLessThan(4 * blob.size)
})

test('a reader that is made to jump to and fro gives up', async () => {
  const { readBytes, counted } = countReads(new Blob([new Uint8Array(2_000_000)]))
  const source = createByteSource(counted)
  async function jump(): Promise<void> {
    for (let turn = 0; turn < 10_000; turn += 1)
      await source.read(turn % 2 === 0 ? 0 : 1_999_000, 5)
  }

  expect(jump()).rejects.toThrow('too scattered')
  expect(readBytes()).toBeLessThan(40 * 2 ** 20)
})

/** The same file, and how much of it is read. */
function countReads(blob: Blob) {
  let readBytes = 0
  const counted = {
    size: blob.size,
    slice(from: number, to: number) {
      readBytes += to - from
      return blob.slice(from, to)
    },
  } as Blob
  return { readBytes: () => readBytes, counted }
}

test('a video of nothing but key frames, more than any video has, is refused', async () => {
  const count = 100_001
  const tables = [durations(count, 1000), oneChunk(count), at(8), uniform(5, count)]

  expect(indexMedia(await crafted(tables, frames(idr, 5 * count)))).rejects.toThrow('key frames')
})

test('others have their turn while a video is indexed', async () => {
  const count = 100_000
  const tables = [durations(count, 1000), oneChunk(count), at(8), uniform(5, count)]
  const blob = await crafted(tables, frames(idr, 5 * count))
  const others = { turns: 0, areDone: false }
  const indexing = indexMedia(blob).finally(() => {
    others.areDone = true
  })
  while (!others.areDone) {
    await setImmediate()
    others.turns += 1
  }
  await indexing

  expect(others.turns).toBeGreaterThan(15)
})

test('a segment of samples that are scattered all over the file is refused', async () => {
  const count = 25_000
  const offsets = Array.from({ length: count }, (_, sample) => 8 + 5 * ((sample * 7919) % count))
  const tables = [
    durations(count, 1000),
    everySample,
    at(...offsets),
    uniform(5, count),
    fullBox('stss', {}, u32(1, 1)),
  ]
  const blob = await crafted(tables, frames(idr, 5 * count))
  const { video } = await indexMedia(blob)
  const span = { from: 0, to: count, sequenceNumber: 1 }

  expect(assembleSegment(blob, video as VideoTrack, span)).rejects.toThrow('pieces')
})

test('sizes of a video beyond what is worth holding are left out', async () => {
  const house = createStreamingWorld()
  const large = await (await longestVideo(290_000)).bytes()
  const sizes = ['', '_1080p', '_720p', '_480p', '_360p'].map((label) => `a/v1/film${label}.mp4`)
  house.zones.set('a', { name: 'a', createdAt: new Date(0), enabled: true, suspended: false })
  for (const path of sizes) await house.store(path, large)
  const { text } = await house.streams.playlist({
    path: 'a/v1/film.mp4',
    quality: undefined,
    grant: undefined,
  })

  expect(text.match(/#EXT-X-STREAM-INF/gu)).toHaveLength(3)
})
