/** What an archive says of one of its files (APPNOTE.TXT 6.3.10 §4.3). */
export interface ZipHeader {
  /** In UTF-8. */
  readonly name: Uint8Array
  /** Of its local header, from the beginning of the archive. */
  readonly offset: number
  readonly modifiedAt: Date
  readonly sizeBytes: number
  /** What lies in the archive. */
  readonly storedBytes: number
  readonly isDeflated: boolean
  /** Whether checksum and sizes stand behind its bytes. */
  readonly isStreamed: boolean
  readonly crc: number
}

const max16 = 0xffff
const max32 = 0xffffffff

/** Names in UTF-8 (§4.4.4). */
const utf8Flag = 1 << 11
const streamedFlag = 1 << 3
/** A version of the format that has ZIP64, and one that has folders (§4.4.3). */
const versions = { zip64: 45, plain: 20 } as const
/** A file of Unix that its owner writes and all may read (§4.4.15). */
const attributes = 0o100644 * 2 ** 16
const madeByUnix = 3 << 8

/** §4.3.7. */
export function localHeader(entry: ZipHeader): Uint8Array {
  const isLarge = needsLargeSizes(entry)
  // Of what is streamed the numbers are zero here, and stand behind its bytes.
  const [size, stored] = entry.isStreamed ? [0, 0] : [entry.sizeBytes, entry.storedBytes]
  const extra = [
    ...timeExtra(entry),
    ...(isLarge ? field(0x0001, [...uint64(size), ...uint64(stored)]) : []),
  ]
  return Uint8Array.from([
    ...uint32(0x04034b50),
    ...common(entry, isLarge),
    ...uint32(entry.isStreamed ? 0 : entry.crc),
    ...uint32(isLarge ? max32 : stored),
    ...uint32(isLarge ? max32 : size),
    ...uint16(entry.name.length),
    ...uint16(extra.length),
    ...entry.name,
    ...extra,
  ])
}

/** §4.3.9: what a streamed file turned out to be. */
export function dataDescriptor(entry: ZipHeader): Uint8Array {
  const number = needsLargeSizes(entry) ? uint64 : uint32
  return Uint8Array.from([
    ...uint32(0x08074b50),
    ...uint32(entry.crc),
    ...number(entry.storedBytes),
    ...number(entry.sizeBytes),
  ])
}

/** §4.3.12. */
export function centralHeader(entry: ZipHeader): Uint8Array {
  const isLarge = needsLargeSizes(entry)
  const isFar = entry.offset >= max32
  const large = [
    ...(isLarge ? [...uint64(entry.sizeBytes), ...uint64(entry.storedBytes)] : []),
    ...(isFar ? uint64(entry.offset) : []),
  ]
  const extra = [...timeExtra(entry), ...(large.length > 0 ? field(0x0001, large) : [])]
  return Uint8Array.from([
    ...uint32(0x02014b50),
    ...uint16(madeByUnix | versions.zip64),
    ...common(entry, isLarge || isFar),
    ...uint32(entry.crc),
    ...uint32(isLarge ? max32 : entry.storedBytes),
    ...uint32(isLarge ? max32 : entry.sizeBytes),
    ...uint16(entry.name.length),
    ...uint16(extra.length),
    ...uint16(0), // comment
    ...uint16(0), // disk
    ...uint16(0), // internal attributes
    ...uint32(attributes),
    ...uint32(isFar ? max32 : entry.offset),
    ...entry.name,
    ...extra,
  ])
}

interface DirectoryEnd {
  readonly count: number
  /** Where the central directory begins and ends. */
  readonly offset: number
  readonly end: number
}

/** §4.3.14 to 4.3.16. */
export function endOfDirectory({ count, offset, end }: DirectoryEnd): Uint8Array {
  const isLarge = count >= max16 || end >= max32
  return Uint8Array.from([
    ...(isLarge ? largeEnd({ count, offset, end }) : []),
    ...uint32(0x06054b50),
    ...uint16(0), // this disk
    ...uint16(0), // disk of the directory
    ...uint16(Math.min(count, max16)),
    ...uint16(Math.min(count, max16)),
    ...uint32(isLarge ? max32 : end - offset),
    ...uint32(isLarge ? max32 : offset),
    ...uint16(0), // comment
  ])
}

const largeEnd = ({ count, offset, end }: DirectoryEnd): readonly number[] => [
  ...uint32(0x06064b50),
  ...uint64(44), // what follows of this record
  ...uint16(madeByUnix | versions.zip64),
  ...uint16(versions.zip64),
  ...uint32(0),
  ...uint32(0),
  ...uint64(count),
  ...uint64(count),
  ...uint64(end - offset),
  ...uint64(offset),
  ...uint32(0x07064b50), // where this record is
  ...uint32(0),
  ...uint64(end),
  ...uint32(1), // disks
]

/** What local and central header have alike: version, flags, method, time and date. */
const common = (entry: ZipHeader, isLarge: boolean): readonly number[] => [
  ...uint16(isLarge ? versions.zip64 : versions.plain),
  ...uint16(utf8Flag | (entry.isStreamed ? streamedFlag : 0)),
  ...uint16(entry.isDeflated ? 8 : 0),
  ...dosTime(entry.modifiedAt),
]

const needsLargeSizes = ({ sizeBytes, storedBytes }: ZipHeader): boolean =>
  Math.max(sizeBytes, storedBytes) >= max32

/** Two seconds exactly and no time zone: readers that know of it take the other field. From 1980 to 2107. */
function dosTime(moment: Date): readonly number[] {
  const year = Math.min(Math.max(moment.getUTCFullYear() - 1980, 0), 127)
  const date = (year << 9) | ((moment.getUTCMonth() + 1) << 5) | moment.getUTCDate()
  const time =
    (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | (moment.getUTCSeconds() >> 1)
  return [...uint16(time), ...uint16(date)]
}

/** The extended timestamp of Info-ZIP: seconds since 1970, UTC. */
const timeExtra = ({ modifiedAt }: ZipHeader): readonly number[] =>
  field(0x5455, [1, ...uint32(Math.floor(modifiedAt.getTime() / 1000) >>> 0)])

const field = (id: number, data: readonly number[]): readonly number[] => [
  ...uint16(id),
  ...uint16(data.length),
  ...data,
]

const uint16 = (value: number): readonly number[] => [value & 0xff, (value >>> 8) & 0xff]
const uint32 = (value: number): readonly number[] => [
  ...uint16(value & 0xffff),
  ...uint16(value >>> 16),
]
const uint64 = (value: number): readonly number[] => [
  ...uint32(value >>> 0),
  ...uint32(Math.floor(value / 2 ** 32)),
]
