import type { Subprocess } from 'bun'

import type { ToWorker } from './worker-messages.ts'

/** Asking all workers for the same thing, a round at a time. */
export interface Rounds {
  /** Answers how many did what they were asked, once the others have ended or are too slow. */
  ask(workers: Iterable<Subprocess>, question: (turn: number) => ToWorker): Promise<number>
  readonly answered: (worker: Subprocess, turn: number) => void
  ended(worker: Subprocess): void
}

interface Round {
  readonly missing: Set<Subprocess>
  readonly finish: () => void
  answers: number
}

export function createRounds({ withinMs }: { readonly withinMs: number }): Rounds {
  const roundByTurn = new Map<number, Round>()
  let turns = 0

  function leave(worker: Subprocess, round: Round): void {
    round.missing.delete(worker)
    if (round.missing.size === 0) round.finish()
  }

  return {
    answered(worker, turn) {
      const round = roundByTurn.get(turn)
      if (round?.missing.has(worker) !== true) return
      round.answers += 1
      leave(worker, round)
    },
    ended(worker) {
      for (const round of roundByTurn.values()) leave(worker, round)
    },
    async ask(workers, question) {
      const missing = new Set(workers)
      if (missing.size === 0) return 0
      const { promise, resolve: finish } = Promise.withResolvers<void>()
      const turn = (turns += 1)
      const round: Round = { missing, finish, answers: 0 }
      roundByTurn.set(turn, round)
      const timer = setTimeout(finish, withinMs)
      for (const worker of missing) tell(worker, question(turn))
      await promise
      clearTimeout(timer)
      roundByTurn.delete(turn)
      return round.answers
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
