import { boxesIn, type HeifBox, idOf, isWide, tablesOf } from '../heic/heif-tables.ts'

/** A thumbnail that is stored beside the main image of a HEIF file. */
export interface ThumbnailItem {
  /** How it is coded: `av01`, `hvc1`, `jpeg` and others (ISO/IEC 23008-12 annexes). */
  readonly type: string
  /** The same file with the thumbnail for its main image. */
  readonly file: Buffer
}

/**
 * The thumbnail of the main image (ISO/IEC 23008-12 §6.4.5); `undefined` where there is none. The bytes that
 * are given are changed: the thumbnail becomes the main image, and nobody's thumbnail any more.
 */
export function thumbnailItemIn(file: Buffer): ThumbnailItem | undefined {
  const tables = tablesOf(file)
  if (tables?.iref === undefined) return undefined
  const { pitm: primary, iinf: infos, iref: references } = tables
  const reference = thumbnailOf(file, references, idOf(file, primary))
  const type = reference && typeOf(file, infos, reference.from)
  if (reference === undefined || type === undefined) return undefined
  file.write('skip', reference.at + 4, 'latin1')
  writeId(file, primary, reference.from)
  return { type, file }
}

const writeId = (file: Buffer, box: HeifBox, id: number): number =>
  isWide(file, box) ? file.writeUInt32BE(id, box.start + 4) : file.writeUInt16BE(id, box.start + 4)

/** ItemReferenceBox (§8.11.12): from the thumbnail to what it is a thumbnail of. */
function thumbnailOf(file: Buffer, box: HeifBox, primary: number) {
  const idBytes = isWide(file, box) ? 4 : 2
  for (const { type, at, start, end } of boxesIn(file, box.start + 4, box.end)) {
    if (type !== 'thmb') continue
    const count = file.readUInt16BE(start + idBytes)
    const first = start + idBytes + 2
    for (let index = 0; index < count && first + (index + 1) * idBytes <= end; index += 1)
      if (file.readUIntBE(first + index * idBytes, idBytes) === primary)
        return { at, from: file.readUIntBE(start, idBytes) }
  }
  return undefined
}

/** ItemInfoEntry of version 2 or 3 (§8.11.6). */
function typeOf(file: Buffer, box: HeifBox, id: number): string | undefined {
  const first = box.start + (isWide(file, box) ? 8 : 6)
  for (const entry of boxesIn(file, first, box.end)) {
    const idBytes = file[entry.start] === 3 ? 4 : 2
    const typeAt = entry.start + 4 + idBytes + 2
    if (entry.type !== 'infe' || typeAt + 4 > entry.end) continue
    if (file.readUIntBE(entry.start + 4, idBytes) === id)
      return file.toString('latin1', typeAt, typeAt + 4)
  }
  return undefined
}
