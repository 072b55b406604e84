/** CRCs whose register begins with ones and is turned round at the end, bits reflected. */
interface Kind {
  readonly width: 32 | 64
  /** Reflected, without its highest term. */
  readonly polynomial: bigint
}

const kinds = {
  CRC32: { width: 32, polynomial: 0xedb88320n },
  CRC32C: { width: 32, polynomial: 0x82f63b78n },
  CRC64NVME: { width: 64, polynomial: 0x9a6c9329ac4bc9b5n },
} as const satisfies Readonly<Record<string, Kind>>

export type CrcAlgorithm = keyof typeof kinds

export const isCrc = (algorithm: string): algorithm is CrcAlgorithm =>
  Object.hasOwn(kinds, algorithm)

/** A piece of something, and its CRC as it is written, big-endian. */
export interface SummedPiece {
  readonly sizeBytes: number
  readonly crc: Uint8Array
}

/**
 * The CRC of all pieces together, of which no byte is looked at: the CRC of what stands before is moved on by
 * as many bytes as follow, modulo the polynomial. As in zlib's `crc32_combine`.
 */
export function combinedCrc(algorithm: CrcAlgorithm, pieces: readonly SummedPiece[]): Uint8Array {
  const kind = kinds[algorithm]
  const powers = powersOfX(kind)
  const shiftBySize = new Map<number, bigint>()
  let sum = 0n
  for (const { sizeBytes, crc } of pieces) {
    const shift = shiftBySize.get(sizeBytes) ?? shiftOf(sizeBytes, powers, kind)
    shiftBySize.set(sizeBytes, shift)
    sum = product(shift, sum, kind) ^ valueOf(crc)
  }
  return bytesOf(sum, kind)
}

/** x to the power of eight times so many. */
function shiftOf(sizeBytes: number, powers: readonly bigint[], kind: Kind): bigint {
  let shift = one(kind)
  for (let [rest, place] = [BigInt(sizeBytes), 3]; rest > 0n; rest >>= 1n, place += 1)
    if (rest & 1n) shift = product(powers[place] ?? 0n, shift, kind)
  return shift
}

/** No size has more bits than numbers have, and each byte has eight. */
const powerCount = 53 + 3

/** x to the powers 1, 2, 4, 8, … */
function powersOfX(kind: Kind): readonly bigint[] {
  const powers = [one(kind) >> 1n]
  while (powers.length <= powerCount) {
    const last = powers.at(-1) ?? 0n
    powers.push(product(last, last, kind))
  }
  return powers
}

/** The highest bit is the lowest term. */
const one = ({ width }: Kind): bigint => 1n << BigInt(width - 1)

function product(a: bigint, b: bigint, kind: Kind): bigint {
  let result = 0n
  let rest = b
  for (let mask = one(kind); mask > 0n; mask >>= 1n) {
    if (a & mask) result ^= rest
    rest = rest & 1n ? (rest >> 1n) ^ kind.polynomial : rest >> 1n
  }
  return result
}

const valueOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`)

const bytesOf = (value: bigint, { width }: Kind): Uint8Array =>
  Buffer.from(value.toString(16).padStart(width / 4, '0'), 'hex')
