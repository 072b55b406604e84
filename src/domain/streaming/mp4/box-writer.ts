import { viewOf } from './boxes.ts'

/** A box around other boxes and bytes. */
export function box(type: string, ...parts: readonly Uint8Array[]): Uint8Array {
  const sizeBytes = parts.reduce((sum, part) => sum + part.length, 8)
  const bytes = new Uint8Array(sizeBytes)
  viewOf(bytes).setUint32(0, sizeBytes)
  bytes.set(Buffer.from(type, 'latin1'), 4)
  let offset = 8
  for (const part of parts) {
    bytes.set(part, offset)
    offset += part.length
  }
  return bytes
}

/** A box that begins with a version and flags (ISO/IEC 14496-12 §4.2). */
export const fullBox = (
  type: string,
  { version = 0, flags = 0 }: { readonly version?: number; readonly flags?: number },
  ...content: readonly Uint8Array[]
): Uint8Array => box(type, u32(version * 2 ** 24 + flags), ...content)

export const text = (value: string): Uint8Array => Buffer.from(value, 'latin1')
export const zeros = (length: number): Uint8Array => new Uint8Array(length)

export function u16(...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 2)
  values.forEach((value, index) => viewOf(bytes).setUint16(index * 2, value))
  return bytes
}

export function u32(...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 4)
  values.forEach((value, index) => viewOf(bytes).setUint32(index * 4, value))
  return bytes
}

export function u64(value: number): Uint8Array {
  return u32(Math.floor(value / 2 ** 32), value % 2 ** 32)
}
