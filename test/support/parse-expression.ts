/** An expression as far as it says which texts it looks at; what it asserts is left out. */
export type Part =
  | { readonly kind: 'letters'; readonly letters: readonly string[] }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Part[] }
  | {
      readonly kind: 'repeated'
      readonly part: Part
      readonly atLeast: number
      readonly atMost: number
    }

/** The parts of the source of an expression with the flag `u`. */
export function parseExpression(source: string): Part {
  const letters = Array.from(source)
  let place = 0

  const isNext = (text: string): boolean =>
    letters.slice(place, place + text.length).join('') === text
  function take(text: string): boolean {
    if (!isNext(text)) return false
    place += text.length
    return true
  }
  function takeUntil(end: string): string {
    const start = place
    while (place < letters.length && letters[place] !== end) place += 1
    place += 1
    return letters.slice(start, place - 1).join('')
  }

  function choice(): Part {
    const parts = [sequence()]
    while (take('|')) parts.push(sequence())
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'choice', parts }
  }

  function sequence(): Part {
    const parts: Part[] = []
    while (place < letters.length && !isNext('|') && !isNext(')')) parts.push(repetition())
    return { kind: 'sequence', parts }
  }

  function repetition(): Part {
    const part = atom()
    const bounds = quantifier()
    if (bounds === undefined) return part
    take('?')
    return { kind: 'repeated', part, ...bounds }
  }

  function quantifier(): { atLeast: number; atMost: number } | undefined {
    if (take('*')) return { atLeast: 0, atMost: Infinity }
    if (take('+')) return { atLeast: 1, atMost: Infinity }
    if (take('?')) return { atLeast: 0, atMost: 1 }
    if (!take('{')) return undefined
    const [least = '0', most] = takeUntil('}').split(',')
    const atLeast = Number(least)
    return { atLeast, atMost: most === undefined ? atLeast : most === '' ? Infinity : Number(most) }
  }

  function atom(): Part {
    if (take('^') || take('$') || take(String.raw`\b`) || take(String.raw`\B`)) return nothing
    if (take('(')) return group()
    if (take('[')) return { kind: 'letters', letters: classLetters() }
    if (take('.')) return { kind: 'letters', letters: ['a', '!'] }
    return { kind: 'letters', letters: letter() }
  }

  function group(): Part {
    const isNegative = take('?!') || take('?<!')
    if (!isNegative && !take('?:') && !take('?=') && !take('?<=') && take('?<')) takeUntil('>')
    const part = choice()
    take(')')
    // What must not be there leads nowhere, but it is looked for.
    return isNegative ? { kind: 'repeated', part, atLeast: 0, atMost: 1 } : part
  }

  function classLetters(): readonly string[] {
    const isNegative = take('^')
    const found: string[] = []
    while (place < letters.length && !take(']')) found.push(...(take('-') ? ['-'] : letter()))
    return isNegative ? [...others.filter((each) => !found.includes(each)), ...found] : found
  }

  function letter(): readonly string[] {
    const one = letters[place] ?? ''
    place += 1
    if (one !== '\\') return [one]
    const escape = letters[place] ?? ''
    place += 1
    if (escape === 'u') return [String.fromCodePoint(Number.parseInt(codePoint(), 16))]
    if (escape === 'p' || escape === 'P')
      return (take('{'), propertyLetters(takeUntil('}'), escape))
    return lettersByEscape[escape] ?? (/\d/u.test(escape) && escape !== '0' ? ['a'] : [escape])
  }

  function codePoint(): string {
    if (take('{')) return takeUntil('}')
    place += 4
    return letters.slice(place - 4, place).join('')
  }

  return choice()
}

const nothing: Part = { kind: 'sequence', parts: [] }
const others = ['a', '!', ' ', '1']

const lettersByEscape: Readonly<Record<string, readonly string[]>> = {
  s: [' ', '\n'],
  S: ['a', '!'],
  d: ['1'],
  D: ['a', ' '],
  w: ['a', '1', '_'],
  W: ['!', ' '],
  t: ['\t'],
  n: ['\n'],
  r: ['\r'],
  '0': ['\0'],
}

const lettersByProperty: Readonly<Record<string, readonly string[]>> = {
  L: ['a', 'A'],
  Ll: ['a'],
  Lu: ['A'],
  N: ['1'],
  M: ['\u0301'],
  Z: [' '],
  C: ['\u0000'],
  Cc: ['\u0000'],
  Cf: ['\u200b'],
  Cn: ['\u0378'],
}

function propertyLetters(property: string, escape: string): readonly string[] {
  const letters = lettersByProperty[property]
  if (letters === undefined) throw new Error(`\\p{${property}} is new: say here what has it`)
  return escape === 'p' ? letters : others.filter((each) => !letters.includes(each))
}
