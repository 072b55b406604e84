import { inflateSync } from 'node:zlib'

/** The tables of a font by their tags (OpenType 1.9, Font file). */
export type SfntTables = ReadonlyMap<string, Buffer>

const maxTables = 256
const maxTableBytes = 32 * 2 ** 20

const tagAt = (bytes: Buffer, at: number): string => bytes.toString('latin1', at, at + 4)

/** Of a bare font, or the first one of a collection. Tables that reach beyond the file are left out. */
export function sfntTables(font: Buffer): SfntTables {
  const start = tagAt(font, 0) === 'ttcf' ? font.readUInt32BE(12) : 0
  const count = Math.min(maxTables, font.readUInt16BE(start + 4))
  const tables = new Map<string, Buffer>()
  for (let index = 0; index < count; index += 1) {
    const at = start + 12 + index * 16
    if (at + 16 > font.length) break
    const offset = font.readUInt32BE(at + 8)
    const table = font.subarray(offset, offset + font.readUInt32BE(at + 12))
    if (table.length > 0) tables.set(tagAt(font, at), table)
  }
  return tables
}

const unpacked = (packed: Buffer): Buffer => inflateSync(packed, { maxOutputLength: maxTableBytes })

/** A WOFF as the bare font that it is made of (WOFF 1.0 §5). */
export function unpackWoff(woff: Buffer): Buffer {
  const count = Math.min(maxTables, woff.readUInt16BE(12))
  const entries = Array.from({ length: count }, (_, index) => {
    const at = 44 + index * 20
    const offset = woff.readUInt32BE(at + 4)
    const packed = woff.subarray(offset, offset + woff.readUInt32BE(at + 8))
    const length = woff.readUInt32BE(at + 12)
    const bytes = packed.length === length ? packed : unpacked(packed)
    return { tag: tagAt(woff, at), bytes, checksum: woff.readUInt32BE(at + 16) }
  })
  return sfntOf(woff.subarray(4, 8), entries)
}

interface Entry {
  readonly tag: string
  readonly bytes: Buffer
  readonly checksum: number
}

function sfntOf(flavour: Buffer, entries: readonly Entry[]): Buffer {
  const head = Buffer.alloc(12 + 16 * entries.length)
  flavour.copy(head)
  head.writeUInt16BE(entries.length, 4)
  const parts: Buffer[] = [head]
  let at = head.length
  for (const [index, { tag, bytes, checksum }] of entries.entries()) {
    const row = 12 + 16 * index
    head.write(tag, row, 'latin1')
    head.writeUInt32BE(checksum, row + 4)
    head.writeUInt32BE(at, row + 8)
    head.writeUInt32BE(bytes.length, row + 12)
    const padding = Buffer.alloc((4 - (bytes.length % 4)) % 4)
    parts.push(bytes, padding)
    at += bytes.length + padding.length
  }
  return Buffer.concat(parts)
}
