import { promisify } from 'node:util'
import { crc32, deflateRaw } from 'node:zlib'

import {
  centralHeader,
  dataDescriptor,
  endOfDirectory,
  localHeader,
  type ZipHeader,
} from './zip-headers.ts'

/** A file of an archive. */
export interface ZipFile {
  /** `/`-separated, without a slash at its beginning, and no other file's. */
  readonly name: string
  /** Exactly; bytes of another number break the archive off. */
  readonly sizeBytes: number
  readonly modifiedAt: Date
  /** Whether it is worth the while: what is compressed already is stored as it is. */
  readonly isCompressible: boolean
  open(): Promise<ReadableStream<Uint8Array>>
}

/** So much is read whole, so that what the archive says of it stands before it. */
const maxWholeBytes = 4 * 2 ** 20

const compress = promisify(deflateRaw)

/**
 * The bytes of a ZIP archive (APPNOTE.TXT 6.3.10) of any size, with ZIP64 where numbers need it and names in
 * UTF-8. Holds one file of at most 4 MiB at once; larger ones are passed on as they are read.
 */
export async function* zipStream(
  files: Iterable<ZipFile>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const entries: ZipHeader[] = []
  let offset = 0
  for (const file of files) {
    const entry = yield* file.sizeBytes <= maxWholeBytes
      ? wholeEntry(file, offset)
      : streamedEntry(file, offset)
    entries.push(entry)
    offset += entryBytes(entry)
  }
  const directoryOffset = offset
  for (const entry of entries) {
    const header = centralHeader(entry)
    offset += header.length
    yield header
  }
  yield endOfDirectory({ count: entries.length, offset: directoryOffset, end: offset })
}

/** How long the archive is; `undefined` where something is compressed, so that nobody knows before. */
export function zipBytes(files: Iterable<ZipFile>): number | undefined {
  let offset = 0
  let directoryBytes = 0
  let count = 0
  for (const file of files) {
    if (file.isCompressible && file.sizeBytes <= maxWholeBytes) return undefined
    const entry = { ...plainEntry(file, offset), isStreamed: file.sizeBytes > maxWholeBytes }
    offset += entryBytes(entry)
    directoryBytes += centralHeader(entry).length
    count += 1
  }
  const end = offset + directoryBytes
  return end + endOfDirectory({ count, offset, end }).length
}

const plainEntry = ({ name, sizeBytes, modifiedAt }: ZipFile, offset: number): ZipHeader => ({
  name: new TextEncoder().encode(name),
  offset,
  modifiedAt,
  sizeBytes,
  storedBytes: sizeBytes,
  isDeflated: false,
  isStreamed: false,
  crc: 0,
})

function entryBytes(entry: ZipHeader): number {
  const descriptor = entry.isStreamed ? dataDescriptor(entry).length : 0
  return localHeader(entry).length + entry.storedBytes + descriptor
}

async function* wholeEntry(file: ZipFile, offset: number) {
  const bytes = new Uint8Array(file.sizeBytes)
  let length = 0
  for await (const chunk of await file.open()) {
    requireSize(file, length + chunk.length, false)
    bytes.set(chunk, length)
    length += chunk.length
  }
  requireSize(file, length, true)
  const deflated = file.isCompressible ? await compress(bytes) : bytes
  const isDeflated = deflated.length < bytes.length
  const stored = isDeflated ? deflated : bytes
  const entry: ZipHeader = {
    ...plainEntry(file, offset),
    crc: crc32(bytes),
    isDeflated,
    storedBytes: stored.length,
  }
  yield localHeader(entry)
  if (stored.length > 0) yield stored
  return entry
}

/** Its checksum is known after its bytes, and stands there. */
async function* streamedEntry(file: ZipFile, offset: number) {
  const plain = { ...plainEntry(file, offset), isStreamed: true }
  yield localHeader(plain)
  let crc = 0
  let length = 0
  for await (const chunk of await file.open()) {
    length += chunk.length
    requireSize(file, length, false)
    crc = crc32(chunk, crc)
    yield chunk
  }
  requireSize(file, length, true)
  const entry: ZipHeader = { ...plain, crc }
  yield dataDescriptor(entry)
  return entry
}

function requireSize({ name, sizeBytes }: ZipFile, length: number, isWhole: boolean): void {
  if (length > sizeBytes || (isWhole && length < sizeBytes))
    throw new Error(`"${name}" has ${length} bytes and should have ${sizeBytes}`)
}
