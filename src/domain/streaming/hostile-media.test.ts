import { expect, test } from 'bun:test'

import { film } from '../../../test/fixtures/media/films.ts'
import { box, fullBox, u32 } from './box-writer.ts'
import { boxesIn, find, need } from './boxes.ts'
import { audioSegments } from './cutting.ts'
import { indexMedia } from './index-media.ts'
import { UnstreamableMediaError } from './unstreamable-media-error.ts'

/** A sound film whose sample tables are what a test says, with `sizeBytes` of samples. */
async function crafted(tables: readonly Uint8Array[], sizeBytes: number): Promise<Blob> {
  const moov = boxesIn(need(boxesIn(await film('audio-only')), 'moov'))
  const trak = boxesIn(need(moov, 'trak'))
  const mdia = boxesIn(need(trak, 'mdia'))
  const stbl = boxesIn(need(boxesIn(need(mdia, 'minf')), 'stbl'))
  const whole = (boxes: typeof moov, type: string) => find(boxes, type)?.whole ?? new Uint8Array()
  return new Blob([
    box('ftyp', u32(0x69736f6d, 0)) as Uint8Array<ArrayBuffer>,
    box(
      'moov',
      whole(moov, 'mvhd'),
      box(
        'trak',
        whole(trak, 'tkhd'),
        box(
          'mdia',
          whole(mdia, 'mdhd'),
          whole(mdia, 'hdlr'),
          box('minf', box('stbl', whole(stbl, 'stsd'), ...tables)),
        ),
      ),
    ) as Uint8Array<ArrayBuffer>,
    box('mdat', new Uint8Array(sizeBytes)) as Uint8Array<ArrayBuffer>,
  ])
}

const durations = (count: number, each: number) => fullBox('stts', {}, u32(1, count, each))
const oneChunk = (count: number) => fullBox('stsc', {}, u32(1, 1, count, 1))
const at = (offset: number) => fullBox('stco', {}, u32(1, offset))
const uniform = (size: number, count: number) => fullBox('stsz', {}, u32(size, count))

test('a small file that claims as many samples as are allowed costs little', async () => {
  const count = 1_000_000
  const tables = [durations(count, 48), oneChunk(count), at(0), uniform(1, count)]
  const blob = await crafted(tables, count)
  const started = performance.now()
  const { audio } = await indexMedia(blob)

  expect(audio[0]?.samples.count).toBe(count)
  expect(audioSegments(audio[0] as (typeof audio)[0], []).length).toBeLessThan(200)
  expect(performance.now() - started).toBeLessThan(10_000)
})

const hostile: readonly (readonly [string, readonly Uint8Array[], RegExp])[] = [
  [
    'one sample more than allowed',
    [durations(1_000_001, 1), oneChunk(1_000_001), at(0), uniform(1, 1_000_001)],
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
  ['no chunks', [durations(4, 1), fullBox('stsc', {}, u32(0)), at(0), uniform(1, 4)], /too few/u],
]

for (const [what, tables, reason] of hostile)
  test(`${what}: refused`, async () => {
    const indexing = indexMedia(await crafted(tables, 2000))

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
