import { expect, test } from 'bun:test'
import fc from 'fast-check'

import {
  sampleVideo,
  sampleVideos,
  type SampleVideo,
} from '../../../../test/fixtures/media/sample-videos.ts'
import {
  audioSegments,
  cutTimes,
  iframeSegments,
  videoSegments,
  type Segment,
} from '../segments/cutting.ts'
import { indexMedia } from './index-media.ts'
import { endOf, presentedAt, type StreamIndex, type Track } from './stream-index.ts'
import { UnstreamableMediaError } from '../mp4/byte-source.ts'

const indexOf = async (name: SampleVideo) => indexMedia(new Blob([await sampleVideo(name)]))

const codecs: readonly (readonly [SampleVideo, readonly string[]])[] = [
  ['regular', ['avc1.64000b', 'mp4a.40.2']],
  ['hevc', ['hvc1.1.6.L30.90', 'mp4a.40.2']],
  ['av1-opus', ['av01.0.00M.08', 'opus']],
  ['vp9', ['vp09.00.10.08']],
  ['mp3', ['mp4a.6b']],
]

for (const [name, expected] of codecs)
  test(`the codecs of ${name} are named as RFC 6381 has it`, async () => {
    const { video, audio } = await indexOf(name)

    expect([video, ...audio].flatMap((track) => track?.codec ?? [])).toEqual([...expected])
  })

test('a moov box behind the samples is found', async () => {
  expect((await indexOf('moov-last')).video?.samples.count).toBe(312)
})

test('a reorder delay stays hidden by an edit list, and the first frame is at time 0', async () => {
  const { video } = await indexOf('regular')

  expect(video?.editStart).toBe(1024)
  expect(earliest(video)).toBe(0)
})

test('the priming of a sound encoder stays an edit list', async () => {
  const { audio } = await indexOf('regular')

  expect(audio[0]?.editStart).toBe(1024)
  expect(earliest(audio[0])).toBe(-1024 / 48_000)
})

test('an empty edit delays the track', async () => {
  const { audio } = await indexOf('delayed-audio')

  expect(earliest(audio[0])).toBeCloseTo(0.7 - 1024 / 48_000, 2)
})

test('frames that are only decoded are presented before time 0', async () => {
  const { video } = await indexOf('pre-roll')

  expect(earliest(video)).toBeCloseTo(-1.2, 3)
  expect(endOf(video as Track)).toBeCloseTo(10.8, 3)
})

test('a key frame that earlier-shown frames follow is no place to cut', async () => {
  const closed = await indexOf('hevc')
  const open = await indexOf('hevc-open-gop')

  expect(Array.from(closed.video?.samples.keySamples ?? [])).toEqual([
    0, 50, 100, 150, 200, 250, 300,
  ])
  expect(Array.from(open.video?.samples.keySamples ?? [])).toEqual([0])
})

test('a sync sample that holds no IDR frame is no place to cut', async () => {
  const bytes = await sampleVideo('regular')
  const second = sampleBytes(bytes, await indexOf('regular'), 50)
  replaceNalUnits(second, { from: 5, to: 1 })

  const { video } = await indexMedia(new Blob([bytes]))

  expect(Array.from(video?.samples.keySamples ?? [])).toEqual([0, 100, 150, 200, 250, 300])
})

test('a quarter turn in the track header exchanges width and height', async () => {
  const bytes = await sampleVideo('video-only')
  const matrix = Buffer.from(bytes.buffer).indexOf('tkhd', 0, 'latin1') + 4 + 4 + 20 + 16
  new DataView(bytes.buffer).setInt32(matrix, 0)
  new DataView(bytes.buffer).setInt32(matrix + 4, 0x10000)

  expect((await indexMedia(new Blob([bytes]))).video).toMatchObject({ width: 90, height: 160 })
})

test('languages become BCP 47 tags', async () => {
  const { audio } = await indexOf('two-audio-tracks')

  expect(audio.map(({ language }) => language)).toEqual(['en', 'fr'])
})

const refusals: readonly (readonly [string, (bytes: Uint8Array) => Uint8Array, RegExp])[] = [
  ['no file at all', () => new Uint8Array(), /not an MP4/u],
  ['a file without its end', (bytes) => bytes.subarray(0, 32), /no moov box/u],
  [
    'some other file',
    () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    /not an MP4/u,
  ],
  ['a file cut off in its samples', (bytes) => bytes.subarray(0, 60_000), /cut off/u],
  ['a file cut off in its moov', (bytes) => bytes.subarray(0, 1000), /cut off/u],
  ['a timescale of zero', (bytes) => patch(bytes, ['mvhd', 16], 0), /timescale of zero/u],
  ['a media timescale of zero', (bytes) => patch(bytes, ['mdhd', 16], 0), /timescale of zero/u],
  ['a box smaller than its header', (bytes) => patch(bytes, ['trak', -4], 4), /smaller than/u],
  [
    'a box larger than the one around it',
    (bytes) => patch(bytes, ['trak', -4], 2 ** 30),
    /larger than/u,
  ],
  [
    'a sample count beyond all bounds',
    (bytes) => patch(bytes, ['stsz', 12], 0xffff_ffff),
    /too many/u,
  ],
  [
    'a sample count beyond its box',
    (bytes) => patch(bytes, ['stsz', 12], 200_000),
    /shorter than/u,
  ],
  ['samples that share their bytes', (bytes) => patch(bytes, ['stsz', 8], 100_000), /overlap/u],
  [
    'more entries than the box has room for',
    (bytes) => patch(bytes, ['stts', 8], 2 ** 31),
    /shorter/u,
  ],
  ['durations for too few samples', (bytes) => patch(bytes, ['stts', 12], 3), /too few/u],
  ['chunks in no order', (bytes) => patch(bytes, ['stsc', 12], 7), /does not fit/u],
  ['chunks of no samples', (bytes) => patch(bytes, ['stsc', 16], 0), /does not fit/u],
  ['a chunk beyond the end', (bytes) => patch(bytes, ['stco', 12], 2 ** 31), /beyond its end/u],
  ['sync samples in no order', (bytes) => patch(bytes, ['stss', 16], 1), /in order/u],
  ['a speed other than normal', (bytes) => patch(bytes, ['elst', 20], 0x20000), /speed/u],
  ['an encrypted track', (bytes) => replaceText(bytes, 'avc1\0\0\0\0', 'encv\0\0\0\0'), /"encv"/u],
  [
    'no decoder configuration',
    (bytes) => replaceText(bytes, 'avcC', 'free'),
    /avcC box is missing/u,
  ],
]

