import { type ByteSource, refuse } from '../mp4/byte-source.ts'

/** An element of a Matroska file (RFC 8794 §4). */
export interface Element {
  readonly id: number
  readonly start: number
  readonly dataStart: number
  /** Infinity where the file does not say, as of what was recorded live. */
  readonly end: number
}

const maxIdBytes = 4
const maxSizeBytes = 8

/** The element that starts at `offset`; `undefined` where fewer bytes are left than one has. */
export async function elementAt(source: ByteSource, offset: number): Promise<Element | undefined> {
  const available = Math.min(maxIdBytes + maxSizeBytes, source.sizeBytes - offset)
  if (available < 2) return undefined
  const bytes = source.held(offset, available) ?? (await source.read(offset, available))
  const idBytes = lengthOf(bytes[0] ?? 0)
  const sizeBytes = lengthOf(bytes[idBytes] ?? 0)
  if (idBytes > maxIdBytes || idBytes + sizeBytes > available) return undefined
  const dataStart = offset + idBytes + sizeBytes
  const size = sizeIn(bytes.subarray(idBytes, idBytes + sizeBytes))
  return {
    id: numberIn(bytes.subarray(0, idBytes)),
    start: offset,
    dataStart,
    end: dataStart + size,
  }
}

/** The elements that lie in memory one after another. What is larger than `bytes` is left out. */
export function elementsIn(bytes: Uint8Array): readonly HeldElement[] {
  const found: HeldElement[] = []
  let offset = 0
  while (offset + 2 <= bytes.length) {
    if (found.length === maxElements) refuse(`An element holds more than ${maxElements} others`)
    const idBytes = lengthOf(bytes[offset] ?? 0)
    const sizeBytes = lengthOf(bytes[offset + idBytes] ?? 0)
    const dataStart = offset + idBytes + sizeBytes
    if (idBytes > maxIdBytes || dataStart > bytes.length) break
    const end = dataStart + sizeIn(bytes.subarray(offset + idBytes, dataStart))
    if (end > bytes.length) break
    const id = numberIn(bytes.subarray(offset, offset + idBytes))
    found.push({ id, data: bytes.subarray(dataStart, end) })
    offset = end
  }
  return found
}

export interface HeldElement {
  readonly id: number
  readonly data: Uint8Array
}

/** Of Cues, which have one for each key frame. */
const maxElements = 100_000

export const childOf = (elements: readonly HeldElement[], id: number): Uint8Array | undefined =>
  elements.find((element) => element.id === id)?.data

/** An unsigned integer (RFC 8794 §7.2); exact up to 2^53. */
export const numberIn = (bytes: Uint8Array): number =>
  bytes.reduce((value, byte) => value * 256 + byte, 0)

/** A float of 4 or 8 bytes (RFC 8794 §7.3). */
export function floatIn(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length === 4) return view.getFloat32(0)
  return bytes.length === 8 ? view.getFloat64(0) : 0
}

/** A number of variable size without its marker (RFC 8794 §4), and how many bytes it takes. */
export function variableSizeIn(bytes: Uint8Array): {
  readonly value: number
  readonly length: number
} {
  const length = lengthOf(bytes[0] ?? 0)
  return { value: sizeIn(bytes.subarray(0, length)), length }
}

/** 9 for a first byte that none may have. */
const lengthOf = (first: number): number => Math.clz32(first) - 23

/** All ones mean that nobody knows. */
function sizeIn(bytes: Uint8Array): number {
  const first = (bytes[0] ?? 0) & (0xff >> bytes.length)
  const rest = bytes.subarray(1)
  const isUnknown = first === 0xff >> bytes.length && rest.every((byte) => byte === 0xff)
  return isUnknown ? Infinity : rest.reduce((value, byte) => value * 256 + byte, first)
}
