const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** How long after the attempt before it each attempt follows; the first one at once. About 76 hours. */
const delaysMs = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const

/** Up to a tenth sooner or later, so that what failed together is not tried together. */
const jitter = 0.1

/** An event waits for those before it until they have failed so often; then they step aside. */
export const holdingFailures = 3

/** An endpoint where nothing succeeded for so long is switched off. */
export const switchOffAfterMs = 5 * 24 * hour

/** How long before the next attempt, after so many failures; `undefined` to give up. `random`: 0 ≤ x < 1. */
export function delayAfter(failures: number, random: () => number): number | undefined {
  const delay = delaysMs[failures]
  return delay === undefined ? undefined : Math.round(delay * (1 - jitter + 2 * jitter * random()))
}
