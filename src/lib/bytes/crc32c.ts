/** Castagnoli's polynomial, its bits in reverse. */
const polynomial = 0x82f6_3b78
const lanes = 8

/** The CRC-32C (RFC 3720 §12.1) of bytes that come in parts. */
export class Crc32c {
  static #made: Int32Array | undefined
  readonly #tables = (Crc32c.#made ??= makeTables())
  #register = -1

  /** Eight bytes at a time, each by the table of how far it is from the last of them. */
  update(bytes: Uint8Array): void {
    const tables = this.#tables
    const end = bytes.length - (bytes.length % lanes)
    let sum = this.#register
    for (let at = 0; at < end; at += lanes)
      sum =
        tables[0x700 | ((sum ^ bytes[at]!) & 0xff)]! ^
        tables[0x600 | (((sum >>> 8) ^ bytes[at + 1]!) & 0xff)]! ^
        tables[0x500 | (((sum >>> 16) ^ bytes[at + 2]!) & 0xff)]! ^
        tables[0x400 | (((sum >>> 24) ^ bytes[at + 3]!) & 0xff)]! ^
        tables[0x300 | bytes[at + 4]!]! ^
        tables[0x200 | bytes[at + 5]!]! ^
        tables[0x100 | bytes[at + 6]!]! ^
        tables[bytes[at + 7]!]!
    for (let at = end; at < bytes.length; at += 1)
      sum = (sum >>> 8) ^ tables[(sum ^ bytes[at]!) & 0xff]!
    this.#register = sum
  }

  /** Big-endian. */
  digest(): Uint8Array {
    const view = new DataView(new ArrayBuffer(4))
    view.setInt32(0, ~this.#register)
    return new Uint8Array(view.buffer)
  }
}

/** One after another, of 256 sums each. */
function makeTables(): Int32Array {
  const tables = new Int32Array(lanes * 256)
  for (let byte = 0; byte < 256; byte += 1) {
    let sum = byte
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ ((sum & 1) === 1 ? polynomial : 0)
    tables[byte] = sum
  }
  for (let index = 256; index < lanes * 256; index += 1) {
    const sum = tables[index - 256]!
    tables[index] = (sum >>> 8) ^ tables[sum & 0xff]!
  }
  return tables
}
