import { parseExpression, type Part } from './parse-expression.ts'

/** A text of any length: something repeated, and what is around it. */
export interface HostileText {
  readonly before: string
  readonly repeated: string
  readonly after: string
}

export const textOf = ({ before, repeated, after }: HostileText, length: number): string =>
  before + repeated.repeat(Math.ceil(length / repeated.length)).slice(0, length) + after

/** What is repeated at most so often takes no time. */
const harmlessRepeats = 20
const maxLetters = 20
const maxRoads = 8
const endings = ['', 'a', '!', '\n', '\u0000']

/**
 * Texts made to have an expression go back and forth: what leads to each of its repetitions, then what is
 * repeated there again and again, or letters it knows in pairs, then something that does not fit.
 */
export function* hostileTexts(source: string): Generator<HostileText> {
  const expression = parseExpression(source)
  const letters = lettersOf(expression).slice(0, maxLetters)
  const pairs = letters.flatMap((one) => letters.map((other) => one + other))
  const places = [
    ...new Map(placesIn(expression, '').map((place) => [keyOf(place), place])).values(),
  ]
  const starts = new Set(['', 'a', ...places.map(({ before }) => before)])
  const pieces = new Set([
    ...letters,
    ...pairs,
    ...samplesOf(expression),
    ...places.map(({ repeated }) => repeated),
  ])
  const roads = [...starts].slice(0, maxRoads)
  for (const before of roads) for (const repeated of pieces) yield* ended({ before, repeated })
  for (const place of places) yield* ended(place)
}

function* ended(place: Place): Generator<HostileText> {
  if (place.repeated !== '') for (const after of endings) yield { ...place, after }
}

interface Place {
  readonly before: string
  readonly repeated: string
}

const keyOf = ({ before, repeated }: Place): string => `${before}\n\n${repeated}`

/** Where something may be repeated without end, and what leads there. */
function placesIn(part: Part, before: string): readonly Place[] {
  if (part.kind === 'choice') return part.parts.flatMap((each) => placesIn(each, before))
  if (part.kind === 'sequence') {
    let road = before
    return part.parts.flatMap((each) => {
      const places = placesIn(each, road)
      road += samplesOf(each)[0] ?? ''
      return places
    })
  }
  if (part.kind !== 'repeated') return []
  const inside = placesIn(part.part, before)
  if (part.atMost <= harmlessRepeats) return inside
  return [...inside, ...samplesOf(part.part).map((repeated) => ({ before, repeated }))]
}

/** Short texts that fit a part; the first takes the first way everywhere. */
function samplesOf(part: Part): readonly string[] {
  if (part.kind === 'letters') return part.letters
  if (part.kind === 'choice') return part.parts.flatMap((each) => samplesOf(each).slice(0, 2))
  if (part.kind === 'repeated')
    return samplesOf(part.part).map((each) => each.repeat(Math.max(1, Math.min(part.atLeast, 64))))
  let samples = ['']
  for (const each of part.parts) {
    const next = samplesOf(each)
    if (next.length === 0) continue
    samples = next
      .slice(0, 3)
      .flatMap((end) => samples.slice(0, 4).map((start) => start + end))
      .slice(0, 12)
  }
  return samples
}

/** The letters an expression tells apart, each once. */
function lettersOf(part: Part): readonly string[] {
  if (part.kind === 'letters') return part.letters
  if (part.kind === 'repeated') return lettersOf(part.part)
  return [...new Set(part.parts.flatMap(lettersOf))]
}
