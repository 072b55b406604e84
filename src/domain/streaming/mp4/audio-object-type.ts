import { refuse } from './byte-source.ts'

const esDescriptor = 3
const decoderConfiguration = 4
const decoderSpecificInfo = 5
const mpeg4Audio = 0x40

export interface AudioObject {
  /** The RFC 6381 name, e.g. `mp4a.40.2`. */
  readonly codec: string
  /** Where the decoder configuration says; sample entries claim 2 whatever it is. */
  readonly channels: number | undefined
}

/** What an `esds` box configures (ISO/IEC 14496-1 §7.2.6). */
export function describeAudioObject(esds: Uint8Array): AudioObject {
  const stream = descriptor(esds.subarray(4), esDescriptor)
  const configuration = descriptor(stream.subarray(streamHeaderBytes(stream)), decoderConfiguration)
  const [objectType = 0] = configuration
  if (objectType !== mpeg4Audio)
    return { codec: `mp4a.${objectType.toString(16).padStart(2, '0')}`, channels: undefined }
  const specific = descriptor(configuration.subarray(13), decoderSpecificInfo)
  return { codec: `mp4a.40.${audioObjectType(specific)}`, channels: channelCount(specific) }
}

/** ES_ID and flags, then what the flags announce. */
function streamHeaderBytes(stream: Uint8Array): number {
  const [, , flags = 0, urlBytes = 0] = stream
  const dependsOn = (flags & 0x80) === 0 ? 0 : 2
  const url = (flags & 0x40) === 0 ? 0 : 1 + urlBytes
  const clock = (flags & 0x20) === 0 ? 0 : 2
  return 3 + dependsOn + url + clock
}

/** The content of the descriptor that `bytes` begins with. Its length is up to four groups of 7 bits. */
function descriptor(bytes: Uint8Array, tag: number): Uint8Array {
  if (bytes[0] !== tag) refuse('The esds box does not describe an audio decoder')
  let length = 0
  let offset = 1
  for (let group = 0; group < 4; group += 1) {
    const byte = bytes[offset] ?? 0
    offset += 1
    length = (length << 7) | (byte & 0x7f)
    if ((byte & 0x80) === 0) break
  }
  if (offset + length > bytes.length) refuse('The esds box is shorter than what it holds')
  return bytes.subarray(offset, offset + length)
}

/** ISO/IEC 14496-3 §1.6.2.1: five bits, or six more after an escape. */
function audioObjectType(specific: Uint8Array): number {
  const [first = 0, second = 0] = specific
  const short = first >> 3
  return short === 31 ? 32 + (((first & 7) << 3) | (second >> 5)) : short
}

/** §1.6.3.5: 1 to 6 as they are, 7 for eight; 0 and the escapes say nothing here. */
function channelCount([first = 0, second = 0]: Uint8Array): number | undefined {
  const rate = ((first & 7) << 1) | (second >> 7)
  const isEscaped = first >> 3 === 31 || rate === 15
  const configuration = (second >> 3) & 15
  if (isEscaped || configuration === 0 || configuration > 7) return undefined
  return configuration === 7 ? 8 : configuration
}
