/** How often something may be done from one midnight (UTC) to the next. */
export interface DailyBudget {
  /** Resolves once there is room, and takes it; rejects with the signal's reason. */
  take(signal: AbortSignal): Promise<void>
}

interface Dependencies {
  readonly limit: number
  /** How often it was done since a moment, by whoever did it before this process. */
  readonly countSince: (moment: Date) => Promise<number>
  readonly now: () => Date
  /** Resolves after so many milliseconds, or rejects with the signal's reason. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

const dayMs = 86_400_000

export function createDailyBudget({ limit, countSince, now, wait }: Dependencies): DailyBudget {
  let day: { readonly start: number; count: number } | undefined

  async function today() {
    const start = Math.floor(now().getTime() / dayMs) * dayMs
    if (day?.start !== start) day = { start, count: await countSince(new Date(start)) }
    return day
  }

  return {
    async take(signal) {
      for (;;) {
        signal.throwIfAborted()
        const current = await today()
        if (current.count < limit) {
          current.count += 1
          return
        }
        await wait(Math.max(1, current.start + dayMs - now().getTime()), signal)
      }
    },
  }
}
