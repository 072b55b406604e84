import { latin1, uint16, uint32 } from './paged-file.ts'
import type { Packets } from './packets.ts'

const iptcResource = 0x0404
const digestResource = 0x0425
const maxResources = 500

/** What image resources of Photoshop hold of IPTC (Adobe Photoshop File Formats, Image Resources). */
export function photoshopPackets(resources: Uint8Array): Packets {
  let iptc: Uint8Array | undefined
  let iptcDigest: Uint8Array | undefined
  let at = 0
  for (let count = 0; count < maxResources && at + 12 <= resources.length; count += 1) {
    if (latin1(resources.subarray(at, at + 4)) !== '8BIM') break
    const id = uint16(resources, at + 4)
    // Its name: a length and so many characters, together an even number.
    const nameBytes = 2 * Math.ceil((1 + (resources[at + 6] ?? 0)) / 2)
    const start = at + 6 + nameBytes + 4
    const end = start + uint32(resources, start - 4)
    if (end > resources.length) break
    if (id === iptcResource) iptc ??= resources.slice(start, end)
    if (id === digestResource) iptcDigest ??= resources.slice(start, end)
    at = end + ((end - start) % 2)
  }
  return { iptc, iptcDigest }
}
