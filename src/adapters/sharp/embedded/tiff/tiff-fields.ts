import { latin1, type PagedBytes } from '../paged-file.ts'
import { maxPacketBytes } from '../packets.ts'

const bytesByType: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 7: 1 }
const maxEntries = 1000
/** Values that are no longer lie in their entry. */
const inlineBytes = 4

/** Values of the first image file directory by their tags (TIFF 6.0 §2), as far as they are wanted. */
export function tiffFields(
  file: Pick<PagedBytes, 'bytes'>,
  wanted: ReadonlySet<number>,
): ReadonlyMap<number, Uint8Array> {
  const fields = new Map<number, Uint8Array>()
  const head = file.bytes(0, 8)
  const isLittle = latin1(head.subarray(0, 2)) === 'II'
  if (head.length < 8 || viewOf(head).getUint16(2, isLittle) !== 42) return fields
  const directory = viewOf(head).getUint32(4, isLittle)
  const countBytes = file.bytes(directory, 2)
  const count = countBytes.length < 2 ? 0 : viewOf(countBytes).getUint16(0, isLittle)
  const entries = file.bytes(directory + 2, 12 * Math.min(count, maxEntries))
  for (let at = 0; at + 12 <= entries.length; at += 12) {
    const bytes = entries.subarray(at, at + 12)
    const entry = viewOf(bytes)
    const tag = entry.getUint16(0, isLittle)
    const size = (bytesByType[entry.getUint16(2, isLittle)] ?? 0) * entry.getUint32(4, isLittle)
    if (!wanted.has(tag) || size > maxPacketBytes) continue
    const isInline = size <= inlineBytes
    fields.set(
      tag,
      isInline ? bytes.subarray(8, 8 + size) : file.bytes(entry.getUint32(8, isLittle), size),
    )
  }
  return fields
}

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
