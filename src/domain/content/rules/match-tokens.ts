/** What the placeholders of a pattern stood for; the one `*` is called `splat`. */
export type Captures = Readonly<Record<string, string>>

export type Token =
  | { readonly kind: 'literal'; readonly text: string }
  | {
      readonly kind: 'capture'
      readonly name: string
      /** 0 for `*`, 1 for a placeholder. */
      readonly minLength: number
      /** Characters it never stands for. */
      readonly stops: string
    }

/**
 * Matches the whole of `text`, each capture as long as the rest allows, from left to right: what a
 * backtracking matcher finds, in time bounded by tokens times length.
 */
export function matchTokens(tokens: readonly Token[], text: string): Captures | undefined {
  const fits = fittingStarts(tokens, text)
  if (fits[0]?.[0] !== 1) return undefined
  const captures: Record<string, string> = {}
  let start = 0
  for (const [index, token] of tokens.entries()) {
    const next = fits[index + 1]
    if (next === undefined) return undefined
    const end =
      token.kind === 'literal'
        ? start + token.text.length
        : longestEnd(token, text, { start, next })
    if (token.kind === 'capture') captures[token.name] = text.slice(start, end)
    start = end
  }
  return captures
}

/** For each token, and for the end, a 1 at every position from which the rest of the pattern matches. */
function fittingStarts(tokens: readonly Token[], text: string): readonly Uint8Array[] {
  const fits = Array.from({ length: tokens.length + 1 }, () => new Uint8Array(text.length + 1))
  const last = fits[tokens.length]
  if (last !== undefined) last[text.length] = 1
  for (let index = tokens.length - 1; index >= 0; index -= 1) {
    const [token, own, next] = [tokens[index], fits[index], fits[index + 1]]
    if (token === undefined || own === undefined || next === undefined) continue
    if (token.kind === 'literal') markLiteral(token.text, text, { own, next })
    else markCapture(token, text, { own, next })
  }
  return fits
}

interface Marks {
  readonly own: Uint8Array
  readonly next: Uint8Array
}

function markLiteral(literal: string, text: string, { own, next }: Marks): void {
  let at = text.indexOf(literal)
  while (at >= 0) {
    own[at] = next[at + literal.length] ?? 0
    at = text.indexOf(literal, at + 1)
  }
}

type CaptureToken = Extract<Token, { kind: 'capture' }>

function markCapture({ minLength, stops }: CaptureToken, text: string, { own, next }: Marks): void {
  // Whether the capture, begun anywhere before, may go on to this position and end at or after it.
  let canEndLater = next[text.length] === 1
  if (minLength === 0) own[text.length] = canEndLater ? 1 : 0
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const mayTake = !stops.includes(text.charAt(at))
    const afterOne = mayTake && canEndLater
    own[at] = afterOne || (minLength === 0 && next[at] === 1) ? 1 : 0
    canEndLater = next[at] === 1 || afterOne
  }
}

function longestEnd(
  { minLength, stops }: CaptureToken,
  text: string,
  { start, next }: { readonly start: number; readonly next: Uint8Array },
): number {
  let limit = start
  while (limit < text.length && !stops.includes(text.charAt(limit))) limit += 1
  while (limit > start + minLength && next[limit] !== 1) limit -= 1
  return limit
}
