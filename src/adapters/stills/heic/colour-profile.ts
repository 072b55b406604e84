import { deflateSync } from 'node:zlib'

import { boxesIn, type HeifBox, idOf, isWide, tablesOf } from './heif-tables.ts'

const maxProfileBytes = 4 * 2 ** 20

/**
 * The ICC profile that the colours of the main image mean something by (ISO/IEC 14496-12 §12.1.5), or that
 * of any image in the file where the main one is put together of tiles without its own.
 */
export function profileIn(file: Buffer): Buffer | undefined {
  const tables = tablesOf(file)
  const properties = tables && boxesIn(file, tables.iprp.start, tables.iprp.end)
  const list = properties?.find(({ type }) => type === 'ipco')
  const ownership = properties?.find(({ type }) => type === 'ipma')
  if (tables === undefined || list === undefined) return undefined
  const all = boxesIn(file, list.start, list.end)
  const owned = ownership && propertiesOf(file, ownership, idOf(file, tables.pitm))
  const own = owned?.flatMap((index) => all[index - 1] ?? []).find((box) => isProfile(file, box))
  const found = own ?? all.find((box) => isProfile(file, box))
  return found && file.subarray(found.start + 4, found.end)
}

const isProfile = (file: Buffer, { type, start, end }: HeifBox): boolean =>
  type === 'colr' &&
  end - start > 132 &&
  end - start < maxProfileBytes &&
  ['prof', 'rICC'].includes(file.toString('latin1', start, start + 4))

/** ItemPropertyAssociationBox (ISO/IEC 23008-12 §9.3.1): the numbers of an item's properties, from 1. */
function propertiesOf(file: Buffer, box: HeifBox, item: number): readonly number[] {
  const idBytes = isWide(file, box) ? 4 : 2
  const indexBytes = (file[box.start + 3] ?? 0) % 2 === 1 ? 2 : 1
  const count = file.readUInt32BE(box.start + 4)
  let at = box.start + 8
  for (let entry = 0; entry < count && at + idBytes + 1 <= box.end; entry += 1) {
    const id = file.readUIntBE(at, idBytes)
    const properties = file[at + idBytes] ?? 0
    at += idBytes + 1
    if (at + properties * indexBytes > box.end) return []
    if (id === item)
      return Array.from(
        { length: properties },
        // The highest bit says whether it is essential.
        (_, place) =>
          file.readUIntBE(at + place * indexBytes, indexBytes) & (indexBytes === 1 ? 0x7f : 0x7fff),
      )
    at += properties * indexBytes
  }
  return []
}

const signatureBytes = 8
/** Of the IHDR chunk, which comes first. */
const headerBytes = 25

/** A PNG whose colours mean what the profile says (PNG §11.3.2.3). */
export function withProfile(png: Uint8Array, profile: Uint8Array): Buffer {
  const data = Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(profile)])
  const named = Buffer.concat([Buffer.from('iCCP', 'latin1'), data])
  const chunk = Buffer.alloc(named.length + 8)
  chunk.writeUInt32BE(data.length, 0)
  named.copy(chunk, 4)
  chunk.writeUInt32BE(Bun.hash.crc32(named), named.length + 4)
  const end = signatureBytes + headerBytes
  return Buffer.concat([png.subarray(0, end), chunk, png.subarray(end)])
}
