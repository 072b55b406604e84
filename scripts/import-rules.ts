import { houses, type House, type Row } from '../test/import-table.ts'
import { table } from './markdown.ts'

const begin = '<!-- import-table -->'
const end = '<!-- /import-table -->'

/** ARCHITECTURE.md with the import table, as the test holds it, between its two marks. */
export function withImportTable(page: string): string {
  const [before, rest] = page.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined)
    throw new Error(`ARCHITECTURE.md must have ${begin} and ${end}`)
  return [before.trimEnd(), begin, ...houses.map(houseText), end, after.trim()].join('\n\n')
}

function houseText({ about, rows }: House): string {
  const other = rows.length === 1 ? 'each' : 'every other'
  const cells = rows.map((row) => cellsOf(row, other))
  return [`**${about}**`, table(['room', 'may import', 'because'], cells)].join('\n\n')
}

const cellsOf = ({ rooms, mayImport, because = '' }: Row, other: string): readonly string[] => [
  rooms.map((room) => (room === '*' ? other : `\`${room}\``)).join(' '),
  mayImport === 'everything' ? 'everything' : mayImport.map(importText).join(' ') || 'nothing',
  because,
]

const importText = (entry: string): string =>
  entry.startsWith('types:') ? `types of \`${entry.slice('types:'.length)}\`` : `\`${entry}\``
