import { backOffMs } from '../../lib/async/back-off.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** When, counted from the day a domain was added, its name is looked up how often. */
const lookUpPaces: readonly (readonly [untilAgeMs: number, everyMs: number])[] = [
  [10 * minuteMs, 2 * secondMs],
  [hourMs, 15 * secondMs],
  [30 * dayMs, 45 * secondMs],
]
const abandonedEveryMs = hourMs

/**
 * How long until a name that does not lead here is looked up again. For a month it is under a minute,
 * so that a domain goes active within one of being set right; whoever sets it at once waits seconds.
 */
export function recheckInMs(ageMs: number): number {
  const pace = lookUpPaces.find(([untilAgeMs]) => ageMs < untilAgeMs)
  return pace?.[1] ?? abandonedEveryMs
}

/** A name that leads here and needs nothing of us is looked at so often. */
export const settledEveryMs = dayMs

const firstDelayMs = 5 * secondMs
const maxDelayMs = 12 * hourMs

/**
 * How long to wait for an authority after so many failures in a row: doubled each time, with up to a
 * quarter taken off so that many domains do not come back at once. What the authority asks for
 * (Retry-After, RFC 8555 §6.6) is never undercut. `random` is in [0, 1).
 */
export function retryInMs(
  failures: number,
  { retryAfterMs = 0, random }: { readonly retryAfterMs?: number; readonly random: number },
): number {
  const backOff = { firstMs: firstDelayMs, longestMs: maxDelayMs, spread: 0.25, random }
  return Math.max(backOffMs(failures, backOff), retryAfterMs)
}

export interface Validity {
  readonly from: Date
  readonly until: Date
}

/** When an authority would like a certificate to be renewed (RFC 9773). */
export interface RenewalWindow {
  readonly start: Date
  readonly end: Date
}

const jitterShare = 1 / 30
const maxRestMs = hourMs

/**
 * When to renew: with a third of the lifetime left, up to a thirtieth of it earlier. A window that
 * the authority suggests counts instead, a random moment in it (RFC 9773 §4.2); but never so soon that
 * a window in the past would have certificates ordered one after another, nor in the last tenth.
 */
export function renewAt(
  { from, until }: Validity,
  { window, random }: { readonly window?: RenewalWindow | undefined; readonly random: number },
): Date {
  const lifetimeMs = until.getTime() - from.getTime()
  if (window !== undefined && window.end > window.start) {
    const earliestMs = from.getTime() + Math.min(lifetimeMs / 10, maxRestMs)
    const startMs = Math.max(window.start.getTime(), earliestMs)
    const endMs = Math.min(window.end.getTime(), until.getTime() - lifetimeMs / 10)
    return between(startMs, Math.max(startMs, endMs), random)
  }
  const latestMs = until.getTime() - lifetimeMs / 3
  return between(latestMs - lifetimeMs * jitterShare, latestMs, random)
}

const between = (startMs: number, endMs: number, random: number): Date =>
  new Date(startMs + (endMs - startMs) * random)