for (const [what, spoil, reason] of refusals)
  test(`${what} is refused with the reason`, async () => {
    const indexing = indexMedia(new Blob([Buffer.from(spoil(await sampleVideo('regular')))]))

    expect(indexing).rejects.toBeInstanceOf(UnstreamableMediaError)
    expect(indexing).rejects.toThrow(reason)
  })

test('a format that cannot be streamed is named', async () => {
  expect(indexOf('unsupported')).rejects.toThrow('"mp4v" cannot be streamed')
  expect(indexOf('fragmented')).rejects.toThrow('already fragmented')
})

test('whatever is changed in a file, it is indexed or refused, soon, and never fails otherwise', async () => {
  const videos = await Promise.all(
    (['moov-last', 'hevc', 'av1-opus', 'pre-roll', 'one-frame'] as const).map(async (name) => {
      const bytes = await sampleVideo(name)
      return { bytes, moov: Buffer.from(bytes.buffer).indexOf('moov', 0, 'latin1') - 4 }
    }),
  )
  const change = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    value: fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), fc.integer({ min: 0, max: 255 })),
    width: fc.constantFrom(1, 1, 4),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...videos),
      fc.array(change, { minLength: 1, maxLength: 4 }),
      async ({ bytes, moov }, changes) => {
        const copy = bytes.slice()
        const end = Math.min(copy.length, moov + 12_000)
        for (const { at, value, width } of changes)
          copy.fill(
            value,
            moov + Math.floor(at * (end - moov)),
            moov + Math.floor(at * (end - moov)) + width,
          )
        const started = performance.now()
        const outcome = await indexMedia(new Blob([copy])).catch((error: unknown) => error)
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(UnstreamableMediaError)
        else expect(segmentsOf(outcome as StreamIndex).every(isSound)).toBe(true)
        expect(performance.now() - started).toBeLessThan(2000)
      },
    ),
    { numRuns: 1500 },
  )
})

test('a file cut off anywhere is indexed or refused', async () => {
  const bytes = await sampleVideo('one-frame')
  for (let length = 0; length < bytes.length; length += 1) {
    const outcome = await indexMedia(new Blob([bytes.subarray(0, length)])).catch(
      (error: unknown) => error,
    )
    expect(outcome).toBeInstanceOf(UnstreamableMediaError)
  }
})

test('every video of the fixtures has times that ascend and samples within the file', async () => {
  for (const name of sampleVideos) {
    const bytes = await sampleVideo(name)
    const { video, audio } = await indexMedia(new Blob([bytes]))
    for (const { samples } of [...(video ? [video] : []), ...audio]) {
      expect(
        samples.decodeTimes.every((time, i, all) => i === 0 || time >= (all[i - 1] ?? 0)),
      ).toBe(true)
      expect(
        samples.offsets.every((offset, i) => offset + (samples.sizes[i] ?? 0) <= bytes.length),
      ).toBe(true)
    }
  }
})

function segmentsOf({ video, audio }: StreamIndex): readonly Segment[] {
  const [cuts = []] = video ? cutTimes([video]) : []
  const videoTracks = video ? [...videoSegments(video, cuts), ...iframeSegments(video)] : []
  return [...videoTracks, ...audio.flatMap((track) => audioSegments(track, cuts))]
}

const isSound = ({ from, to, start, duration }: Segment) => to > from && start >= 0 && duration >= 0

const earliest = (track: Track | undefined) =>
  track === undefined
    ? Number.NaN
    : Math.min(
        ...Array.from({ length: track.samples.count }, (_, sample) => presentedAt(track, sample)),
      )

/** Sets the 32-bit number that lies `offset` bytes behind the first box type of that name. */
function patch(
  bytes: Uint8Array,
  [type, offset]: readonly [string, number],
  value: number,
): Uint8Array {
  const copy = Buffer.from(bytes)
  const box = copy.indexOf(type, 0, 'latin1')
  copy.writeUInt32BE(value, box + offset)
  return copy
}

function replaceText(bytes: Uint8Array, from: string, to: string): Uint8Array {
  const copy = Buffer.from(bytes)
  copy.write(to, copy.indexOf(from, 0, 'latin1'), 'latin1')
  return copy
}

function sampleBytes(bytes: Uint8Array, { video }: StreamIndex, sample: number): Uint8Array {
  if (video === undefined) throw new Error('The fixture has pictures')
  const start = video.samples.offsets[sample] ?? 0
  return bytes.subarray(start, start + (video.samples.sizes[sample] ?? 0))
}

/** Turns the NAL units of one type in a sample into another type. */
function replaceNalUnits(
  sample: Uint8Array,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  const view = new DataView(sample.buffer, sample.byteOffset, sample.length)
  for (let offset = 0; offset < sample.length; offset += 4 + view.getUint32(offset)) {
    const header = view.getUint8(offset + 4)
    if ((header & 0x1f) === from) view.setUint8(offset + 4, (header & 0xe0) | to)
  }
}
