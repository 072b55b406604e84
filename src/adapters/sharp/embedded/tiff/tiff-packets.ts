import type { PagedBytes } from '../paged-file.ts'
import type { Packets } from '../packets.ts'
import { photoshopPackets } from '../photoshop-resources.ts'
import { tiffFields } from './tiff-fields.ts'

const [xmpTag, iptcTag, photoshopTag] = [700, 33_723, 34_377]

const wanted: ReadonlySet<number> = new Set([xmpTag, iptcTag, photoshopTag])

/** Of the first image file directory. */
export function tiffPackets(file: PagedBytes): Packets {
  const fields = tiffFields(file, wanted)
  const photoshop = photoshopPackets(fields.get(photoshopTag) ?? new Uint8Array(0))
  const iptc = fields.get(iptcTag) ?? photoshop.iptc
  return { xmp: fields.get(xmpTag), iptc, iptcDigest: photoshop.iptcDigest }
}
