import { backOffMs } from '../../lib/async/back-off.ts'

interface Dependencies {
  readonly work: () => Promise<void>
  readonly isWorkLeft: () => boolean
  readonly signal: AbortSignal
  readonly onFault: (error: unknown) => void
  /** How long to rest after a fault; twice as long after each further one. */
  readonly retryMs?: number
}

export interface MeaningSchedule {
  /** Has a round begin after a while, unless one is due sooner or is at work. */
  request(ms: number): void
  /** Resolves once there is nothing to do, or nothing that can be done now. */
  settled(): Promise<void>
}

/** Writes come in groups. */
export const restMs = 400
const usualRetryMs = 1_000
const maxRetryMs = 30_000

/** Works one round at a time, again while there is work, and later again after a fault. */
export function createMeaningSchedule(dependencies: Dependencies): MeaningSchedule {
  const { work, isWorkLeft, signal, onFault, retryMs = usualRetryMs } = dependencies
  let timer: Timer | undefined
  let round = Promise.withResolvers<void>()
  let isWorking = false
  let faults = 0
  round.resolve()

  async function run(): Promise<void> {
    isWorking = true
    try {
      await work()
      faults = 0
    } catch (error) {
      onFault(error)
      faults += 1
    }
    isWorking = false
    if (isWorkLeft()) request(faults > 0 ? restAfter(faults, retryMs) : restMs)
    if (!isWorkLeft() || faults > 0 || signal.aborted) round.resolve()
  }

  function request(ms: number): void {
    if (timer !== undefined || isWorking || signal.aborted) return
    round.resolve()
    round = Promise.withResolvers()
    timer = setTimeout(() => {
      timer = undefined
      void run()
    }, ms)
    timer.unref()
  }

  signal.addEventListener('abort', () => {
    clearTimeout(timer)
    if (!isWorking) round.resolve()
  })
  return { request, settled: () => round.promise }
}

/** Nobody else failed with it, so nobody has to be kept out of step. */
const restAfter = (faults: number, retryMs: number): number =>
  backOffMs(faults, { firstMs: retryMs, longestMs: maxRetryMs, spread: 0, random: 0 })
