import { latin1, type PagedBytes } from './paged-file.ts'
import { maxPacketBytes, type Packets } from './packets.ts'
import { photoshopPackets } from './photoshop-resources.ts'

const [xmpTag, iptcTag, photoshopTag] = [700, 33_723, 34_377]
const bytesByType: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 7: 1 }
const maxEntries = 1000

const wanted: ReadonlySet<number> = new Set([xmpTag, iptcTag, photoshopTag])

/** Of the first image file directory (TIFF 6.0 §2). */
export function tiffPackets(file: PagedBytes): Packets {
  const fields = fieldsOf(file)
  const photoshop = photoshopPackets(fields.get(photoshopTag) ?? new Uint8Array(0))
  const iptc = fields.get(iptcTag) ?? photoshop.iptc
  return { xmp: fields.get(xmpTag), iptc, iptcDigest: photoshop.iptcDigest }
}

function fieldsOf(file: PagedBytes): ReadonlyMap<number, Uint8Array> {
  const fields = new Map<number, Uint8Array>()
  const head = file.bytes(0, 8)
  const isLittle = latin1(head.subarray(0, 2)) === 'II'
  if (head.length < 8 || viewOf(head).getUint16(2, isLittle) !== 42) return fields
  const directory = viewOf(head).getUint32(4, isLittle)
  const countBytes = file.bytes(directory, 2)
  const count = countBytes.length < 2 ? 0 : viewOf(countBytes).getUint16(0, isLittle)
  const entries = file.bytes(directory + 2, 12 * Math.min(count, maxEntries))
  for (let at = 0; at + 12 <= entries.length; at += 12) {
    const entry = viewOf(entries.subarray(at, at + 12))
    const tag = entry.getUint16(0, isLittle)
    const size = (bytesByType[entry.getUint16(2, isLittle)] ?? 0) * entry.getUint32(4, isLittle)
    // What fits lies in the entry itself; no packet is as short.
    if (wanted.has(tag) && size > 4 && size <= maxPacketBytes)
      fields.set(tag, file.bytes(entry.getUint32(8, isLittle), size))
  }
  return fields
}

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
