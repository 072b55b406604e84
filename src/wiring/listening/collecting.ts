import type { Subprocess } from 'bun'

import type { ToWorker } from './worker-messages.ts'

/** Asking workers for all that they counted, a round at a time. */
export interface Rounds {
  /** Answers once each of `workers` has reported, has ended, or is too slow. */
  collect(workers: Iterable<Subprocess>): Promise<void>
  readonly reported: (worker: Subprocess, turn: number) => void
  ended(worker: Subprocess): void
}

interface Round {
  readonly missing: Set<Subprocess>
  readonly finish: () => void
}

/** A report waits no longer for workers. */
const collectWithinMs = 500

export function createRounds(): Rounds {
  const roundByTurn = new Map<number, Round>()
  let turns = 0

  function reported(worker: Subprocess, turn: number): void {
    const round = roundByTurn.get(turn)
    round?.missing.delete(worker)
    if (round?.missing.size === 0) round.finish()
  }

  return {
    reported,
    ended(worker) {
      for (const turn of roundByTurn.keys()) reported(worker, turn)
    },
    async collect(workers) {
      const missing = new Set(workers)
      if (missing.size === 0) return
      const { promise, resolve: finish } = Promise.withResolvers<void>()
      const turn = (turns += 1)
      roundByTurn.set(turn, { missing, finish })
      const timer = setTimeout(finish, collectWithinMs)
      for (const worker of missing) tell(worker, { kind: 'report', turn })
      await promise
      clearTimeout(timer)
      roundByTurn.delete(turn)
    },
  }
}

/** What is said to one that has just ended is lost, and nothing is lost by it. */
export function tell(worker: Subprocess, message: ToWorker): void {
  try {
    worker.send(message)
  } catch {
    // Its end is told by `onExit`.
  }
}
