import { inflateSync } from 'node:zlib'

import { pngChunks } from './carried/file-parts.ts'
import { latin1, type PagedBytes } from './paged-file.ts'
import { maxPacketBytes, type Packets } from './packets.ts'
import { photoshopPackets } from './photoshop-resources.ts'

const xmpKeyword = 'XML:com.adobe.xmp'
const iptcKeyword = 'Raw profile type iptc'

/** Textual chunks (PNG §11.3.3), which may come after the pixels. */
export function pngPackets(file: PagedBytes): Packets {
  let xmp: Uint8Array | undefined
  let iptc: Packets = {}
  for (const { type, body } of textChunks(file)) {
    const end = body.indexOf(0)
    const keyword = latin1(body.subarray(0, end))
    const rest = body.subarray(end + 1)
    if (type === 'iTXt' && keyword === xmpKeyword) xmp ??= internationalText(rest)
    if (keyword === iptcKeyword) iptc = rawProfile(textOf(type, rest))
  }
  return { ...iptc, xmp }
}

function* textChunks(file: PagedBytes) {
  for (const { type, start, length } of pngChunks(file)) {
    if (type === 'IEND') return
    if (/^(?:iTXt|tEXt|zTXt)$/u.test(type) && length <= maxPacketBytes)
      yield { type, body: file.bytes(start, length) }
  }
}

/** After the keyword: whether it is compressed, how, a language, the keyword translated, the text. */
function internationalText(bytes: Uint8Array): Uint8Array {
  const isCompressed = bytes[0] === 1
  const language = bytes.indexOf(0, 2)
  const text = bytes.subarray(bytes.indexOf(0, language + 1) + 1)
  return isCompressed ? inflated(text) : text
}

function textOf(type: string, bytes: Uint8Array): string {
  if (type === 'zTXt') return latin1(inflated(bytes.subarray(1)))
  return latin1(type === 'iTXt' ? internationalText(bytes) : bytes)
}

const inflated = (bytes: Uint8Array): Uint8Array =>
  inflateSync(bytes, { maxOutputLength: maxPacketBytes })

/** As ImageMagick writes it: a name, a length, and hex digits. */
function rawProfile(text: string): Packets {
  const digits = /^\s*iptc[^\n]*\n\s*\d+\s+/iu.exec(text.slice(0, 100))
  if (digits === null) return {}
  const bytes = Buffer.from(text.slice(digits[0].length).replaceAll(/\s/gu, ''), 'hex')
  return latin1(bytes.subarray(0, 4)) === '8BIM' ? photoshopPackets(bytes) : { iptc: bytes }
}
