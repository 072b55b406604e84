/** What is no pattern, or none of these. The message says why. */
export class PatternError extends Error {
  override readonly name = 'PatternError'
}

export type Matches = (codePoint: number) => boolean

/** A tree of what was read, which repetition copies. */
export type PatternNode =
  | { readonly kind: 'match'; readonly matches: Matches }
  | { readonly kind: 'start' }
  | { readonly kind: 'end' }
  | { readonly kind: 'sequence' | 'choice'; readonly of: readonly PatternNode[] }
  | {
      readonly kind: 'repeat'
      readonly of: PatternNode
      readonly min: number
      readonly max: number
    }

/** Throws a {@link PatternError}. */
export const readPattern = (source: string): PatternNode => new Reader(source).read()

const isDigit: Matches = (code) => code >= 0x30 && code <= 0x39
const isWord: Matches = (code) =>
  isDigit(code) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code === 0x5f
const isSpace: Matches = (code) => /^\s$/u.test(String.fromCodePoint(code))
const isAny: Matches = (code) => ![0x0a, 0x0d, 0x20_28, 0x20_29].includes(code)
const not =
  (matches: Matches): Matches =>
  (code) =>
    !matches(code)
const one =
  (wanted: number): Matches =>
  (code) =>
    code === wanted

const classes: Readonly<Record<string, Matches>> = {
  d: isDigit,
  D: not(isDigit),
  w: isWord,
  W: not(isWord),
  s: isSpace,
  S: not(isSpace),
}
const controls: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11, '0': 0 }
const punctuation = /^[\^$\\.*+?()[\]{}|/-]$/u
const maxRepetitions = 1_000

interface Bounds {
  readonly min: number
  readonly max: number
}

const boundsBySign: Readonly<Record<string, Bounds>> = {
  '*': { min: 0, max: Number.POSITIVE_INFINITY },
  '+': { min: 1, max: Number.POSITIVE_INFINITY },
  '?': { min: 0, max: 1 },
}

const maxNesting = 50

class Reader {
  readonly #characters: readonly string[]
  #at = 0
  #depth = 0

  constructor(source: string) {
    this.#characters = Array.from(source)
  }

  read(): PatternNode {
    const node = this.#choice()
    if (this.#at < this.#characters.length) throw new PatternError('has a ) too many')
    return node
  }

  #peek = (): string | undefined => this.#characters[this.#at]

  #take(wanted: string): boolean {
    if (this.#characters.slice(this.#at, this.#at + wanted.length).join('') !== wanted) return false
    this.#at += wanted.length
    return true
  }

  #choice(): PatternNode {
    const choices = [this.#sequence()]
    while (this.#take('|')) choices.push(this.#sequence())
    return { kind: 'choice', of: choices }
  }

  #sequence(): PatternNode {
    const nodes: PatternNode[] = []
    for (let next = this.#peek(); next !== undefined && next !== '|' && next !== ')';) {
      nodes.push(this.#repeated(this.#atom()))
      next = this.#peek()
    }
    return { kind: 'sequence', of: nodes }
  }

  #repeated(of: PatternNode): PatternNode {
    const bounds = this.#bounds()
    if (bounds === undefined) return of
    // Which of several matches is found makes no difference to whether there is one.
    this.#take('?')
    if (this.#bounds() !== undefined) throw new PatternError('repeats a repetition')
    return { kind: 'repeat', of, ...bounds }
  }

  #bounds(): Bounds | undefined {
    for (const [sign, bounds] of Object.entries(boundsBySign)) if (this.#take(sign)) return bounds
    if (!this.#take('{')) return undefined
    const end = this.#characters.indexOf('}', this.#at)
    const text = this.#characters.slice(this.#at, Math.max(end, this.#at)).join('')
    const [, min = '', comma, max = ''] = /^(\d{1,4})(,?)(\d{0,4})$/u.exec(text.slice(0, 10)) ?? []
    if (min === '')
      throw new PatternError(`must repeat as {2}, {2,} or {2,5}, at most ${maxRepetitions} times`)
    this.#at = end + 1
    return boundsOf(Number(min), comma === '' ? min : max)
  }

  #atom(): PatternNode {
    const character = this.#characters[this.#at] ?? ''
    this.#at += 1
    if (character === '^') return { kind: 'start' }
    if (character === '$') return { kind: 'end' }
    if (character === '(') return this.#group()
    if (character === '[') return { kind: 'match', matches: this.#class() }
    if (character === '.') return { kind: 'match', matches: isAny }
    if (character === '\\') return { kind: 'match', matches: this.#escape() }
    if (/^[*+?{}\]]$/u.test(character))
      throw new PatternError(`must write ${character} as \\${character}`)
    return { kind: 'match', matches: one(codeOf(character)) }
  }

  #group(): PatternNode {
    this.#depth += 1
    if (this.#depth > maxNesting) throw new PatternError('is nested too deeply')
    if (this.#take('?') && !this.#take(':'))
      throw new PatternError('must not look ahead or behind, nor name groups')
    const node = this.#choice()
    if (!this.#take(')')) throw new PatternError('has a ( too many')
    this.#depth -= 1
    return node
  }

  #escape(): Matches {
    const character = this.#characters[this.#at] ?? ''
    const known = classes[character]
    if (known === undefined) return one(this.#escapedCode())
    this.#at += 1
    return known
  }

  #escapedCode(): number {
    const character = this.#characters[this.#at] ?? ''
    this.#at += 1
    const control = controls[character]
    if (control !== undefined) return control
    if (character === 'x') return this.#hex(2)
    if (character === 'u') return this.#hex(4)
    if (punctuation.test(character)) return codeOf(character)
    throw new PatternError(`must not have \\${character}`)
  }

  #hex(length: number): number {
    const digits = this.#characters.slice(this.#at, this.#at + length).join('')
    if (digits.length !== length || !/^[0-9a-f]+$/iu.test(digits))
      throw new PatternError('must write a character as \\u00e4')
    this.#at += length
    return Number.parseInt(digits, 16)
  }

  #class(): Matches {
    const isNegated = this.#take('^')
    const alternatives: Matches[] = []
    while (!this.#take(']')) {
      if (this.#peek() === undefined) throw new PatternError('has a [ too many')
      alternatives.push(this.#member())
    }
    const matches: Matches = (code) => alternatives.some((each) => each(code))
    return isNegated ? not(matches) : matches
  }

  #member(): Matches {
    const isClass = this.#peek() === '\\' && (this.#characters[this.#at + 1] ?? '') in classes
    if (isClass) {
      this.#at += 1
      return this.#escape()
    }
    const first = this.#classCode()
    const isRange = this.#peek() === '-' && this.#characters[this.#at + 1] !== ']'
    if (!isRange) return one(first)
    this.#at += 1
    const last = this.#classCode()
    if (last < first) throw new PatternError('has a range that ends before it begins')
    return (code) => code >= first && code <= last
  }

  #classCode(): number {
    if (this.#take('\\')) return this.#escapedCode()
    const character = this.#characters[this.#at] ?? ''
    this.#at += 1
    return codeOf(character)
  }
}

const codeOf = (character: string): number => character.codePointAt(0) ?? 0

function boundsOf(min: number, most: string): Bounds {
  const max = most === '' ? Number.POSITIVE_INFINITY : Number(most)
  if (max < min) throw new PatternError('repeats at most less than at least')
  if (min > maxRepetitions || (max > maxRepetitions && most !== ''))
    throw new PatternError(`must repeat at most ${maxRepetitions} times`)
  return { min, max }
}
