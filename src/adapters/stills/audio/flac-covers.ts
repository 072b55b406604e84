import type { FileReader } from '../file-reader.ts'
import type { Cover } from './cover.ts'

const pictureBlock = 6
const maxBlocks = 200

/** The pictures of a FLAC file that begins at `start` (RFC 9639 §8). */
export function flacCovers(file: FileReader, start: number): readonly Cover[] {
  const covers: Cover[] = []
  let at = start + 'fLaC'.length
  for (let count = 0; count < maxBlocks; count += 1) {
    const header = file.read(at, 4)
    if (header.length < 4) break
    const kind = header.readUInt8(0)
    const length = header.readUIntBE(1, 3)
    if ((kind & 0x7f) === pictureBlock) {
      const cover = flacImage(file.read(at + 4, length))
      if (cover !== undefined) covers.push(cover)
    }
    if (kind >= 0x80) break
    at += 4 + length
  }
  return covers
}

/** A picture as FLAC has it, and Ogg in its comments (RFC 9639 §8.8). */
export function flacImage(block: Buffer): Cover | undefined {
  if (block.length < 32) return undefined
  const mediaTypeLength = block.readUInt32BE(4)
  const descriptionAt = 8 + mediaTypeLength
  if (descriptionAt + 4 > block.length) return undefined
  // Width, height, depth and number of colours are told by the picture itself.
  const lengthAt = descriptionAt + 4 + block.readUInt32BE(descriptionAt) + 16
  if (lengthAt + 4 > block.length) return undefined
  const bytesAt = lengthAt + 4
  return {
    of: block.readUInt32BE(0),
    bytes: block.subarray(bytesAt, bytesAt + block.readUInt32BE(lengthAt)),
  }
}
