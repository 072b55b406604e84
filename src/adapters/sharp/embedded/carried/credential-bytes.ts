import type { EmbeddedFormat } from '../../../../ports/media/renderer.ts'
import { boxesIn } from '../heif-boxes.ts'
import { latin1, type PagedBytes, uint16, uint32 } from '../paged-file.ts'
import { maxParts } from '../packets.ts'
import { tiffFields } from '../tiff/tiff-fields.ts'
import { jpegSegments, pngChunks, riffChunks } from './file-parts.ts'

/** With thumbnails in them; what is longer is not read. */
const maxCredentialBytes = 8 * 2 ** 20

type Format = Exclude<EmbeddedFormat, 'svg'>

/** The manifest store of C2PA as it lies in a file (C2PA 2.2 §A.3); `undefined` where there is none. */
export function credentialBytes(file: PagedBytes, format: Format): Uint8Array | undefined {
  const bytes = finders[format](file)
  return bytes === undefined || bytes.length === 0 ? undefined : bytes
}

const finders: Readonly<Record<Format, (file: PagedBytes) => Uint8Array | undefined>> = {
  jpeg: inJpeg,
  png: (file) => firstBody(file, pngChunks(file), 'caBX'),
  webp: (file) => firstBody(file, riffChunks(file), 'C2PA'),
  avif: inHeif,
  gif: inGif,
  tiff: (file) => tiffFields(file, new Set([tiffTag])).get(tiffTag),
}

const tiffTag = 0xcd_41

interface Part {
  readonly type: string
  readonly start: number
  readonly length: number
}

function firstBody(
  file: PagedBytes,
  parts: Iterable<Part>,
  wanted: string,
): Uint8Array | undefined {
  for (const { type, start, length } of parts)
    if (type === wanted && length <= maxCredentialBytes) return file.bytes(start, length)
  return undefined
}

const app11 = 0xeb
/** `JP`, the number of the box, and which part of it this is. */
const headBytes = 8

/** Boxes are cut into segments, each of which begins with the head of its box (ISO 19566-5 §D.2). */
function inJpeg(file: PagedBytes): Uint8Array | undefined {
  const partsByBox = new Map<number, Uint8Array[]>()
  let sum = 0
  for (const { marker, start, length } of jpegSegments(file)) {
    if (marker !== app11) continue
    const body = file.bytes(start, length).slice()
    if (latin1(body.subarray(0, 2)) !== 'JP' || body.length < headBytes + 8) continue
    sum += body.length
    if (sum > maxCredentialBytes) return undefined
    const box = uint16(body, 2)
    const parts = partsByBox.get(box) ?? []
    const boxHead = uint32(body, headBytes) === 1 ? 16 : 8
    parts.push(body.subarray(parts.length === 0 ? headBytes : headBytes + boxHead))
    partsByBox.set(box, parts)
  }
  const boxes = [...partsByBox.values()].map((parts) => Buffer.concat(parts))
  return boxes.find((box) => box.includes('c2pa'))
}

const heifType = Buffer.from('d8fec3d61b0e483c92975828877ec481', 'hex')

/** A box of its own type: a version, what it is for, and a place in it. */
function inHeif(file: PagedBytes): Uint8Array | undefined {
  for (const { type, start, end } of boxesIn(file, 0, file.sizeBytes)) {
    if (type !== 'uuid' || end - start > maxCredentialBytes) continue
    const body = file.bytes(start, end - start)
    if (!heifType.equals(body.subarray(0, 16))) continue
    const purpose = body.indexOf(0, 20)
    return purpose < 0 ? undefined : body.subarray(purpose + 9)
  }
  return undefined
}

const gifName = 'C2PA_GIF'
const [extension, application, image] = [0x21, 0xff, 0x2c]

function inGif(file: PagedBytes): Uint8Array | undefined {
  let at = 13 + tableBytes(file.bytes(10, 1)[0] ?? 0)
  for (let count = 0; count < maxParts; count += 1) {
    const head = file.bytes(at, 11)
    if (head[0] !== extension && head[0] !== image) return undefined
    const isFound = head[1] === application && latin1(head.subarray(3)) === gifName
    const isExtension = head[0] === extension
    const first = isExtension ? at + 2 : at + 11 + tableBytes(head[9] ?? 0)
    const { parts, end } = subBlocks(file, isFound ? at + 14 : first)
    if (isFound) return Buffer.concat(parts)
    at = end
  }
  return undefined
}

const tableBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

function subBlocks(file: PagedBytes, start: number) {
  const parts: Uint8Array[] = []
  let at = start
  for (;;) {
    const length = file.bytes(at, 1)[0] ?? 0
    if (length > 0 && parts.length * 255 < maxCredentialBytes)
      parts.push(file.bytes(at + 1, length).slice())
    at += 1 + length
    if (length === 0) return { parts, end: at }
  }
}
