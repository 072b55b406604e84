import { latin1, type PagedBytes, uint16, uint32 } from '../paged-file.ts'
import { maxParts } from '../packets.ts'

const [startOfScan, endOfImage] = [0xda, 0xd9]

/** Segments before the first scan, without their heads (ITU-T T.81 §B.1.1). */
export function* jpegSegments(file: PagedBytes) {
  let at = 2
  for (let count = 0; count < maxParts; count += 1) {
    const head = file.bytes(at, 4)
    const marker = head[1] ?? endOfImage
    if (head[0] !== 0xff || marker === startOfScan || marker === endOfImage) return
    // Bytes that fill up before a marker (§B.1.1.2).
    if (marker === 0xff) {
      at += 1
      continue
    }
    const length = uint16(head, 2)
    if (length < 2) return
    yield { marker, start: at + 4, length: length - 2 }
    at += 2 + length
  }
}

/** Chunks, without their heads (PNG §5.3). */
export function* pngChunks(file: PagedBytes) {
  let at = 8
  for (let count = 0; count < maxParts; count += 1) {
    const head = file.bytes(at, 8)
    if (head.length < 8) return
    const length = uint32(head, 0)
    yield { type: latin1(head.subarray(4, 8)), start: at + 8, length }
    at += 12 + length
  }
}

/** Chunks, without their heads (RFC 9649 §2.3). */
export function* riffChunks(file: PagedBytes) {
  let at = 12
  for (let count = 0; count < maxParts; count += 1) {
    const head = file.bytes(at, 8)
    if (head.length < 8) return
    const length = uint32(head.subarray(4, 8).toReversed(), 0)
    yield { type: latin1(head.subarray(0, 4)), start: at + 8, length }
    at += 8 + length + (length % 2)
  }
}
