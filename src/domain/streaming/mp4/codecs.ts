import { boxesIn, find, fourCharacters, need, viewOf } from './boxes.ts'
import { describeAudioObject } from './audio-object-type.ts'

/** What playlists say about a sample description, and what cutting needs to know of it. */
export interface CodecFacts {
  /** RFC 6381. */
  readonly codec: string
  /** Where the configuration tells it, which knows better than the sample entry. */
  readonly channels: number | undefined
  /** How frames are split into NAL units, where they are. */
  readonly nalUnits:
    { readonly standard: 'h264' | 'hevc'; readonly lengthBytes: number } | undefined
}

/** From the payload of the box that configures the decoder. */
type Describe = (configuration: Uint8Array) => Pick<CodecFacts, 'codec'> & Partial<CodecFacts>

interface Format {
  /** The box within the sample entry that configures the decoder, and its least length. */
  readonly box: string
  readonly minBytes: number
  readonly describe: (sampleEntryType: string) => Describe
}

const h264: Format = {
  box: 'avcC',
  minBytes: 5,
  describe: (type) => (avcC) => ({
    codec: `${type}.${hex(avcC.subarray(1, 4))}`,
    nalUnits: { standard: 'h264', lengthBytes: ((avcC[4] ?? 0) & 3) + 1 },
  }),
}

const hevc: Format = {
  box: 'hvcC',
  minBytes: 22,
  describe: (type) => (hvcC) => ({
    codec: hevcCodec(type, hvcC),
    nalUnits: { standard: 'hevc', lengthBytes: ((hvcC[21] ?? 0) & 3) + 1 },
  }),
}

const named = (codec: string, box: string): Format => ({
  box,
  minBytes: 1,
  describe: () => () => ({ codec }),
})

const videoFormats: Readonly<Record<string, Format>> = {
  avc1: h264,
  avc3: h264,
  hvc1: hevc,
  hev1: hevc,
  av01: { box: 'av1C', minBytes: 4, describe: () => (av1C) => ({ codec: av1Codec(av1C) }) },
  vp09: { box: 'vpcC', minBytes: 7, describe: () => (vpcC) => ({ codec: vp9Codec(vpcC) }) },
}

const audioFormats: Readonly<Record<string, Format>> = {
  mp4a: {
    box: 'esds',
    minBytes: 4,
    describe: () => describeAudioObject,
  },
  Opus: named('opus', 'dOps'),
  fLaC: named('flac', 'dfLa'),
  'ac-3': named('ac-3', 'dac3'),
  'ec-3': named('ec-3', 'dec3'),
}

/** Where the boxes begin within a sample entry (ISO/IEC 14496-12 §12.1.3, §12.2.3). */
const videoEntryBytes = 78
const audioEntryBytes = 28

/** `undefined` for a format that no player of HLS takes. `entry` is the whole sample entry box. */
export function describeVideo(entry: Uint8Array): CodecFacts | undefined {
  return describe(entry, videoFormats, videoEntryBytes)
}

export function describeAudio(entry: Uint8Array): CodecFacts | undefined {
  return describe(entry, audioFormats, audioEntryBytes)
}

function describe(
  entry: Uint8Array,
  formats: Readonly<Record<string, Format>>,
  fixedBytes: number,
): CodecFacts | undefined {
  const type = fourCharacters(entry, 4)
  const format = Object.hasOwn(formats, type) ? formats[type] : undefined
  if (format === undefined) return undefined
  const configuration = need(boxesIn(entry.subarray(8 + fixedBytes)), format.box, format.minBytes)
  return { nalUnits: undefined, channels: undefined, ...format.describe(type)(configuration) }
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** ISO/IEC 14496-15 annex E.3. */
function hevcCodec(type: string, hvcC: Uint8Array): string {
  const view = viewOf(hvcC)
  const profile = view.getUint8(1)
  const space = ['', 'A', 'B', 'C'][profile >> 6] ?? ''
  const tier = (profile & 0x20) === 0 ? 'L' : 'H'
  const constraints = [...hvcC.subarray(6, 12)]
  while (constraints.at(-1) === 0) constraints.pop()
  return [
    type,
    `${space}${profile & 0x1f}`,
    reverseBits(view.getUint32(2)).toString(16).toUpperCase(),
    `${tier}${view.getUint8(12)}`,
    ...constraints.map((byte) => byte.toString(16).toUpperCase()),
  ].join('.')
}

function reverseBits(value: number): number {
  let reversed = 0
  for (let bit = 0; bit < 32; bit += 1) reversed = (reversed << 1) | ((value >>> bit) & 1)
  return reversed >>> 0
}

/** AV1 in ISOBMFF §5; the optional fields at their defaults are left out. */
function av1Codec(av1C: Uint8Array): string {
  const [, profileAndLevel = 0, flags = 0] = av1C
  const tier = (flags & 0x80) === 0 ? 'M' : 'H'
  const isHighDepth = (flags & 0x40) !== 0
  const highest = (flags & 0x20) === 0 ? 10 : 12
  const depth = isHighDepth ? highest : 8
  return `av01.${profileAndLevel >> 5}.${twoDigits(profileAndLevel & 0x1f)}${tier}.${twoDigits(depth)}`
}

/** VP Codec ISO Media File Format Binding, "Codecs Parameter String". */
function vp9Codec(vpcC: Uint8Array): string {
  const [, , , , profile = 0, level = 0, depth = 0] = vpcC
  return `vp09.${twoDigits(profile)}.${twoDigits(level)}.${twoDigits(depth >> 4)}`
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** `SDR`, `PQ` or `HLG`, from the transfer characteristics of a `colr` box (ITU-T H.273). */
export function videoRangeOf(entry: Uint8Array): 'SDR' | 'PQ' | 'HLG' {
  const colr = find(boxesIn(entry.subarray(8 + videoEntryBytes)), 'colr')?.payload
  if (colr === undefined || colr.length < 10 || fourCharacters(colr, 0) !== 'nclx') return 'SDR'
  const transfer = viewOf(colr).getUint16(6)
  if (transfer === 16) return 'PQ'
  return transfer === 18 ? 'HLG' : 'SDR'
}

/** The channel count of an audio sample entry. */
export const channelsOf = (entry: Uint8Array): number => viewOf(entry).getUint16(8 + 16)
