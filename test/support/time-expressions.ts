// Times the expressions it is sent on hostile texts, and says of each what came of it. A child, so that
// whoever asks can end it where an expression does not.
import { hostileTexts, type HostileText, textOf } from './hostile-texts.ts'

export interface TimedExpression {
  readonly source: string
  readonly flags: string
}

/** The worst text found; absent where the expression takes about as long a character however long it is. */
export interface Verdict {
  readonly slow?: { readonly text: HostileText; readonly ms: readonly number[] }
}

const triedLength = 2_000
/** What a linear expression does with `triedLength` characters takes a small part of this. */
const suspectMs = 0.6
const lengths = [10_000, 20_000, 40_000] as const
/** So long nobody waits for 20,000 characters but by an expression that goes back and forth. */
const toleratedMs = 25
/**
 * From each length to the next; it is 2 where the time is linear, and 4 where it is quadratic. At some length
 * the engine does the same more slowly, once.
 */
const toleratedGrowth = 3
const rounds = 3

process.on('message', ({ source, flags }: TimedExpression) => {
  process.send?.(verdictOf(new RegExp(source, flags)) satisfies Verdict)
})

function verdictOf(expression: RegExp): Verdict {
  for (const text of hostileTexts(expression.source)) {
    if (msFor(expression, textOf(text, triedLength)) < suspectMs) continue
    const [short, middle, long] = lengths.map((length) =>
      leastMsFor(expression, textOf(text, length)),
    )
    if (middle! > toleratedMs && isSteep(short!, middle!) && isSteep(middle!, long!))
      return { slow: { text, ms: [short!, middle!, long!] } }
  }
  return {}
}

const isSteep = (before: number, after: number): boolean => after > toleratedGrowth * before

const leastMsFor = (expression: RegExp, text: string): number =>
  Math.min(...Array.from({ length: rounds }, () => msFor(expression, text)))

function msFor(expression: RegExp, text: string): number {
  const start = performance.now()
  if (expression.global) text.replace(expression, '')
  else expression.exec(text)
  return performance.now() - start
}
