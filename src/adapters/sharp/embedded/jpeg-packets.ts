import { latin1, type PagedBytes, uint16 } from './paged-file.ts'
import { maxPacketBytes, maxParts, type Packets } from './packets.ts'
import { photoshopPackets } from './photoshop-resources.ts'

const xmpName = 'http://ns.adobe.com/xap/1.0/\0'
const photoshopName = 'Photoshop 3.0\0'
const [app1, app13, startOfScan, endOfImage] = [0xe1, 0xed, 0xda, 0xd9]

/** Application segments before the first scan (ITU-T T.81 §B.2.4.6). */
export function jpegPackets(file: PagedBytes): Packets {
  let xmp: Uint8Array | undefined
  const resources: Uint8Array[] = []
  let resourceBytes = 0
  for (const { marker, body } of segments(file)) {
    if (marker === app1 && startsWith(body, xmpName)) xmp ??= body.slice(xmpName.length)
    if (marker !== app13 || !startsWith(body, photoshopName)) continue
    // What does not fit in one segment goes on in the next.
    const part = body.slice(photoshopName.length)
    resourceBytes += part.length
    if (resourceBytes <= maxPacketBytes) resources.push(part)
  }
  return { xmp, ...photoshopPackets(Buffer.concat(resources)) }
}

function* segments(file: PagedBytes) {
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
    if (marker === app1 || marker === app13) yield { marker, body: file.bytes(at + 4, length - 2) }
    at += 2 + length
  }
}

const startsWith = (bytes: Uint8Array, text: string): boolean =>
  latin1(bytes.subarray(0, text.length)) === text
