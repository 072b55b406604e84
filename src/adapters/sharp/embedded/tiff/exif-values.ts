import type { ExifValue } from '../../../../ports/media/image-details.ts'
import { latin1, type PagedBytes } from '../paged-file.ts'
import { firstTags, photographTags } from './exif-tags.ts'
import {
  type TiffField,
  type TiffHeader,
  tiffDirectory,
  tiffHeader,
  viewOf,
} from './tiff-directory.ts'

/** Leads to the directory about the photograph (Exif 3.0 §4.6.3). */
const photographPointer = 0x87_69
const maxLength = 500
const maxNumbers = 16

type Fields = Readonly<Record<string, ExifValue>>

/** EXIF as it lies in a file of another kind, with or without the mark that it has in a JPEG. */
export function exifValues(exif: Uint8Array): Fields {
  const mark = 'Exif\0\0'
  const bytes = latin1(exif.subarray(0, mark.length)) === mark ? exif.subarray(mark.length) : exif
  return exifValuesOf({ bytes: (start, length) => bytes.subarray(start, start + length) })
}

/** What a TIFF says of itself, by name. Of where it was taken nothing. */
export function exifValuesOf(file: Pick<PagedBytes, 'bytes'>): Fields {
  const header = tiffHeader(file)
  if (header === undefined) return {}
  const first = fieldsAt(file, header, firstTags)
  const [pointer] = numbersOf(
    tiffDirectory(file, header, (tag) => tag === photographPointer).get(photographPointer),
  )
  if (pointer === undefined) return first
  return { ...first, ...fieldsAt(file, { ...header, directory: pointer }, photographTags) }
}

function fieldsAt(
  file: Pick<PagedBytes, 'bytes'>,
  header: TiffHeader,
  nameByTag: ReadonlyMap<number, string>,
): Fields {
  const fields: Record<string, ExifValue> = {}
  for (const [tag, field] of tiffDirectory(file, header, (each) => nameByTag.has(each))) {
    const value = valueOf(field, nameByTag.get(tag) ?? '')
    if (value !== undefined) fields[nameByTag.get(tag) ?? ''] = value
  }
  return fields
}

function valueOf(field: TiffField, name: string): ExifValue | undefined {
  if (name === 'UserComment') return commentOf(field.bytes)
  if (field.type === 2 || field.type === 129 || name === 'ExifVersion')
    return visible(new TextDecoder().decode(field.bytes.subarray(0, 4 * maxLength)))
  const numbers = numbersOf(field)
  return numbers.length > 1 ? numbers : numbers[0]
}

/** Eight bytes say how it is written (Exif 3.0 §4.6.6.4); what says nothing is taken for UTF-8. */
function commentOf(bytes: Uint8Array): string | undefined {
  const code = latin1(bytes.subarray(0, 8))
  const text = bytes.subarray(8, 8 + 4 * maxLength)
  if (code.startsWith('JIS')) return undefined
  const isLittle = text[1] === 0
  const label = code.startsWith('UNICODE') ? (isLittle ? 'utf-16le' : 'utf-16be') : 'utf-8'
  return visible(new TextDecoder(label).decode(text))
}

function visible(text: string): string | undefined {
  const seen = text.replaceAll(/[\p{C}\p{Z}\s]+/gu, ' ').trim()
  return Array.from(seen).slice(0, maxLength).join('') || undefined
}

type Read = (view: DataView, at: number, isLittle: boolean) => number

/** By the number of the type: how many bytes a value has, and how it is read. */
const readers: Readonly<Record<number, readonly [bytes: number, read: Read]>> = {
  1: [1, (view, at) => view.getUint8(at)],
  3: [2, (view, at, isLittle) => view.getUint16(at, isLittle)],
  4: [4, (view, at, isLittle) => view.getUint32(at, isLittle)],
  5: [8, (view, at, isLittle) => view.getUint32(at, isLittle) / view.getUint32(at + 4, isLittle)],
  6: [1, (view, at) => view.getInt8(at)],
  7: [1, (view, at) => view.getUint8(at)],
  8: [2, (view, at, isLittle) => view.getInt16(at, isLittle)],
  9: [4, (view, at, isLittle) => view.getInt32(at, isLittle)],
  10: [8, (view, at, isLittle) => view.getInt32(at, isLittle) / view.getInt32(at + 4, isLittle)],
}

/** Fractions as numbers; what divides by zero is not known. */
function numbersOf(field: TiffField | undefined): readonly number[] {
  const [size, read] = readers[field?.type ?? 0] ?? []
  if (field === undefined || size === undefined || read === undefined) return []
  const view = viewOf(field.bytes)
  const count = Math.min(maxNumbers, Math.floor(field.bytes.length / size))
  return Array.from({ length: count }, (_, index) => read(view, index * size, field.isLittle))
    .filter((value) => Number.isFinite(value))
    .map((value) => Number(value.toPrecision(10)))
}
