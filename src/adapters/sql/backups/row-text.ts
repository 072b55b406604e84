/** A cell as JSON has it: bytes as their base64 under a name of their own. */
type Cell = string | number | null | { readonly base64: string }

/** A row as a line: its cells in the order of the columns. */
export const rowLine = (row: Readonly<Record<string, unknown>>, columns: readonly string[]) =>
  `${JSON.stringify(columns.map((name) => cellOf(row[name])))}\n`

export function readRowLine(
  line: string,
  columns: readonly string[],
): Readonly<Record<string, unknown>> {
  const cells = JSON.parse(line) as readonly Cell[]
  return Object.fromEntries(columns.map((name, index) => [name, valueOf(cells[index] ?? null)]))
}

function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') }
  if (typeof value === 'string' || typeof value === 'number') return value
  if (typeof value === 'boolean') return Number(value)
  throw new Error(`A ${typeof value} is in the database, which no backup holds`)
}

const valueOf = (cell: Cell): string | number | null | Uint8Array =>
  typeof cell === 'object' && cell !== null ? Uint8Array.fromBase64(cell.base64) : cell
