import type { SfntTables } from './sfnt-tables.ts'

const maxEncodings = 64
const maxGroups = 20_000

interface Range {
  readonly first: number
  readonly last: number
}

/** Ranges of characters that a font has letters for, as it says in formats 4 and 12 of `cmap` (OpenType 1.9). */
export function characterRanges(tables: SfntTables): readonly Range[] {
  const table = tables.get('cmap')
  if (table === undefined || table.length < 4) return []
  const count = Math.min(maxEncodings, table.readUInt16BE(2))
  const starts = Array.from({ length: count }, (_, index) => 4 + index * 8)
    .filter((at) => at + 8 <= table.length)
    .map((at) => table.readUInt32BE(at + 4))
  const ranges = starts.map((start) => rangesOf(table.subarray(start)))
  return ranges.toSorted((a, b) => b.length - a.length)[0] ?? []
}

function rangesOf(map: Buffer): readonly Range[] {
  if (map.length < 16) return []
  const format = map.readUInt16BE(0)
  if (format === 4) return segments(map)
  return format === 12 ? groups(map) : []
}

function segments(map: Buffer): readonly Range[] {
  const doubled = map.readUInt16BE(6)
  const ranges: Range[] = []
  for (let at = 0; at < doubled && 16 + doubled + at + 2 <= map.length; at += 2) {
    const last = map.readUInt16BE(14 + at)
    // The last segment only marks the end.
    if (last !== 0xffff) ranges.push({ first: map.readUInt16BE(16 + doubled + at), last })
  }
  return ranges
}

function groups(map: Buffer): readonly Range[] {
  const count = Math.min(maxGroups, map.readUInt32BE(12))
  const ranges: Range[] = []
  for (let index = 0; index < count && 16 + index * 12 + 12 <= map.length; index += 1)
    ranges.push({
      first: map.readUInt32BE(16 + index * 12),
      last: map.readUInt32BE(20 + index * 12),
    })
  return ranges
}

/** Whether a font has a letter for every character of a text. */
export const canWrite = (ranges: readonly Range[], text: string): boolean =>
  Array.from(text).every((letter) => {
    const code = letter.codePointAt(0) ?? 0
    return letter === ' ' || ranges.some(({ first, last }) => first <= code && code <= last)
  })

/** The first characters that a font has which can be seen: of a font of icons its icons. */
export function firstLetters(ranges: readonly Range[], count: number): string {
  const letters: string[] = []
  let looks = 0
  for (const { first, last } of ranges)
    for (let code = first; code <= last && letters.length < count; code += 1) {
      looks += 1
      if (looks > maxLooks) return letters.join(' ')
      if (isSeen(code)) letters.push(String.fromCodePoint(code))
    }
  return letters.join(' ')
}
/** A font may say that it has letters for four thousand million characters. */
const maxLooks = 100_000

function isSeen(code: number): boolean {
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return false
  // Characters for private use are what icons are.
  return /[^\p{Cc}\p{Cf}\p{Cn}\p{Z}]/u.test(String.fromCodePoint(code))
}
