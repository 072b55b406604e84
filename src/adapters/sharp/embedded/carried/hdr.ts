import type { HdrKind } from '../../../../ports/media/carried-data.ts'
import type { EmbeddedFormat } from '../../../../ports/media/renderer.ts'
import { boxesIn } from '../heif-boxes.ts'
import { latin1, type PagedBytes, uint16 } from '../paged-file.ts'
import { jpegSegments, pngChunks } from './file-parts.ts'

/** How an image goes beyond white, if it does. */
export function hdrOf(file: PagedBytes, format: EmbeddedFormat): HdrKind | undefined {
  if (format === 'jpeg') return hasGainMap(file) ? 'gain-map' : undefined
  if (format === 'png') return inPng(file)
  return format === 'avif' ? inHeif(file) : undefined
}

/** Transfer characteristics (ITU-T H.273 §8.2). */
const kinds: Readonly<Record<number, HdrKind>> = { 16: 'pq', 18: 'hlg' }

/** PNG §11.3.2.6: primaries, transfer characteristics, matrix, range. */
function inPng(file: PagedBytes): HdrKind | undefined {
  for (const { type, start, length } of pngChunks(file)) {
    if (type === 'cICP' && length === 4) return kinds[file.bytes(start, 4)[1] ?? 0]
    if (type === 'IDAT' || type === 'IEND') return undefined
  }
  return undefined
}

const [app1, app2] = [0xe1, 0xe2]
const multiPictureName = 'MPF\0'
const gainMapWords = [
  'urn:iso:std:iso:ts:21496:-1\0',
  'hdrgm:Version',
  'aux:hdrgainmap',
  'HDRGainMap',
]
const maxSegments = 200
const secondImageBytes = 64 * 1024

/**
 * ISO 21496-1, its forerunner of Adobe and Android, or Apple's: the map is a further image of the file
 * (CIPA DC-007), and it or the first one says what it is.
 */
function hasGainMap(file: PagedBytes): boolean {
  const parts = [...jpegSegments(file)]
    .filter(({ marker }) => marker === app1 || marker === app2)
    .slice(0, maxSegments)
  const index = parts.find(
    ({ marker, start }) => marker === app2 && latin1(file.bytes(start, 4)) === multiPictureName,
  )
  const second = index && secondImage(file, index.start + 4, index.length - 4)
  if (second === undefined) return false
  const isSaid = parts.some(({ start, length }) => isOfGainMap(file.bytes(start, length)))
  return isSaid || isOfGainMap(file.bytes(second, secondImageBytes))
}

function isOfGainMap(bytes: Uint8Array): boolean {
  const text = latin1(bytes)
  return gainMapWords.some((word) => text.includes(word))
}

const maxEntries = 100
const entryBytes = 16

/** Where the second image begins, by the index of images (CIPA DC-007 §5.2.3). */
function secondImage(file: PagedBytes, start: number, length: number): number | undefined {
  const index = Buffer.from(file.bytes(start, length))
  const isLittle = index.toString('latin1', 0, 2) === 'II'
  const number = (at: number, size: 2 | 4): number => {
    if (at + size > index.length) return 0
    return isLittle ? index.readUIntLE(at, size) : index.readUIntBE(at, size)
  }
  const directory = number(4, 4)
  const count = Math.min(maxEntries, number(directory, 2))
  for (let field = 0; field < count; field += 1) {
    const at = directory + 2 + field * 12
    if (number(at, 2) !== 0xb0_02) continue
    const offset = number(number(at + 8, 4) + entryBytes + 8, 4)
    return offset === 0 || start + offset >= file.sizeBytes ? undefined : start + offset
  }
  return undefined
}

const maxPropertyBytes = 64 * 1024

/** The item `tmap` (ISO 23008-12 §6.6.2.4), Apple's auxiliary image, or the colours of the image itself. */
function inHeif(file: PagedBytes): HdrKind | undefined {
  const meta = boxesIn(file, 0, file.sizeBytes).find(({ type }) => type === 'meta')
  if (meta === undefined) return undefined
  const boxes = boxesIn(file, meta.start + 4, meta.end)
  const textIn = (type: string): string => {
    const box = boxes.find((each) => each.type === type)
    return box === undefined
      ? ''
      : latin1(file.bytes(box.start, Math.min(maxPropertyBytes, box.end - box.start)))
  }
  const properties = textIn('iprp')
  if (textIn('iinf').includes('tmap') || properties.includes('aux:hdrgainmap')) return 'gain-map'
  const colours = properties.indexOf('colrnclx')
  if (colours < 0) return undefined
  const transfer = Buffer.from(properties.slice(colours + 10, colours + 12), 'latin1')
  return kinds[uint16(transfer, 0)]
}
