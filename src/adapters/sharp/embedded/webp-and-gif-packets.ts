import { latin1, type PagedBytes, uint32 } from './paged-file.ts'
import { maxPacketBytes, maxParts, type Packets } from './packets.ts'

/** The chunk `XMP ` of the extended format (RFC 9649 §2.7.1.5). */
export function webpPackets(file: PagedBytes): Packets {
  let at = 12
  for (let count = 0; count < maxParts; count += 1) {
    const head = file.bytes(at, 8)
    if (head.length < 8) return {}
    const length = uint32(head.subarray(4, 8).toReversed(), 0)
    if (latin1(head.subarray(0, 4)) === 'XMP ' && length <= maxPacketBytes)
      return { xmp: file.bytes(at + 8, length) }
    at += 8 + length + (length % 2)
  }
  return {}
}

const [extension, application, image] = [0x21, 0xff, 0x2c]
/** After the packet: bytes that lead whoever takes it for sub-blocks to their end. */
const trailerBytes = 257

/** An application extension whose data are no sub-blocks (XMP part 3 §1.1.2). */
export function gifPackets(file: PagedBytes): Packets {
  let at = 13 + colourTableBytes(file.bytes(10, 1)[0] ?? 0)
  for (let count = 0; count < maxParts; count += 1) {
    const head = file.bytes(at, 14)
    if (head[0] === extension) {
      const isXmp = head[1] === application && latin1(head.subarray(3, 14)) === 'XMP DataXMP'
      const start = isXmp ? at + 14 : at + 2
      const end = endOfSubBlocks(file, start)
      if (isXmp) return { xmp: xmpBetween(file, start, end) }
      at = end
    } else if (head[0] === image)
      at = endOfSubBlocks(file, at + 11 + colourTableBytes(head[9] ?? 0))
    else return {}
  }
  return {}
}

const colourTableBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

function xmpBetween(file: PagedBytes, start: number, end: number): Uint8Array | undefined {
  const length = end - start - trailerBytes
  return length > 0 && length <= maxPacketBytes ? file.bytes(start, length) : undefined
}

function endOfSubBlocks(file: PagedBytes, start: number): number {
  let at = start
  for (;;) {
    const length = file.bytes(at, 1)[0] ?? 0
    at += 1 + length
    if (length === 0) return at
  }
}
