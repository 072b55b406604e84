import { expect, test } from 'bun:test'

import { crafted, frames, idr } from '../../../../test/fixtures/media/crafted-video.ts'
import { sampleClip, sampleClips } from '../../../../test/fixtures/media/sample-clips.ts'
import { sampleVideo } from '../../../../test/fixtures/media/sample-videos.ts'
import { createRandom, seedOf } from '../../../../test/support/random.ts'
import { box, fullBox, u32 } from '../mp4/box-writer.ts'
import { UnstreamableMediaError } from '../mp4/byte-source.ts'
import { tellingKeyFrame } from './choose-key-frame.ts'
import { elementaryStream } from './elementary-stream.ts'
import { openKeyFrames } from './open-key-frames.ts'
import { stillOfFrame } from './still-of-frame.ts'

/** Everything that is done with a file before a decoder sees any of it. */
async function look(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const found = await openKeyFrames(new Blob([bytes]))
  if (found === undefined) return
  for (const place of [await tellingKeyFrame(found), found.seconds.length - 1]) {
    const frame = await found.read(place)
    const { codec } = found.format
    if (codec === 'h264' || codec === 'hevc') elementaryStream(found.format, frame)
    stillOfFrame(found.format, frame)
  }
}

/** What became of it; anything but a refusal with a reason is a fault of ours. */
async function outcomeOf(bytes: Uint8Array<ArrayBuffer>): Promise<'read' | 'refused'> {
  try {
    await look(bytes)
    return 'read'
  } catch (error) {
    if (error instanceof UnstreamableMediaError) return 'refused'
    throw error
  }
}

const files = async (): Promise<readonly Uint8Array<ArrayBuffer>[]> =>
  await Promise.all([
    ...sampleClips.map((name) => sampleClip(name)),
    sampleVideo('hevc'),
    sampleVideo('av1-opus'),
    sampleVideo('fragmented'),
    sampleVideo('fragmented-av1'),
    sampleVideo('quicktime'),
  ])

test('a file that is cut off anywhere is read or refused', async () => {
  for (const file of await files())
    for (const length of [0, 1, 2, 3, 4, 5, 8, 12, 40, 100, 400, 1000, 5000])
      await outcomeOf(file.slice(0, length))
  expect(await outcomeOf(new Uint8Array(1))).toBe('refused')
})

test('whatever is changed in a file, it is read or refused', async () => {
  const random = createRandom(seedOf('changed videos'))
  const outcomes = { read: 0, refused: 0 }
  const started = performance.now()
  for (const file of await files())
    for (let turn = 0; turn < 80; turn += 1) {
      const bytes = file.slice()
      // The heads, where sizes, counts and places are, at either end.
      for (let change = 0; change < 1 + (turn % 8); change += 1) {
        const reach = turn % 3 === 0 ? bytes.length : 2000
        const place = random.integer(0, Math.min(reach, bytes.length) - 1)
        const at = turn % 5 === 0 ? bytes.length - 1 - place : place
        bytes[at] = random.integer(0, 255)
      }
      outcomes[await outcomeOf(bytes)] += 1
    }

  expect(outcomes.read).toBeGreaterThan(0)
  expect(outcomes.refused).toBeGreaterThan(0)
  expect(performance.now() - started).toBeLessThan(60_000)
})

const element = (id: readonly number[], data: Uint8Array): Uint8Array => {
  const size = Buffer.alloc(8)
  size.writeBigUInt64BE(BigInt(data.length))
  size[0] = 0x01
  return Buffer.concat([Uint8Array.from(id), size, data])
}

test('elements within elements, and lists that lead in a circle, end', async () => {
  let nested: Uint8Array = new Uint8Array()
  for (let depth = 0; depth < 2000; depth += 1) nested = element([0x1f, 0x43, 0xb6, 0x75], nested)
  const [live] = [await sampleClip('live.webm')]
  const head = live.slice(0, Buffer.from(live).indexOf(Uint8Array.of(0x1f, 0x43, 0xb6, 0x75)))

  expect(await outcomeOf(Buffer.concat([head, nested]))).toBe('refused')
  const empty = Buffer.concat(Array.from({ length: 200_000 }, () => Uint8Array.of(0xec, 0x80)))
  expect(await outcomeOf(Buffer.concat([head, empty]))).toBe('refused')
})

test('sizes, durations and frames beyond reason are refused', async () => {
  const tables = [
    fullBox('stts', {}, u32(1, 1, 0xffff_ffff)),
    fullBox('stsc', {}, u32(1, 1, 1, 1)),
    fullBox('stco', {}, u32(1, 8)),
    fullBox('stsz', {}, u32(25 * 2 ** 20, 1)),
  ]
  const large = await crafted(tables, frames(idr, 26 * 2 ** 20))

  expect(look(await large.bytes())).rejects.toThrow('over 24 MiB')
  expect(look(new Uint8Array(box('ftyp', new Uint8Array(8))))).rejects.toThrow('no moov')
})

test('fragments that count without end, or say nothing of where they are, are refused', async () => {
  const file = Buffer.from(await sampleVideo('fragmented-av1'))
  const run = file.indexOf('trun')
  const counted = Buffer.from(file)
  counted.writeUInt32BE(0xffff_ffff, run + 8)
  const bare = Buffer.from(file)
  // No sizes or durations of its own, and a million samples of the usual size.
  bare.writeUInt32BE(0, run + 4)
  bare.writeUInt32BE(1_000_000, run + 8)

  expect(await outcomeOf(new Uint8Array(counted))).toBe('refused')
  const started = performance.now()
  await outcomeOf(new Uint8Array(bare))
  expect(performance.now() - started).toBeLessThan(10_000)
})
