/**
 * A text from outside as Markdown code: whoever renders an answer as Markdown finds no link, no tag and no
 * emphasis in it, whatever a file is called.
 */
export function quoted(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/gu) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${fence}${pad}${text}${pad}${fence}`
}

/** A name of letters, digits, blanks and dashes says nothing in Markdown, and needs no quotes. */
export const isPlain = (name: string): boolean => /^[\p{L}\p{N} -]+$/u.test(name)

/** A name in a sentence: quoted where it is not plain. */
export const named = (name: string): string => (isPlain(name) ? name : quoted(name))
