import { type Matches, PatternError, type PatternNode, readPattern } from './pattern-reader.ts'

/**
 * Regular expressions of others that can hang nobody: each character of a text costs at most one look at
 * every part of the pattern. What needs more than that (backreferences, looking ahead or behind) is
 * refused when the pattern is read, not found out when a text is.
 */
export interface LinearPattern {
  /** How many parts it has; testing a text takes at most about so many steps a character. */
  readonly size: number
  /** Whether it matches anywhere in the text, as JSON Schema asks of `pattern`. */
  test(text: string): boolean
}

const maxPatternLength = 512
const maxParts = 2_000
const maxWritten = 20_000

type Part =
  | { readonly kind: 'match'; readonly matches: Matches; next: number }
  | { readonly kind: 'split'; next: number; other: number }
  | { readonly kind: 'start' | 'end'; readonly next: number }
  | { readonly kind: 'accept' }

export function compilePattern(source: string): LinearPattern {
  if (source.length > maxPatternLength)
    throw new PatternError(`has more than ${maxPatternLength} characters`)
  const writer = new Writer()
  const start = writer.write(readPattern(source), 0)
  const { parts } = writer
  return { size: parts.length, test: (text) => run(parts, start, text) }
}

/** Writes repetitions out, from the end to the beginning. */
class Writer {
  readonly parts: Part[] = [{ kind: 'accept' }]
  #written = 0

  /** Adds the parts of `node`, which go on at `next`. Answers where they begin. */
  write(node: PatternNode, next: number): number {
    this.#written += 1
    // What adds no part, written out often enough, takes its time as well.
    if (this.#written > maxWritten || this.parts.length > maxParts)
      throw new PatternError('is too large once repetitions are written out')
    if (node.kind === 'match') return this.#add({ kind: 'match', matches: node.matches, next })
    if (node.kind === 'start' || node.kind === 'end') return this.#add({ kind: node.kind, next })
    if (node.kind === 'repeat') return this.#repeat(node, next)
    if (node.kind === 'sequence')
      return node.of.reduceRight((after, each) => this.write(each, after), next)
    return node.of
      .map((each) => this.write(each, next))
      .reduceRight((other, first) => this.#add({ kind: 'split', next: first, other }))
  }

  #repeat({ of, min, max }: Extract<PatternNode, { kind: 'repeat' }>, next: number): number {
    let after = max === Number.POSITIVE_INFINITY ? this.#loop(of, next) : next
    for (let count = min; count < max && max !== Number.POSITIVE_INFINITY; count += 1)
      after = this.#add({ kind: 'split', next: this.write(of, after), other: next })
    for (let count = 0; count < min; count += 1) after = this.write(of, after)
    return after
  }

  #loop(of: PatternNode, next: number): number {
    const split = { kind: 'split' as const, next: -1, other: next }
    const place = this.#add(split)
    split.next = this.write(of, place)
    return place
  }

  #add(part: Part): number {
    return this.parts.push(part) - 1
  }
}

/** All ways at once: a set of places, never one way after another. */
function run(parts: readonly Part[], start: number, text: string): boolean {
  const places = createPlaces(parts)
  let position = 0
  for (const character of text) {
    places.add(start, { isStart: position === 0, isEnd: false })
    if (places.isAccepted) return true
    places.step(character.codePointAt(0) ?? 0, position + character.length === text.length)
    position += character.length
  }
  places.add(start, { isStart: position === 0, isEnd: true })
  return places.isAccepted
}

interface Where {
  readonly isStart: boolean
  readonly isEnd: boolean
}

function createPlaces(parts: readonly Part[]) {
  let current = new Set<number>()
  let isAccepted = false

  function add(place: number, where: Where, to = current): void {
    const open = [place]
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const part = parts[at]
      if (part === undefined || to.has(at)) continue
      to.add(at)
      isAccepted ||= part.kind === 'accept'
      open.push(...withoutReading(part, where))
    }
  }

  return {
    get isAccepted() {
      return isAccepted
    },
    add: (place: number, where: Where) => add(place, where),
    step(codePoint: number, isEnd: boolean): void {
      const next = new Set<number>()
      for (const place of current) {
        const part = parts[place]
        if (part?.kind === 'match' && part.matches(codePoint))
          add(part.next, { isStart: false, isEnd }, next)
      }
      current = next
    },
  }
}

/** Where a part leads before the next character is looked at. */
function withoutReading(part: Part, { isStart, isEnd }: Where): readonly number[] {
  if (part.kind === 'split') return [part.next, part.other]
  const isHere = (part.kind === 'start' && isStart) || (part.kind === 'end' && isEnd)
  return isHere ? [part.next] : []
}
