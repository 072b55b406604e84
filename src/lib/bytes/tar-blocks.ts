/** Everything in a tar archive lies in blocks of so many bytes (POSIX.1-2017 pax, "ustar Interchange Format"). */
export const blockBytes = 512

/** What is wrong with an archive as a whole: what comes behind cannot be told apart any more. */
export class TarFault extends Error {}

export interface TarHeader {
  readonly name: string
  readonly sizeBytes: number
  /** One character; `\0` of the oldest archives is `0`. */
  readonly type: string
}

const decoder = new TextDecoder()
const checksumAt = 148

/** What a header block says; `undefined` of the block of zeros that ends an archive. */
export function parseHeader(block: Uint8Array): TarHeader | undefined {
  const sum = sumOf(block)
  if (sum === 0) return undefined
  // The sum is of the block as it is while eight spaces stand where the sum will be.
  const field = block.subarray(checksumAt, checksumAt + 8)
  if (octalOf(field) !== sum - sumOf(field) + 8 * 0x20)
    throw new TarFault('has a header whose checksum is wrong; it may be compressed, or damaged')
  const type = String.fromCharCode(block[156] ?? 0)
  const prefix = isUstar(block) ? textOf(block.subarray(345, 500)) : ''
  const name = textOf(block.subarray(0, 100))
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    sizeBytes: sizeOf(block.subarray(124, 136)),
    type: type === '\0' ? '0' : type,
  }
}

/** The records of an extended header: `<length> <key>=<value>` and the end of a line, each. */
export function parsePaxRecords(bytes: Uint8Array): ReadonlyMap<string, string> {
  const records = new Map<string, string>()
  let at = 0
  while (at < bytes.length) {
    const space = bytes.indexOf(0x20, at)
    const end =
      at + decimalOf(decoder.decode(bytes.subarray(at, Math.max(at, Math.min(space, at + 16)))))
    const equals = bytes.indexOf(0x3d, space)
    const isWhole = equals !== -1 && equals < end - 1 && end <= bytes.length
    if (!isWhole || bytes[end - 1] !== 0x0a)
      throw new TarFault('has an extended header that is malformed')
    const key = decoder.decode(bytes.subarray(space + 1, equals))
    records.set(key, decoder.decode(bytes.subarray(equals + 1, end - 1)))
    at = end
  }
  return records
}

/** A whole number as extended headers write it. */
export function decimalOf(text: string): number {
  if (!/^\d{1,15}$/u.test(text)) throw new TarFault('has an extended header that is malformed')
  return Number(text)
}

/** A name as archives of GNU write those that are too long for a header. */
export const textOf = (bytes: Uint8Array): string => {
  const end = bytes.indexOf(0)
  return decoder.decode(end === -1 ? bytes : bytes.subarray(0, end))
}

const isUstar = (block: Uint8Array): boolean =>
  decoder.decode(block.subarray(257, 263)) === 'ustar\0'

function sumOf(bytes: Uint8Array): number {
  let sum = 0
  // By place: to iterate over a typed array takes several times as long, and each header is summed.
  for (let place = 0; place < bytes.length; place += 1) sum += bytes[place] ?? 0
  return sum
}

function octalOf(field: Uint8Array): number | undefined {
  const text = textOf(field).trim()
  return /^[0-7]{1,12}$/u.test(text) ? Number.parseInt(text, 8) : undefined
}

/** In octal digits; or, where the first bit is set, as a binary number (GNU, star). */
function sizeOf(field: Uint8Array): number {
  const size = ((field[0] ?? 0) & 0x80) === 0 ? octalOf(field) : binaryOf(field)
  if (size === undefined || !Number.isSafeInteger(size))
    throw new TarFault('has a header whose size is malformed')
  return size
}

function binaryOf(field: Uint8Array): number {
  let size = (field[0] ?? 0) & 0x7f
  for (const byte of field.subarray(1)) size = size * 256 + byte
  return size
}
