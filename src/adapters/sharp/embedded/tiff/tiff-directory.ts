import { latin1, type PagedBytes } from '../paged-file.ts'
import { maxPacketBytes } from '../packets.ts'

/** By their numbers (TIFF 6.0 §2; Exif 3.0 adds 129, UTF-8). */
const bytesByType: Readonly<Record<number, number>> = {
  1: 1,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  6: 1,
  7: 1,
  8: 2,
  9: 4,
  10: 8,
  129: 1,
}
const maxEntries = 1000
/** Values that are no longer lie in their entry. */
const inlineBytes = 4

export interface TiffField {
  readonly type: number
  /** The values, one after another. */
  readonly bytes: Uint8Array
  /** Whether the lower byte of a number comes first. */
  readonly isLittle: boolean
}

export interface TiffHeader {
  readonly isLittle: boolean
  /** Where the first image file directory is. */
  readonly directory: number
}

/** `undefined` of what is no TIFF. */
export function tiffHeader(file: Pick<PagedBytes, 'bytes'>): TiffHeader | undefined {
  const head = file.bytes(0, 8)
  const isLittle = latin1(head.subarray(0, 2)) === 'II'
  if (head.length < 8 || viewOf(head).getUint16(2, isLittle) !== 42) return undefined
  return { isLittle, directory: viewOf(head).getUint32(4, isLittle) }
}

/** The fields of one image file directory by their tags, as far as they are wanted. */
export function tiffDirectory(
  file: Pick<PagedBytes, 'bytes'>,
  { isLittle, directory }: TiffHeader,
  isWanted: (tag: number) => boolean,
): ReadonlyMap<number, TiffField> {
  const fields = new Map<number, TiffField>()
  const countBytes = file.bytes(directory, 2)
  const count = countBytes.length < 2 ? 0 : viewOf(countBytes).getUint16(0, isLittle)
  const entries = file.bytes(directory + 2, 12 * Math.min(count, maxEntries))
  for (let at = 0; at + 12 <= entries.length; at += 12) {
    const entry = entries.subarray(at, at + 12)
    const view = viewOf(entry)
    const type = view.getUint16(2, isLittle)
    const size = (bytesByType[type] ?? 0) * view.getUint32(4, isLittle)
    const tag = view.getUint16(0, isLittle)
    if (!isWanted(tag) || size > maxPacketBytes) continue
    const isInline = size <= inlineBytes
    const bytes = isInline
      ? entry.subarray(8, 8 + size)
      : file.bytes(view.getUint32(8, isLittle), size)
    fields.set(tag, { type, bytes, isLittle })
  }
  return fields
}

export const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
