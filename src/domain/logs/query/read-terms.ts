/** One condition as it was written. Positions count characters from 0. */
export interface WrittenTerm {
  readonly position: number
  readonly isNegated: boolean
  /** `undefined` for free text. */
  readonly word: string | undefined
  readonly value: string
  readonly valuePosition: number
}

/** What is wrong with a query, and at which character. */
export interface QueryFault {
  readonly position: number
  readonly message: string
}

export class QueryError extends Error {
  override readonly name = 'QueryError'
  readonly fault: QueryFault

  constructor(fault: QueryFault) {
    super(fault.message)
    this.fault = fault
  }
}

const maxQueryLength = 500
const maxTerms = 20

/**
 * Takes `-word:value "free text" …` apart, in one pass. A word is of small letters; what is in quotes is
 * taken as it is. Throws {@link QueryError}.
 */
export function readTerms(text: string): readonly WrittenTerm[] {
  if (text.length > maxQueryLength)
    throw fault(maxQueryLength, `must be at most ${maxQueryLength} characters long`)
  const terms: WrittenTerm[] = []
  for (let position = skipSpaces(text, 0); position < text.length;) {
    if (terms.length === maxTerms) throw fault(position, `must have at most ${maxTerms} conditions`)
    const { term, end } = readTerm(text, position)
    terms.push(term)
    position = skipSpaces(text, end)
  }
  return terms
}

export const fault = (position: number, message: string): QueryError =>
  new QueryError({ position, message })

function readTerm(text: string, position: number): { term: WrittenTerm; end: number } {
  const isNegated = text[position] === '-' && !isSpace(text[position + 1])
  const start = position + (isNegated ? 1 : 0)
  const word = wordAt(text, start)
  const valuePosition = start + (word === undefined ? 0 : word.length + 1)
  const { value, end } = readValue(text, valuePosition)
  if (word !== undefined && value === '')
    throw fault(valuePosition, `must say something after ${word}:`)
  return { term: { position, isNegated, word, value, valuePosition }, end }
}

const maxWordLength = 20

/** The word before a colon; the scheme of a URL is none. */
function wordAt(text: string, start: number): string | undefined {
  const [word] =
    /^[a-z]{1,20}(?=:(?!\/\/))/u.exec(text.slice(start, start + maxWordLength + 3)) ?? []
  return word
}

function readValue(text: string, start: number): { value: string; end: number } {
  if (text[start] === '"') {
    const close = text.indexOf('"', start + 1)
    if (close < 0) throw fault(start, 'must close the quotes that it opens')
    return { value: text.slice(start + 1, close), end: close + 1 }
  }
  let end = start
  while (end < text.length && !isSpace(text[end])) end += 1
  return { value: text.slice(start, end), end }
}

function skipSpaces(text: string, start: number): number {
  let position = start
  while (isSpace(text[position])) position += 1
  return position
}

const isSpace = (character: string | undefined): boolean =>
  character === ' ' || character === '\t' || character === '\n' || character === '\u00a0'
