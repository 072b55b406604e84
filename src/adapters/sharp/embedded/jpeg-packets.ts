import { jpegSegments } from './carried/file-parts.ts'
import { latin1, type PagedBytes } from './paged-file.ts'
import { maxPacketBytes, type Packets } from './packets.ts'
import { photoshopPackets } from './photoshop-resources.ts'

const xmpName = 'http://ns.adobe.com/xap/1.0/\0'
const photoshopName = 'Photoshop 3.0\0'
const [app1, app13] = [0xe1, 0xed]

/** Application segments before the first scan (ITU-T T.81 §B.2.4.6). */
export function jpegPackets(file: PagedBytes): Packets {
  let xmp: Uint8Array | undefined
  const resources: Uint8Array[] = []
  let resourceBytes = 0
  for (const { marker, start, length } of jpegSegments(file)) {
    if (marker !== app1 && marker !== app13) continue
    const body = file.bytes(start, length)
    if (marker === app1 && startsWith(body, xmpName)) xmp ??= body.slice(xmpName.length)
    if (marker !== app13 || !startsWith(body, photoshopName)) continue
    // What does not fit in one segment goes on in the next.
    const part = body.slice(photoshopName.length)
    resourceBytes += part.length
    if (resourceBytes <= maxPacketBytes) resources.push(part)
  }
  return { xmp, ...photoshopPackets(Buffer.concat(resources)) }
}

const startsWith = (bytes: Uint8Array, text: string): boolean =>
  latin1(bytes.subarray(0, text.length)) === text
