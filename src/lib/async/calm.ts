/** Knows when much comes in at once, so that what nobody waits for can wait until it is over. */
export interface Calm {
  /** So much comes in from now on, until it is disposed. */
  begin(amount: number): Disposable
  /**
   * Resolves when little comes in, and has for a moment; where it never does, for some seconds after each while, so
   * that what waits is not forgotten. Resolves at once when the signal has come.
   */
  reached(signal: AbortSignal): Promise<void>
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

export function createCalm({ now, wait = (ms) => Bun.sleep(ms) }: Dependencies): Calm {
  let comingIn = 0
  let busyAt = -Infinity
  let heldSince: number | undefined

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
  }
}
