import type { FileReader } from '../file-reader.ts'
import type { Cover } from './cover.ts'

const headerBytes = 10
const maxTagBytes = 40 * 2 ** 20
const maxFrames = 2000

export interface Id3Tag {
  readonly covers: readonly Cover[]
  /** Where the sound begins. */
  readonly end: number
}

/** The pictures of the ID3v2 tag that a file begins with (ID3v2.2 to 2.4). */
export function readId3(file: FileReader): Id3Tag {
  const header = file.read(0, headerBytes)
  const version = header.readUInt8(3)
  const flags = header.readUInt8(5)
  const size = synchsafe(header, 6)
  const end = headerBytes + size
  if (version < 2 || version > 4) return { covers: [], end }
  const raw = file.read(headerBytes, Math.min(size, maxTagBytes))
  // Of the fourth version each frame says so by itself.
  const body = version < 4 && (flags & 0x80) > 0 ? withoutStuffing(raw) : raw
  const start = version > 2 && (flags & 0x40) > 0 ? extendedHeaderBytes(body, version) : 0
  return { covers: coversIn(body, start, version), end }
}

interface Frame {
  readonly id: string
  readonly body: Buffer
  readonly end: number
}

function coversIn(body: Buffer, start: number, version: number): readonly Cover[] {
  const covers: Cover[] = []
  let at = start
  for (let count = 0; count < maxFrames; count += 1) {
    const frame = version === 2 ? oldFrameAt(body, at) : frameAt(body, at, version)
    if (frame === undefined) break
    const cover = frame.id === 'APIC' || frame.id === 'PIC' ? pictureOf(frame, version) : undefined
    if (cover !== undefined) covers.push(cover)
    at = frame.end
  }
  return covers
}

/** Three letters, three bytes of length (ID3v2.2 §3.2). */
function oldFrameAt(body: Buffer, at: number): Frame | undefined {
  if (at + 6 > body.length || body[at] === 0) return undefined
  const end = at + 6 + body.readUIntBE(at + 3, 3)
  return { id: body.toString('latin1', at, at + 3), body: body.subarray(at + 6, end), end }
}

/** Of what is compressed or encrypted the letters alone (ID3v2.4 §4.1.2). */
function frameAt(body: Buffer, at: number, version: number): Frame | undefined {
  if (at + 10 > body.length || body[at] === 0) return undefined
  const size = version === 4 ? synchsafe(body, at + 4) : body.readUInt32BE(at + 4)
  const flags = body.readUInt8(at + 9)
  const end = at + 10 + size
  const id = body.toString('latin1', at, at + 4)
  if ((flags & (version === 4 ? 0x0c : 0xc0)) > 0) return { id: '', body, end }
  const whole = body.subarray(at + 10, end)
  if (version < 4) return { id, body: whole, end }
  const told = (flags & 0x01) > 0 ? whole.subarray(4) : whole
  return { id, body: (flags & 0x02) > 0 ? withoutStuffing(told) : told, end }
}

/** Encoding, media type, what it is of, a description, the picture (ID3v2.4 §4.14; v2.2 §4.15). */
function pictureOf({ body }: Frame, version: number): Cover | undefined {
  const typeAt = version === 2 ? 4 : body.indexOf(0, 1) + 1
  if (typeAt < 1 || typeAt >= body.length) return undefined
  const isWide = body[0] === 1 || body[0] === 2
  const start = endOfText(body, typeAt + 1, isWide)
  if (start === undefined) return undefined
  return { of: body.readUInt8(typeAt), bytes: body.subarray(start) }
}

function endOfText(body: Buffer, from: number, isWide: boolean): number | undefined {
  if (!isWide) {
    const at = body.indexOf(0, from)
    return at < 0 ? undefined : at + 1
  }
  for (let at = from; at + 1 < body.length; at += 2)
    if (body[at] === 0 && body[at + 1] === 0) return at + 2
  return undefined
}

const extendedHeaderBytes = (body: Buffer, version: number): number => {
  if (body.length < 4) return 0
  return version === 4 ? synchsafe(body, 0) : 4 + body.readUInt32BE(0)
}

/** Seven bits of each byte (ID3v2.4 §6.2). */
const synchsafe = (bytes: Buffer, at: number): number =>
  bytes.subarray(at, at + 4).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0)

/** Takes out the zeros that were put behind each 0xFF (ID3v2.4 §6.1). */
function withoutStuffing(bytes: Buffer): Buffer {
  const out = Buffer.alloc(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes.readUInt8(at)
    out.writeUInt8(byte, length)
    length += 1
    if (byte === 0xff && bytes[at + 1] === 0) at += 1
  }
  return out.subarray(0, length)
}
