import { ByteCursor } from './byte-cursor.ts'
import { boxesIn } from './heif-boxes.ts'
import { latin1, type PagedBytes, uint16, uint32 } from './paged-file.ts'
import { maxPacketBytes, type Packets } from './packets.ts'

const maxItems = 5000

/** The item of type `application/rdf+xml` (ISO 14496-12 §8.11, HEIF Annex A.3). */
export function heifPackets(file: PagedBytes): Packets {
  const metaBox = boxesIn(file, 0, file.sizeBytes).find(({ type }) => type === 'meta')
  if (metaBox === undefined) return {}
  const boxes = boxesIn(file, metaBox.start + 4, metaBox.end)
  const bodyOf = (type: string): Uint8Array | undefined => {
    const box = boxes.find((each) => each.type === type)
    return box && box.end - box.start <= maxPacketBytes
      ? file.bytes(box.start, box.end - box.start)
      : undefined
  }
  const [items, places] = [bodyOf('iinf'), bodyOf('iloc')]
  const item = items && xmpItemIn(items)
  const extents = item !== undefined && places ? extentsOf(places, item) : undefined
  if (extents === undefined) return {}
  // Offsets may count from the beginning of a box that holds small items.
  const base = extents.isInData ? (boxes.find(({ type }) => type === 'idat')?.start ?? 0) : 0
  const length = extents.parts.reduce((sum, part) => sum + part.length, 0)
  if (length > maxPacketBytes) return {}
  return {
    xmp: Buffer.concat(extents.parts.map((part) => file.bytes(base + part.offset, part.length))),
  }
}

/** Of the item infos the one of XMP. */
function xmpItemIn(items: Uint8Array): number | undefined {
  let at = items[0] === 0 ? 6 : 8
  for (let count = 0; count < maxItems && at + 8 <= items.length; count += 1) {
    const size = uint32(items, at)
    if (size < 8) return undefined
    const { id, isXmp } = itemInfo(items.subarray(at + 8, at + size))
    if (isXmp) return id
    at += size
  }
  return undefined
}

/** Versions 2 and 3 say types of content (§8.11.6); in the latter numbers are longer. */
function itemInfo(body: Uint8Array) {
  const isWide = body[0] === 3
  const type = latin1(body.subarray(isWide ? 10 : 8))
  return {
    id: isWide ? uint32(body, 4) : uint16(body, 4),
    isXmp: type.startsWith('mime') && type.includes('\0application/rdf+xml\0'),
  }
}

interface Extents {
  readonly isInData: boolean
  readonly parts: readonly { readonly offset: number; readonly length: number }[]
}

/** Where the bytes of an item lie (§8.11.3). */
function extentsOf(places: Uint8Array, wanted: number): Extents | undefined {
  const version = places[0] ?? 0
  const sizes = uint16(places, 4)
  const idSize = version < 2 ? 2 : 4
  const cursor = new ByteCursor(places, 6)
  const itemCount = Math.min(cursor.number(idSize), maxItems)
  for (let item = 0; item < itemCount && !cursor.isAtEnd; item += 1) {
    const id = cursor.number(idSize)
    const isInData = version > 0 && (cursor.number(2) & 15) === 1
    cursor.number(2)
    const base = cursor.number((sizes >> 4) & 15)
    const parts = partsOf(cursor, {
      base,
      indexSize: version === 0 ? 0 : sizes & 15,
      offsetSize: sizes >> 12,
      lengthSize: (sizes >> 8) & 15,
    })
    if (id === wanted) return { isInData, parts }
  }
  return undefined
}

function partsOf(
  cursor: ByteCursor,
  sizes: Readonly<Record<'base' | 'indexSize' | 'offsetSize' | 'lengthSize', number>>,
): Extents['parts'] {
  const count = Math.min(cursor.number(2), maxItems)
  const parts = []
  for (let place = 0; place < count && !cursor.isAtEnd; place += 1) {
    cursor.number(sizes.indexSize)
    const offset = sizes.base + cursor.number(sizes.offsetSize)
    parts.push({ offset, length: cursor.number(sizes.lengthSize) })
  }
  return parts
}
