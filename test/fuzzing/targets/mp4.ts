import { decodeIndex, encodeIndex } from '../../../src/domain/streaming/index/index-codec.ts'
import { indexMedia } from '../../../src/domain/streaming/index/index-media.ts'
import { openKeyFrames } from '../../../src/domain/streaming/key-frames/open-key-frames.ts'
import { UnstreamableMediaError } from '../../../src/domain/streaming/mp4/byte-source.ts'
import { sampleVideo } from '../../fixtures/media/sample-videos.ts'
import { type FuzzTarget, type Input, outcomeOf, promise } from '../fuzz-target.ts'

/** A film is indexed and its key frames are found, or it is refused; an index is read as it was written. */
export const mp4: FuzzTarget = {
  name: 'mp4',
  seeds: async () => await Promise.all(seeds.map((name) => sampleVideo(name))),
  words: [
    'ftyp',
    'moov',
    'mdat',
    'trak',
    'mdia',
    'minf',
    'stbl',
    'stsd',
    'stts',
    'ctts',
    'stsc',
    'stsz',
    'stco',
    'co64',
    'stss',
    'edts',
    'elst',
    'mvhd',
    'tkhd',
    'mdhd',
    'hdlr',
    'vide',
    'soun',
    'avcC',
    'hvcC',
    'av1C',
    'esds',
    'mvex',
    'trex',
    'moof',
    'traf',
    'trun',
    'tfhd',
    'tfdt',
    'sidx',
    'free',
    'uuid',
    'wide',
  ],
  // What was refused stands last: what is read in one way has been read.
  look: async (input) => [await indexed(input), await framed(input)].toSorted().join('; '),
}

const seeds = [
  'one-frame',
  'video-only',
  'unsupported',
  'fragmented',
  'fragmented-av1',
  'quicktime',
] as const

const indexed = (input: Input): Promise<string> =>
  outcomeOf(async () => {
    const index = await indexMedia(new Blob([input]))
    const bytes = encodeIndex(index)
    const again = decodeIndex(bytes)
    promise(Bun.deepEquals(again, index), 'the index is otherwise when it is read')
    return 'read'
  }, isRefusal)

const framed = (input: Input): Promise<string> =>
  outcomeOf(async () => {
    const found = await openKeyFrames(new Blob([input]))
    if (found === undefined) return 'no key frames'
    await found.read(found.seconds.length - 1)
    return `key frames of ${found.format.codec}`
  }, isRefusal)

const isRefusal = (thrown: unknown): thrown is Error => thrown instanceof UnstreamableMediaError
