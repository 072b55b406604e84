/**
 * Knows when much comes in at once, so that what nobody waits for can wait until it is over, and whether anybody asks
 * for something, so that it can give way.
 */
export interface Calm {
  /** So much comes in from now on, until it is disposed. */
  begin(amount: number): Disposable
  /**
   * Resolves when little comes in, and has for a moment; where it never does, for some seconds after each while, so
   * that what waits is not forgotten. Resolves at once when the signal has come.
   */
  reached(signal: AbortSignal): Promise<void>
  /** Somebody asks for something. It costs next to nothing. */
  ask(): void
  /**
   * To be awaited after a piece of work that took so long: resolves one and a half times as long after that where
   * somebody asked for something in the last second, half a second later at most. Cores share what is in them, so
   * even what has the lowest priority slows others down.
   */
  rest(workedMs: number, signal: AbortSignal): Promise<void>
}

interface Dependencies {
  /** Milliseconds that only grow. */
  readonly now: () => number
  /** Resolves after so many milliseconds. */
  readonly wait?: (ms: number) => Promise<unknown>
}

/** From so much at once on nobody else works. */
const busyAmount = 4
/** Who sends many one after another pauses for less. */
const restMs = 500
const lookEveryMs = 100
const longestHoldMs = 60_000
const breathMs = 15_000
const askedForMs = 1_000
/** Of the time that a piece of work took. */
const restShare = 1.5
const longestRestMs = 500
/** Nobody notices less. */
const leastWorkMs = 5

export function createCalm({ now, wait = (ms) => Bun.sleep(ms) }: Dependencies): Calm {
  let comingIn = 0
  let busyAt = -Infinity
  let heldSince: number | undefined
  let asked = 0
  let seenAsked = 0
  let askedAt = -Infinity
  /** Of all who rest: else one would work while the other rests. */
  let restEndsAt = -Infinity

  const isBusy = (): boolean => comingIn >= busyAmount || now() - busyAt < restMs

  function isHeld(): boolean {
    if (!isBusy()) {
      heldSince = undefined
      return false
    }
    heldSince ??= now()
    const heldMs = now() - heldSince
    if (heldMs >= longestHoldMs + breathMs) heldSince = now()
    return heldMs < longestHoldMs
  }

  return {
    begin(amount) {
      comingIn += amount
      let isOver = false
      return {
        [Symbol.dispose]() {
          if (isOver) return
          isOver = true
          if (comingIn >= busyAmount) busyAt = now()
          comingIn -= amount
        },
      }
    },
    async reached(signal) {
      while (!signal.aborted && isHeld()) await wait(lookEveryMs)
    },
    ask() {
      asked += 1
    },
    async rest(workedMs, signal) {
      if (asked !== seenAsked) askedAt = now()
      seenAsked = asked
      if (workedMs < leastWorkMs || now() - askedAt >= askedForMs) return
      restEndsAt = Math.max(restEndsAt, now() + Math.min(workedMs * restShare, longestRestMs))
      while (!signal.aborted && now() < restEndsAt)
        await wait(Math.min(lookEveryMs, restEndsAt - now()))
    },
  }
}
