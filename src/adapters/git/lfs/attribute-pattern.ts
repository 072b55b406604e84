/** Whether a path, relative to where the pattern stands, is meant. */
export type PatternMatcher = (segments: readonly string[]) => boolean

/**
 * A pattern of gitattributes(5), which are those of gitignore(5) without negation and directories. With a
 * slash it stands for one place below its directory, without one for a name anywhere below.
 */
export function patternMatcher(pattern: string): PatternMatcher | undefined {
  if (pattern === '' || pattern.startsWith('!') || pattern.endsWith('/')) return undefined
  const isAnchored = pattern.includes('/')
  const parts = pattern.replace(/^\//u, '').split('/').map(segmentPattern)
  if (parts.some((part) => part === undefined)) return undefined
  const known = parts.filter((part) => part !== undefined)
  if (!isAnchored) {
    const [name] = known
    return (segments) => name !== undefined && name.matches(segments.at(-1) ?? '')
  }
  return (segments) => matchesAll(known, segments)
}

/** The one name that a pattern stands for; `undefined` where it stands for several. */
export function literalName(pattern: string): string | undefined {
  if (/[*?[]/u.test(pattern.replaceAll(/\\./gu, ''))) return undefined
  return pattern.replaceAll(/\\(.)/gu, '$1')
}

interface SegmentPattern {
  readonly isAnyDepth: boolean
  matches(name: string): boolean
}

/** How far each part has come is kept for all at once, so that no pattern takes longer than both lengths. */
function matchesAll(parts: readonly SegmentPattern[], segments: readonly string[]): boolean {
  let reached: ReadonlySet<number> = new Set([0])
  for (const segment of segments) reached = stepped(parts, reached, segment)
  return reached.has(parts.length)
}

function stepped(
  parts: readonly SegmentPattern[],
  reached: ReadonlySet<number>,
  segment: string,
): ReadonlySet<number> {
  const next = new Set<number>()
  for (const place of withoutDepths(parts, reached)) {
    const part = parts[place]
    if (part?.isAnyDepth === true) next.add(place)
    // Two asterisks at the end stand for all that is below, so one segment may be the last.
    const isEnd = part?.isAnyDepth === true && place === parts.length - 1
    if (isEnd || (part?.isAnyDepth === false && part.matches(segment))) next.add(place + 1)
  }
  return next
}

/** Two asterisks may stand for no directory at all, unless they are the end. */
function withoutDepths(parts: readonly SegmentPattern[], places: ReadonlySet<number>): Set<number> {
  const all = new Set(places)
  for (const place of all)
    if (parts[place]?.isAnyDepth === true && place < parts.length - 1) all.add(place + 1)
  return all
}

/** As git compares them: a question mark stands for one byte. */
const bytesOf = (text: string): readonly string[] => Buffer.from(text).toString('latin1').split('')

type Token =
  { readonly kind: 'one'; matches(character: string): boolean } | { readonly kind: 'any' }

function segmentPattern(text: string): SegmentPattern | undefined {
  const tokens = tokensOf(text)
  if (tokens === undefined) return undefined
  return { isAnyDepth: text === '**', matches: (name) => matchesName(tokens, bytesOf(name)) }
}

/** Goes back to the last asterisk alone: that is enough where one may stand for anything. */
function matchesName(tokens: readonly Token[], name: readonly string[]): boolean {
  let token = 0
  let at = 0
  let star = -1
  let starAt = 0
  while (at < name.length) {
    const current = tokens[token]
    if (current?.kind === 'any') {
      star = token
      starAt = at
      token += 1
    } else if (current?.matches(name[at] ?? '') === true) {
      token += 1
      at += 1
    } else if (star >= 0) {
      token = star + 1
      starAt += 1
      at = starAt
    } else return false
  }
  return tokens.slice(token).every(({ kind }) => kind === 'any')
}

function tokensOf(text: string): readonly Token[] | undefined {
  const characters = bytesOf(text)
  const tokens: Token[] = []
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? ''
    if (character === '*') tokens.push({ kind: 'any' })
    else if (character === '?') tokens.push({ kind: 'one', matches: () => true })
    else if (character === '[') {
      const set = setAt(characters, at)
      if (set === undefined) return undefined
      tokens.push({ kind: 'one', matches: set.matches })
      at = set.end
    } else {
      if (character === '\\') at += 1
      const literal = characters[at]
      tokens.push({ kind: 'one', matches: (other) => other === literal })
    }
  }
  return tokens
}

const classes: Readonly<Record<string, RegExp>> = {
  alnum: /^[0-9a-z]$/iu,
  alpha: /^[a-z]$/iu,
  blank: /^[ \t]$/u,
  digit: /^\d$/u,
  lower: /^[a-z]$/u,
  punct: /^[!-/:-@[-`{-~]$/u,
  space: /^[ \t-\r]$/u,
  upper: /^[A-Z]$/u,
  xdigit: /^[0-9a-f]$/iu,
}

/** A set in brackets that begins at `start`; `undefined` where it is never closed, as then nothing matches. */
function setAt(characters: readonly string[], start: number) {
  let at = start + 1
  const isInverted = characters[at] === '!' || characters[at] === '^'
  if (isInverted) at += 1
  const members: ((character: string) => boolean)[] = []
  for (let isFirst = true; isFirst || characters[at] !== ']'; isFirst = false) {
    const member = memberAt(characters, at)
    if (member === undefined) return undefined
    members.push(member.matches)
    at = member.end + 1
  }
  const isIn = (character: string) => members.some((matches) => matches(character))
  return { end: at, matches: (character: string) => isIn(character) !== isInverted }
}

function memberAt(characters: readonly string[], start: number) {
  const class_ = classAt(characters, start)
  if (class_ !== undefined) return class_
  const first = literalAt(characters, start)
  if (first === undefined) return undefined
  const isRange = characters[first.end + 1] === '-' && characters[first.end + 2] !== ']'
  const last = isRange ? literalAt(characters, first.end + 2) : first
  if (last === undefined) return undefined
  return {
    end: last.end,
    matches: (character: string) =>
      codeOf(character) >= codeOf(first.text) && codeOf(character) <= codeOf(last.text),
  }
}

function classAt(characters: readonly string[], start: number) {
  if (characters[start] !== '[' || characters[start + 1] !== ':') return undefined
  const end = characters.indexOf(']', start + 2)
  const name = characters.slice(start + 2, end - 1).join('')
  const expression = Object.hasOwn(classes, name) ? classes[name] : undefined
  if (end < 0 || characters[end - 1] !== ':' || expression === undefined) return undefined
  return { end, matches: (character: string) => expression.test(character) }
}

function literalAt(characters: readonly string[], start: number) {
  const end = characters[start] === '\\' ? start + 1 : start
  const text = characters[end]
  return text === undefined ? undefined : { end, text }
}

const codeOf = (character: string): number => character.codePointAt(0) ?? 0
