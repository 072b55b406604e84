type Cell = string | number | null

/** Comma-separated values (RFC 4180) with a first line of names. */
export const csv = (names: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [names, ...rows].map((cells) => `${cells.map(cellText).join(',')}\r\n`).join('')

/** What a table calculation would take for a formula gets a quotation mark before it, as OWASP advises. */
function cellText(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const text = /^[=+\-@\t\r]/u.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
