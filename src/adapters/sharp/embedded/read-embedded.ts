import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

import type { EmbeddedMetadata } from '../../../ports/media/embedded-metadata.ts'
import {
  type EmbeddedFormat,
  type EmbeddedJob,
  UnrenderableImageError,
} from '../../../ports/media/renderer.ts'
import { heifPackets } from './heif-packets.ts'
import { iptcWords } from './iptc.ts'
import { jpegPackets } from './jpeg-packets.ts'
import { mergedWords, type SourcedWords } from './merged-words.ts'
import type { Packets } from './packets.ts'
import { type PagedBytes, PagedFile } from './paged-file.ts'
import { pngPackets } from './png-packets.ts'
import { svgWords } from './svg-words.ts'
import { tiffPackets } from './tiff/tiff-packets.ts'
import { gifPackets, webpPackets } from './webp-and-gif-packets.ts'
import { xmpWords } from './xmp.ts'

const packetsByFormat: Readonly<
  Record<Exclude<EmbeddedFormat, 'svg'>, (file: PagedBytes) => Packets>
> = {
  jpeg: jpegPackets,
  png: pngPackets,
  webp: webpPackets,
  gif: gifPackets,
  avif: heifPackets,
  tiff: tiffPackets,
}

/** What a file says of itself. No pixel is decoded, and nothing that it names is fetched. */
export async function readEmbedded({ path, format }: EmbeddedJob): Promise<EmbeddedMetadata> {
  if (format === 'svg') return mergedWords([{ source: 'svg', words: svgWords(readFileSync(path)) }])
  using file = new PagedFile(path)
  return mergedWords(wordsOf(soundPackets(file, packetsByFormat[format])))
}

/** Numbers in a damaged file lead anywhere: out of its bytes, or into more of them than are read. */
function soundPackets(file: PagedBytes, read: (file: PagedBytes) => Packets): Packets {
  try {
    return read(file)
  } catch (cause) {
    throw new UnrenderableImageError('damaged', 'must be whole and undamaged', { cause })
  }
}

/**
 * The more trustworthy first: XMP, unless the datasets were changed since both were written together
 * (Metadata Working Group, Guidelines 2.0 §3.4).
 */
function wordsOf({ xmp, iptc, iptcDigest }: Packets): readonly SourcedWords[] {
  const fromXmp = xmp ? [{ source: 'xmp', words: xmpWords(xmp) } as const] : []
  const fromIptc = iptc ? [{ source: 'iptc', words: iptcWords(iptc) } as const] : []
  const isNewer = iptc !== undefined && isOther(iptcDigest, iptc)
  return isNewer ? [...fromIptc, ...fromXmp] : [...fromXmp, ...fromIptc]
}

const isOther = (digest: Uint8Array | undefined, iptc: Uint8Array): boolean =>
  digest !== undefined &&
  digest.some((byte) => byte !== 0) &&
  !createHash('md5').update(iptc).digest().equals(digest)
