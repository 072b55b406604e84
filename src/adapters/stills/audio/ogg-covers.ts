import type { FileReader } from '../file-reader.ts'
import { type Cover } from './cover.ts'
import { flacImage } from './flac-covers.ts'

const pageHeaderBytes = 27
const maxPages = 2000
const maxCommentBytes = 40 * 2 ** 20
const maxComments = 10_000
const pictureField = 'METADATA_BLOCK_PICTURE='

/** The pictures in the comments of Vorbis and Opus (RFC 7845 §5.2; the Vorbis I specification §5). */
export function oggCovers(file: FileReader): readonly Cover[] {
  const packet = secondPacket(file)
  const head = ['\u0003vorbis', 'OpusTags'].find((magic) =>
    packet.subarray(0, magic.length).equals(Buffer.from(magic, 'latin1')),
  )
  if (head === undefined) return []
  return commentsIn(packet, head.length).flatMap((comment) => {
    const field = comment.toString('latin1', 0, pictureField.length).toUpperCase()
    if (field !== pictureField) return []
    const text = comment.toString('latin1', pictureField.length)
    return flacImage(Buffer.from(text, 'base64')) ?? []
  })
}

/** The one with the comments, put together from pages (RFC 3533 §6). */
function secondPacket(file: FileReader): Buffer {
  const pieces: Buffer[] = []
  let size = 0
  let packets = 0
  let at = 0
  for (let count = 0; count < maxPages && size < maxCommentBytes; count += 1) {
    const header = file.read(at, pageHeaderBytes)
    if (header.length < pageHeaderBytes || header.toString('latin1', 0, 4) !== 'OggS') break
    const lengths = file.read(at + pageHeaderBytes, header.readUInt8(26))
    let start = at + pageHeaderBytes + lengths.length
    for (const length of lengths) {
      if (packets === 1) pieces.push(file.read(start, length))
      size += packets === 1 ? length : 0
      start += length
      // A shorter piece is the last of its packet.
      if (length < 255) packets += 1
      if (packets > 1) return Buffer.concat(pieces)
    }
    at = start
  }
  return Buffer.concat(pieces)
}

function commentsIn(packet: Buffer, start: number): readonly Buffer[] {
  const comments: Buffer[] = []
  const lengthAt = (at: number): number =>
    at + 4 <= packet.length ? packet.readUInt32LE(at) : Infinity
  const countAt = start + 4 + lengthAt(start)
  const count = Math.min(maxComments, lengthAt(countAt))
  let at = countAt + 4
  for (let index = 0; index < count; index += 1) {
    const end = at + 4 + lengthAt(at)
    if (!(end <= packet.length)) break
    comments.push(packet.subarray(at + 4, end))
    at = end
  }
  return comments
}
