import type { SfntTables } from './sfnt-tables.ts'

/** `nameID`s of the name table (OpenType 1.9): the typographic names come before the older ones. */
const familyIds = [16, 1] as const
const styleIds = [17, 2] as const
const windows = 3
const maxRecords = 1000
const maxLength = 60

export interface FontNames {
  readonly family: string
  readonly style: string
}

/** What a font calls itself; '' where it does not say. In English where it has that. */
export function fontNames(tables: SfntTables): FontNames {
  const table = tables.get('name')
  const names = table === undefined ? [] : namesIn(table)
  const textOf = (ids: readonly number[]): string =>
    ids.map((wanted) => names.find(({ id }) => id === wanted)?.text).find(Boolean) ?? ''
  return { family: textOf(familyIds), style: textOf(styleIds) }
}

interface Name {
  readonly id: number
  readonly text: string
}

/** Those for Windows, which are UTF-16; English first. */
function namesIn(table: Buffer): readonly Name[] {
  if (table.length < 6) return []
  const count = Math.min(maxRecords, table.readUInt16BE(2))
  const texts = table.readUInt16BE(4)
  const found: (Name & { readonly isEnglish: boolean })[] = []
  for (let index = 0; index < count; index += 1) {
    const at = 6 + index * 12
    if (at + 12 > table.length) break
    if (table.readUInt16BE(at) !== windows) continue
    const start = texts + table.readUInt16BE(at + 10)
    const bytes = table.subarray(start, start + table.readUInt16BE(at + 8))
    const isEnglish = table.readUInt16BE(at + 4) === 0x409
    found.push({ id: table.readUInt16BE(at + 6), text: textOf(bytes), isEnglish })
  }
  return found.toSorted((a, b) => Number(b.isEnglish) - Number(a.isEnglish))
}

const textOf = (bytes: Buffer): string =>
  new TextDecoder('utf-16be')
    .decode(bytes)
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, maxLength)
