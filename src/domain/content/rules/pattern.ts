import { matchTokens, type Captures, type Token } from './match-tokens.ts'

/** A rule's address: literal text, `:name` for part of a segment, and at most one `*` for anything. */
export interface Pattern {
  readonly source: string
  readonly isLiteral: boolean
  readonly names: ReadonlySet<string>
  /** Text up to the first capture. */
  readonly prefix: string
  /** Whether it is `prefix` and then anything at all. */
  readonly isPrefix: boolean
  /** Whether the pattern begins with `https://` and so looks at the host too. */
  readonly hasHost: boolean
  match(text: string): Captures | undefined
}

const capture = /\*|:[A-Za-z]\w*/gu
export const hostPrefix = 'https://'

/** Compiles `source`, or says why it could never match. No text of a rule becomes a regular expression. */
export function compilePattern(
  source: string,
): { readonly pattern: Pattern } | { readonly reason: string } {
  const tokens = tokenize(source)
  const names = tokens.flatMap((token) => (token.kind === 'capture' ? [token.name] : []))
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated !== undefined) return { reason: reasonFor(repeated, source) }
  const [first, second] = tokens
  const prefix = first?.kind === 'literal' ? first.text : ''
  const last = tokens.at(-1)
  return {
    pattern: {
      source,
      isLiteral: names.length === 0,
      names: new Set(names),
      prefix,
      isPrefix: tokens.length <= 2 && last?.kind === 'capture' && last.minLength === 0,
      hasHost: source.startsWith(hostPrefix),
      match: (text) =>
        text.startsWith(prefix) && (second !== undefined || first?.kind === 'capture')
          ? matchTokens(tokens, text)
          : literalMatch(text, source),
    },
  }
}

const noCaptures: Captures = {}
const literalMatch = (text: string, source: string): Captures | undefined =>
  text === source ? noCaptures : undefined

function reasonFor(repeated: string, source: string): string {
  if (repeated !== 'splat') return `uses the placeholder :${repeated} twice; each may occur once`
  return source.includes(':splat')
    ? 'uses * together with :splat; the * is already called :splat'
    : 'uses * twice; it may occur once'
}

function tokenize(source: string): readonly Token[] {
  const hostEnd = source.startsWith(hostPrefix) ? source.indexOf('/', hostPrefix.length) : 0
  const tokens: Token[] = []
  let end = 0
  for (const { 0: text, index } of source.matchAll(capture)) {
    if (index > end) tokens.push({ kind: 'literal', text: source.slice(end, index) })
    tokens.push(text === '*' ? splat : placeholder(text.slice(1), index < hostEnd))
    end = index + text.length
  }
  if (end < source.length) tokens.push({ kind: 'literal', text: source.slice(end) })
  return tokens
}

const splat: Token = { kind: 'capture', name: 'splat', minLength: 0, stops: '' }

const placeholder = (name: string, isInHost: boolean): Token => ({
  kind: 'capture',
  name,
  minLength: 1,
  stops: isInHost ? '/.' : '/',
})

const reference = /:(?<name>[A-Za-z]\w*)/gu

/** The names that `template` refers to. */
export const referencesIn = (template: string): readonly string[] =>
  [...template.matchAll(reference)].map(([text]) => text.slice(1))

/**
 * Puts captures where `template` names them. Of captured names that begin the same the longest wins;
 * what follows the name stays. An unknown name stays as written.
 */
export const substitute = (template: string, captures: Captures): string =>
  template.replaceAll(reference, (text) => {
    for (let end = text.length; end > 1; end -= 1) {
      const value = captures[text.slice(1, end)]
      if (value !== undefined) return value + text.slice(end)
    }
    return text
  })
