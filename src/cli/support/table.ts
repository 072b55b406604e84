/** Text of others, with nothing in it that a terminal obeys. */
export const printable = (text: string): string =>
  text.replaceAll(/\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')

/** How many columns of a terminal it takes; Node does not know. */
const widthOf = (text: string): number =>
  typeof Bun === 'undefined' ? text.length : Bun.stringWidth(text)

type Cell = string | number

/** Numbers, sizes and shares. */
const figure = /^[\d.]+(?: ?(?:B|KB|MB|GB|%))?$/u

/** Rows below their head, in columns; figures to the right. */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const texts = [head, ...rows.map((row) => row.map((cell) => printable(String(cell))))]
  const widths = head.map((_, column) =>
    Math.max(...texts.map((row) => widthOf(row[column] ?? ''))),
  )
  const isFigure = head.map((_, column) =>
    rows.every((row) => row[column] === '' || figure.test(String(row[column]))),
  )
  const lineOf = (row: readonly string[]) =>
    widths
      .map((width, column) => {
        const text = row[column] ?? ''
        const room = ' '.repeat(width - widthOf(text))
        return isFigure[column] === true ? room + text : text + room
      })
      .join('  ')
      .trimEnd()
  return texts.map((row) => `${lineOf(row)}\n`).join('')
}
