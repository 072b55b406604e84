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
/** What takes so long is not tried again: how it came out is no accident. */
const clearMs = 50

process.on('message', ({ source, flags }: TimedExpression) => {
  process.send?.(verdictOf(new RegExp(source, flags)) satisfies Verdict)
})

function verdictOf(expression: RegExp): Verdict {
  for (const text of hostileTexts(expression.source)) {
    const tried = textOf(text, triedLength)
    if (waitedMs(expression, tried) < suspectMs || spentMs(expression, tried) < suspectMs) continue
    const ms: number[] = []
    for (const length of lengths) {
      ms.push(leastMsFor(expression, textOf(text, length)))
      if (!isSlow(ms)) break
    }
    if (ms.length === lengths.length && isSlow(ms)) return { slow: { text, ms } }
  }
  return {}
}

/** Whether it may still turn out to be slow, as long as the texts are so far. */
const isSlow = ([short, middle, long]: readonly number[]): boolean =>
  middle === undefined ||
  (middle > toleratedMs && isSteep(short!, middle) && (long === undefined || isSteep(middle, long)))

const isSteep = (before: number, after: number): boolean => after > toleratedGrowth * before

function leastMsFor(expression: RegExp, text: string): number {
  let least = Infinity
  for (let round = 0; round < rounds && (round === 0 || least < clearMs); round += 1)
    least = Math.min(least, spentMs(expression, text))
  return least
}

/** What the processor spent on it: how much else runs on the machine makes no difference. */
function spentMs(expression: RegExp, text: string): number {
  const before = process.cpuUsage()
  match(expression, text)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The same by the clock, which is read in no time. */
function waitedMs(expression: RegExp, text: string): number {
  const start = performance.now()
  match(expression, text)
  return performance.now() - start
}

function match(expression: RegExp, text: string): void {
  if (expression.global) text.replace(expression, '')
  else expression.exec(text)
}
