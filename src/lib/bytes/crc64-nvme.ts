/** The polynomial of NVM Express, its bits in reverse, in two halves. */
const [polynomialHigh, polynomialLow] = [0x9a6c_9329, 0xac4b_c9b5]
const lanes = 8

/** Eight tables one after another, of 256 sums each. */
interface Tables {
  readonly high: Int32Array
  readonly low: Int32Array
}

/**
 * The CRC-64/NVME (NVM Express NVM Command Set Specification §5.2.1.3.4) of bytes that come in parts.
 * The register is in two halves: numbers of 64 bits take twenty times as long.
 */
export class Crc64Nvme {
  static #made: Tables | undefined
  readonly #tables = (Crc64Nvme.#made ??= makeTables())
  #high = -1
  #low = -1

  /** Eight bytes at a time, each by the table of how far it is from the last of them. */
  update(bytes: Uint8Array): void {
    const { high: highs, low: lows } = this.#tables
    const end = bytes.length - (bytes.length % lanes)
    let [high, low] = [this.#high, this.#low]
    for (let at = 0; at < end; at += lanes) {
      const a = 0x700 | ((low ^ bytes[at]!) & 0xff)
      const b = 0x600 | (((low >>> 8) ^ bytes[at + 1]!) & 0xff)
      const c = 0x500 | (((low >>> 16) ^ bytes[at + 2]!) & 0xff)
      const d = 0x400 | (((low >>> 24) ^ bytes[at + 3]!) & 0xff)
      const e = 0x300 | ((high ^ bytes[at + 4]!) & 0xff)
      const f = 0x200 | (((high >>> 8) ^ bytes[at + 5]!) & 0xff)
      const g = 0x100 | (((high >>> 16) ^ bytes[at + 6]!) & 0xff)
      const h = ((high >>> 24) ^ bytes[at + 7]!) & 0xff
      high =
        highs[a]! ^
        highs[b]! ^
        highs[c]! ^
        highs[d]! ^
        highs[e]! ^
        highs[f]! ^
        highs[g]! ^
        highs[h]!
      low = lows[a]! ^ lows[b]! ^ lows[c]! ^ lows[d]! ^ lows[e]! ^ lows[f]! ^ lows[g]! ^ lows[h]!
    }
    for (let at = end; at < bytes.length; at += 1) {
      const index = (low ^ bytes[at]!) & 0xff
      low = ((low >>> 8) | (high << 24)) ^ lows[index]!
      high = (high >>> 8) ^ highs[index]!
    }
    this.#high = high
    this.#low = low
  }

  /** Big-endian. */
  digest(): Uint8Array {
    const view = new DataView(new ArrayBuffer(8))
    view.setInt32(0, ~this.#high)
    view.setInt32(4, ~this.#low)
    return new Uint8Array(view.buffer)
  }
}

function makeTables(): Tables {
  const high = new Int32Array(lanes * 256)
  const low = new Int32Array(lanes * 256)
  for (let byte = 0; byte < 256; byte += 1) {
    let [upper, lower] = [0, byte]
    for (let bit = 0; bit < 8; bit += 1) {
      const isOdd = (lower & 1) === 1
      lower = ((lower >>> 1) | (upper << 31)) ^ (isOdd ? polynomialLow : 0)
      upper = (upper >>> 1) ^ (isOdd ? polynomialHigh : 0)
    }
    high[byte] = upper
    low[byte] = lower
  }
  for (let index = 256; index < lanes * 256; index += 1) {
    const [upper, lower] = [high[index - 256]!, low[index - 256]!]
    high[index] = (upper >>> 8) ^ high[lower & 0xff]!
    low[index] = ((lower >>> 8) | (upper << 24)) ^ low[lower & 0xff]!
  }
  return { high, low }
}
