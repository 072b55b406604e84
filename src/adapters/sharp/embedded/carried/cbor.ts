/** What CBOR holds, as far as claims need it: byte strings are left out, tags are passed over. */
export type CborValue =
  string | number | boolean | null | readonly CborValue[] | { readonly [name: string]: CborValue }

const maxDepth = 16
const maxItems = 5000

/** RFC 8949. `undefined` for what is cut off, too deep or too long. */
export function readCbor(bytes: Uint8Array): CborValue | undefined {
  const reader = { bytes: Buffer.from(bytes), at: 0, items: 0 }
  try {
    return readItem(reader, 0)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

interface Reader {
  readonly bytes: Buffer
  at: number
  items: number
}

const [unsigned, negative, byteString, textString, array, map, tag] = [0, 1, 2, 3, 4, 5, 6]
const indefinite = -1

function readItem(reader: Reader, depth: number): CborValue {
  reader.items += 1
  if (depth > maxDepth || reader.items > maxItems) throw new RangeError('Too much')
  const head = reader.bytes.readUInt8(reader.at)
  reader.at += 1
  const [major, info] = [head >> 5, head & 31]
  if (major > tag) return readSimple(reader, info)
  const argument = readArgument(reader, info)
  if (major === unsigned) return argument
  if (major === negative) return -1 - argument
  if (major === byteString || major === textString) return readString(reader, major, argument)
  if (major === array) return readList(reader, argument, depth)
  if (major === map) return readMap(reader, argument, depth)
  return readItem(reader, depth + 1)
}

function readArgument(reader: Reader, info: number): number {
  if (info < 24) return info
  if (info === 31) return indefinite
  const size = 2 ** (info - 24)
  if (info > 27) throw new RangeError('Reserved')
  const { bytes, at } = reader
  const value = size === 8 ? Number(bytes.readBigUInt64BE(at)) : bytes.readUIntBE(at, size)
  reader.at += size
  return value
}

const breakByte = 0xff

function isEnd(reader: Reader): boolean {
  if (reader.bytes.readUInt8(reader.at) !== breakByte) return false
  reader.at += 1
  return true
}

function readString(reader: Reader, major: number, length: number): string {
  if (length === indefinite) {
    let text = ''
    while (!isEnd(reader)) {
      const part = readItem(reader, 1)
      if (typeof part === 'string') text += part
    }
    return text
  }
  const end = reader.at + length
  if (end > reader.bytes.length) throw new RangeError('Cut off')
  const text = major === textString ? reader.bytes.toString('utf8', reader.at, end) : ''
  reader.at = end
  return text
}

function readList(reader: Reader, length: number, depth: number): readonly CborValue[] {
  const list: CborValue[] = []
  for (let index = 0; length === indefinite ? !isEnd(reader) : index < length; index += 1)
    list.push(readItem(reader, depth + 1))
  return list
}

function readMap(reader: Reader, length: number, depth: number): CborValue {
  const entries: [string, CborValue][] = []
  for (let index = 0; length === indefinite ? !isEnd(reader) : index < length; index += 1) {
    const name = readItem(reader, depth + 1)
    const value = readItem(reader, depth + 1)
    if (typeof name === 'string') entries.push([name, value])
  }
  return Object.fromEntries(entries)
}

/** True and false; of all else (null, floats) nothing is needed. */
function readSimple(reader: Reader, info: number): CborValue {
  const size = info < 24 ? 0 : 2 ** Math.min(3, info - 24)
  if (reader.at + size > reader.bytes.length) throw new RangeError('Cut off')
  reader.at += size
  return info === 20 ? false : info === 21 ? true : null
}
