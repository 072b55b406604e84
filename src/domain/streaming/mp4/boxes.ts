import { type ByteSource, refuse } from './byte-source.ts'

/** A box of an ISO base media file (ISO/IEC 14496-12 §4.2) that lies in memory. */
export interface Box {
  readonly type: string
  /** From the size field on. */
  readonly whole: Uint8Array
  /** What comes after the header. */
  readonly payload: Uint8Array
}

/** A box of the file itself, which may be too large for memory. */
export interface FileBox {
  readonly type: string
  /** Of its size field. */
  readonly start: number
  readonly payloadStart: number
  readonly end: number
}

const maxFileBoxes = 4096
const maxBoxes = 256
const shortHeaderBytes = 8
const longHeaderBytes = 16

export const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** The boxes of the file in order, without what is in them. */
export async function* fileBoxes(source: ByteSource, most = maxFileBoxes): AsyncGenerator<FileBox> {
  let offset = 0
  for (let count = 0; offset + shortHeaderBytes <= source.sizeBytes; count += 1) {
    if (count === most) refuse(`The file has more than ${most} boxes`)
    const available = Math.min(longHeaderBytes, source.sizeBytes - offset)
    const header = readHeader(await source.read(offset, available), source.sizeBytes - offset)
    const end = offset + header.sizeBytes
    if (end > source.sizeBytes) refuse(`The file is cut off within its ${header.type} box`)
    yield { type: header.type, start: offset, payloadStart: offset + header.headerBytes, end }
    offset = end
  }
}

/** The boxes that lie one after another in `bytes`. A rest too short for a box is passed over. */
export function boxesIn(bytes: Uint8Array): readonly Box[] {
  const boxes: Box[] = []
  let offset = 0
  while (offset + shortHeaderBytes <= bytes.length) {
    if (boxes.length === maxBoxes) refuse(`A box holds more than ${maxBoxes} boxes`)
    const rest = bytes.subarray(offset)
    const { type, headerBytes, sizeBytes } = readHeader(rest, rest.length)
    if (sizeBytes > rest.length) refuse(`The ${type} box is larger than the box around it`)
    const whole = rest.subarray(0, sizeBytes)
    boxes.push({ type, whole, payload: whole.subarray(headerBytes) })
    offset += sizeBytes
  }
  return boxes
}

export const find = (boxes: readonly Box[], type: string): Box | undefined =>
  boxes.find((box) => box.type === type)

/** The payload of the first box of a type, at least `minBytes` long. */
export function need(boxes: readonly Box[], type: string, minBytes = 0): Uint8Array {
  const payload = find(boxes, type)?.payload
  if (payload === undefined) return refuse(`The ${type} box is missing`)
  if (payload.length < minBytes) refuse(`The ${type} box is too short`)
  return payload
}

interface Header {
  readonly type: string
  readonly headerBytes: number
  readonly sizeBytes: number
}

function readHeader(bytes: Uint8Array, availableBytes: number): Header {
  const view = viewOf(bytes)
  const type = fourCharacters(bytes, 4)
  const short = view.getUint32(0)
  if (short === 0) return { type, headerBytes: shortHeaderBytes, sizeBytes: availableBytes }
  const isLong = short === 1
  if (isLong && bytes.length < longHeaderBytes) refuse(`The ${type} box has no size`)
  const headerBytes = isLong ? longHeaderBytes : shortHeaderBytes
  const sizeBytes = isLong ? unsigned64(view, 8) : short
  if (sizeBytes < headerBytes) refuse(`The ${type} box is smaller than its own header`)
  return { type, headerBytes, sizeBytes }
}

/** Anything that is not printable ASCII becomes `?`, so that a type can stand in a message. */
export const fourCharacters = (bytes: Uint8Array, offset: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + offset, 4)
    .toString('latin1')
    .replaceAll(/[^\u0020-\u007e]/gu, '?')

/** Exact up to 2^53; beyond that no file is that large and no sample that late. */
export const unsigned64 = (view: DataView, offset: number): number =>
  view.getUint32(offset) * 2 ** 32 + view.getUint32(offset + 4)
