import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import decompress from 'woff2-encoder/decompress'

import { UnrenderableImageError } from '../../../ports/media/renderer.ts'
import { encodePng } from '../encode-still.ts'
import type { MakeStill } from '../still-messages.ts'
import { canWrite, characterRanges, firstLetters } from './font-letters.ts'
import { fontNames } from './font-names.ts'
import { sfntTables, unpackWoff } from './sfnt-tables.ts'

const size = { width: 1200, height: 800 } as const
const margin = 70
const latin = 'ABCDEFGHIJKLM NOPQRSTUVWXYZ abcdefghijklm nopqrstuvwxyz 0123456789'
/** In one line each, the largest first; in points at 72 to the inch, which are pixels. */
const lines = [
  { height: 150, y: 80 },
  { height: 60, y: 270 },
  { height: 60, y: 360 },
  { height: 60, y: 450 },
  { height: 60, y: 540 },
  { height: 60, y: 630 },
] as const
const lettersOfIcons = 45

/** A specimen of a font: its name and its letters, written in it; of a font of icons its first ones. */
export const makeFontSpecimen: MakeStill = async ({ path, scratch }) => {
  const font = await bareFont(await readFile(path))
  const directory = await installAlone(font, scratch)
  const texts = specimenOf(font)
  if (texts.length === 0) return { outcome: 'none' }
  const written: { readonly input: Uint8Array; readonly left: number; readonly top: number }[] = []
  for (const [index, text] of texts.slice(0, lines.length).entries()) {
    const { height, y } = lines[index] ?? lines[0]
    const input = await encodePng(writing(text, height, directory))
    written.push({ input, left: margin, top: y })
  }
  const sheet = sharp({ create: { ...size, channels: 3, background: '#ffffff' } })
  const bytes = await encodePng(sheet.composite(written.map(toBuffer)))
  return { outcome: 'made', bytes, format: 'png' }
}

const toBuffer = <T extends { readonly input: Uint8Array }>(each: T) => ({
  ...each,
  input: Buffer.from(each.input),
})

/** As FreeType reads it: of web fonts what they were packed from. */
async function bareFont(bytes: Buffer): Promise<Buffer> {
  const magic = bytes.toString('latin1', 0, 4)
  if (magic === 'wOFF') return unpackWoff(bytes)
  if (magic !== 'wOF2') return bytes
  // The size that it says it has (WOFF 2.0 §4.1).
  if (bytes.readUInt32BE(16) > maxFontBytes)
    throw new UnrenderableImageError('too-much-memory', 'must be smaller when it is unpacked')
  return Buffer.from(await decompress(bytes))
}
const maxFontBytes = 64 * 2 ** 20

/** The only font that there is: what it has no letter for is seen as a box, not in another font. */
async function installAlone(font: Buffer, scratch: string): Promise<string> {
  const file = join(scratch, 'specimen.ttf')
  await writeFile(file, font)
  await writeFile(
    join(scratch, 'fonts.conf'),
    `<?xml version="1.0"?><fontconfig><dir>${scratch}</dir><cachedir>${scratch}/fontconfig</cachedir></fontconfig>`,
  )
  return file
}

function specimenOf(font: Buffer): readonly string[] {
  const tables = sfntTables(font)
  const ranges = characterRanges(tables)
  const { family, style } = fontNames(tables)
  const isLatin = canWrite(ranges, latin)
  const title = [`${family} ${style}`, family, 'Aa'].find(
    (text) => text.trim() !== '' && canWrite(ranges, text),
  )
  const letters = isLatin ? latin.split(' ') : inLines(firstLetters(ranges, lettersOfIcons))
  return [title ?? firstLetters(ranges, 3), ...letters].filter((text) => text !== '')
}

const perLine = 18
const inLines = (letters: string): readonly string[] =>
  Array.from({ length: 5 }, (_, index) =>
    letters.slice(index * perLine, (index + 1) * perLine),
  ).map((line) => line.trim())

/** Black on white, scaled to its line, and never wider than the sheet. */
function writing(text: string, height: number, fontfile: string): Sharp {
  const markup = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const written = sharp({ text: { text: markup, fontfile, font: 'sans 80', dpi: 72 } })
  const box = { width: size.width - 2 * margin, height, fit: 'inside' } as const
  return written.resize(box).negate()
}
