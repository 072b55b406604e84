/** Of text that a spreadsheet would take for a formula it gets an apostrophe. */
const guarded = (text: string): string => (/^[=+\-@\t\r]/u.test(text) ? `'${text}` : text)

const cell = (value: string | number | null | undefined): string => {
  const text = typeof value === 'string' ? guarded(value) : String(value ?? '')
  return /[",\n\r]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** RFC 4180, with a head. */
export const csvOf = (
  head: readonly string[],
  rows: readonly (readonly (string | number | null | undefined)[])[],
): string => [head, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')

/** Has the browser save a text as a file. */
export function saveText(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), savedWithinMs)
}

const savedWithinMs = 60_000
