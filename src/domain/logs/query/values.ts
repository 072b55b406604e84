import { fault, type WrittenTerm } from './read-terms.ts'

export type Test<T> = (value: T) => boolean

const comparisons: readonly (readonly [sign: string, holds: (a: number, b: number) => boolean])[] =
  [
    ['>=', (a, b) => a >= b],
    ['<=', (a, b) => a <= b],
    ['>', (a, b) => a > b],
    ['<', (a, b) => a < b],
  ]

const maxNumberLength = 15

/**
 * `404`, `>=400`, `400..499`, several separated by commas; a number may end in one of the `units`, which
 * multiply it. Throws a `QueryError` at what is none of these.
 */
export function numberTest(
  term: WrittenTerm,
  units: Readonly<Record<string, number>>,
): Test<number> {
  const tests = alternativesOf(term).map(({ text, position }) => {
    const comparison = comparisons.find(([sign]) => text.startsWith(sign))
    if (comparison !== undefined) {
      const [sign, holds] = comparison
      const at = position + sign.length
      const bound = readNumber(text.slice(sign.length), { at, units, term })
      return (value: number) => holds(value, bound)
    }
    const dots = text.indexOf('..')
    if (dots < 0) {
      const wanted = readNumber(text, { at: position, units, term })
      return (value: number) => value === wanted
    }
    const from = readNumber(text.slice(0, dots), { at: position, units, term })
    const to = readNumber(text.slice(dots + 2), { at: position + dots + 2, units, term })
    return (value: number) => value >= from && value <= to
  })
  return (value) => tests.some((test) => test(value))
}

/** As numbers, and `4xx` for a whole class. */
export function statusTest(term: WrittenTerm): Test<number> {
  const tests = alternativesOf(term).map(({ text, position }) =>
    /^[1-5]xx$/iu.test(text)
      ? (status: number) => Math.floor(status / 100) === Number(text[0])
      : numberTest({ ...term, value: text, valuePosition: position }, {}),
  )
  return (value) => tests.some((test) => test(value))
}

/** Whole texts, in which `*` stands for anything, several separated by commas; case counts only where it is said to. */
export function textTest(term: WrittenTerm, { isExact = false } = {}): Test<string> {
  const fold = isExact ? (text: string) => text : (text: string) => text.toLowerCase()
  const tests = alternativesOf(term).map(({ text }) => patternTest(fold(text).split('*')))
  return (value) => {
    const folded = fold(value)
    return tests.some((test) => test(folded))
  }
}

/** The one text that is meant, where it is just one. */
export const literalOf = ({ value }: WrittenTerm): string | undefined =>
  value.includes('*') || value.includes(',') ? undefined : value

const maxAlternatives = 20

function alternativesOf({ value, valuePosition }: WrittenTerm) {
  const parts = value.split(',')
  if (parts.length > maxAlternatives)
    throw fault(valuePosition, `must name at most ${maxAlternatives} at once`)
  let position = valuePosition
  return parts.map((text) => {
    const alternative = { text, position }
    position += text.length + 1
    return alternative
  })
}

/** The pieces in their order, each at the first place where it can be. */
function patternTest(pieces: readonly string[]): Test<string> {
  const [first = '', ...rest] = pieces
  const last = rest.pop()
  if (last === undefined) return (text) => text === first
  return (text) => {
    if (!text.startsWith(first) || text.length < first.length + last.length) return false
    let position = first.length
    for (const piece of rest) {
      const found = text.indexOf(piece, position)
      if (found < 0) return false
      position = found + piece.length
    }
    return text.length - last.length >= position && text.endsWith(last)
  }
}

interface NumberPlace {
  readonly at: number
  readonly units: Readonly<Record<string, number>>
  readonly term: WrittenTerm
}

function readNumber(text: string, { at, units, term }: NumberPlace): number {
  const [, digits, unit = ''] =
    text.length > maxNumberLength ? [] : (/^(\d+(?:\.\d+)?)([a-z]*)$/iu.exec(text) ?? [])
  const factor = unit === '' ? 1 : units[unit.toLowerCase()]
  if (digits === undefined || factor === undefined)
    throw fault(at, `must have a number after ${term.word}:, such as ${term.word}:>=100`)
  return Number(digits) * factor
}
