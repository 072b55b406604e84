/** Holds work back so that what else reads the same disk is not slowed. */
export interface Pace {
  /** Resolves once so many bytes more may be moved. Rejects once the work is to end. */
  take(bytes: number): Promise<void>
}

interface Options {
  readonly bytesPerSecond: number
  readonly monotonicMs: () => number
  readonly pause: (milliseconds: number) => Promise<void>
  readonly signal?: AbortSignal | undefined
}

/** Shorter pauses are saved up: timers are no more precise. */
const leastPauseMs = 5

/** On average no more than so many bytes a second; a second's worth at once. */
export function createPace({ bytesPerSecond, monotonicMs, pause, signal }: Options): Pace {
  let freeAt = monotonicMs()
  return {
    async take(bytes) {
      signal?.throwIfAborted()
      freeAt = Math.max(freeAt, monotonicMs() - 1000) + (bytes / bytesPerSecond) * 1000
      const early = freeAt - monotonicMs()
      if (early >= leastPauseMs) await pause(early)
      signal?.throwIfAborted()
    },
  }
}
