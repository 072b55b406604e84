/** Holds what git is to know of the files of a directory. No asset has that name, and no listing shows it. */
export const attributesName = '.gitattributes'

const ownAttributes = 'filter=lfs diff=lfs merge=lfs -text'

/**
 * The line that makes one file of the directory a large one. The slash keeps it from files of that name
 * further below, and from being a comment, a negation or a macro, whatever the name begins with.
 */
export const ownLine = (name: string): string => `${patternOf(name)} ${ownAttributes}`

/** The file that a line of ours is about; `undefined` of any other line. */
export function ownNameOf(line: string): string | undefined {
  if (!line.endsWith(` ${ownAttributes}`)) return undefined
  const pattern = line.slice(0, -ownAttributes.length - 1)
  const text = unquoted(pattern)
  if (text?.startsWith('/') !== true) return undefined
  const name = text.slice(1).replaceAll(/\\(.)/gu, '$1')
  return patternOf(name) === pattern ? name : undefined
}

interface SaidAttributes {
  readonly pattern: string
  readonly attributes: string
}

/** The two parts of a line of gitattributes(5), the pattern without quotes; `undefined` where it has none. */
export function patternAndAttributes(line: string): SaidAttributes | undefined {
  const text = line.replace(/^[ \t\r]+/u, '')
  if (text === '' || text.startsWith('#')) return undefined
  const end = text.startsWith('"') ? endOfQuoted(text) : text.search(/[ \t\r]/u)
  if (end < 1) return undefined
  const pattern = unquoted(text.slice(0, end))
  return pattern === undefined ? undefined : { pattern, attributes: text.slice(end).trim() }
}

/** The text of a file of attributes: all lines but ours of what it was, and then a line for each name. */
export function attributesText(former: string, names: Iterable<string>): string {
  const others = former
    .split('\n')
    .filter((line, index, lines) => line !== '' || index < lines.length - 1)
    .filter((line) => ownNameOf(line) === undefined)
  const own = [...names].sort().map(ownLine)
  return [...others, ...own].map((line) => `${line}\n`).join('')
}

function patternOf(name: string): string {
  const pattern = `/${name.replaceAll(/[\\*?[\]]/gu, String.raw`\$&`)}`
  return /\s/u.test(pattern) ? `"${pattern.replaceAll(/["\\]/gu, String.raw`\$&`)}"` : pattern
}

function endOfQuoted(text: string): number {
  for (let at = 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at + 1
  }
  return -1
}

const escapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

/** Without the quotes of C that git allows; `undefined` where they are not closed. Bytes in octal are text. */
function unquoted(text: string): string | undefined {
  if (!text.startsWith('"')) return text
  if (text.length < 2 || endOfQuoted(text) !== text.length) return undefined
  const bytes: Buffer[] = []
  for (const [part] of text.slice(1, -1).matchAll(/\\[0-3][0-7]{2}|\\.|[^\\]+/gsu))
    bytes.push(/^\\\d/u.test(part) ? octet(part) : Buffer.from(unescaped(part)))
  return Buffer.concat(bytes).toString()
}

const octet = (part: string): Buffer => Buffer.of(Number.parseInt(part.slice(1), 8))

const unescaped = (part: string): string =>
  part.startsWith('\\') ? (escapes[part.slice(1)] ?? part.slice(1)) : part
