import type { RuleFile } from './rule-files.ts'

/** A piece of a line; `kind` says how it is coloured. */
export interface Piece {
  readonly text: string
  readonly kind: 'plain' | 'comment' | 'path' | 'name' | 'value' | 'status'
}

type Colouring = (line: string) => readonly Piece[]

/** A line of a rule file in its parts: together they are the line, letter by letter. */
export function piecesOf(file: RuleFile, line: string): readonly Piece[] {
  if (line.trimStart().startsWith('#')) return [{ text: line, kind: 'comment' }]
  return colourings[file](line)
}

const headers: Colouring = (line) => {
  if (/^\s*(?:\/|https:)/u.test(line)) return [{ text: line, kind: 'path' }]
  if (line.trimStart().startsWith('! ')) return [{ text: line, kind: 'name' }]
  const colon = line.indexOf(':')
  if (colon < 0) return [{ text: line, kind: 'plain' }]
  return [
    { text: line.slice(0, colon + 1), kind: 'name' },
    { text: line.slice(colon + 1), kind: 'value' },
  ]
}

const redirects: Colouring = (line) => words(line).map((text) => ({ text, kind: kindOfWord(text) }))

function kindOfWord(word: string): Piece['kind'] {
  if (word.startsWith('#')) return 'comment'
  if (word.startsWith('/') || word.startsWith('https:')) return 'path'
  if (/^\d{3}!?$/u.test(word)) return 'status'
  return word.includes('=') ? 'name' : 'plain'
}

const transforms: Colouring = (line) =>
  words(line).flatMap((text, place) => {
    const equals = text.indexOf('=')
    if (equals > 0)
      return [
        { text: text.slice(0, equals + 1), kind: 'name' as const },
        { text: text.slice(equals + 1), kind: 'value' as const },
      ]
    return [{ text, kind: place === 0 ? ('path' as const) : kindOfWord(text) }]
  })

const colourings: Readonly<Record<RuleFile, Colouring>> = {
  _headers: headers,
  _redirects: redirects,
  _transforms: transforms,
}

/** Words and the white space between them; from ` #` on it is one. */
function words(line: string): readonly string[] {
  const comment = line.search(/\s#/u)
  const said = comment < 0 ? line : line.slice(0, comment + 1)
  const rest = comment < 0 ? [] : [line.slice(comment + 1)]
  return [...said.split(/(?<=\s)(?=\S)|(?<=\S)(?=\s)/u), ...rest].filter((word) => word !== '')
}
