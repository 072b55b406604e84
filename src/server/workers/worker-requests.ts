import type { Subprocess } from 'bun'

import type { ToWorker } from './worker-messages.ts'

/** Requests that go to all workers at once. */
export interface WorkerRequests {
  /** Resolves to how many did it, once the others have ended or are too slow. */
  send(workers: Iterable<Subprocess>, request: (turn: number) => ToWorker): Promise<number>
  readonly completed: (worker: Subprocess, turn: number) => void
  ended(worker: Subprocess): void
}

interface Pending {
  readonly missing: Set<Subprocess>
  readonly finish: () => void
  doneCount: number
}

export function createWorkerRequests({ withinMs }: { readonly withinMs: number }): WorkerRequests {
  const pendingByTurn = new Map<number, Pending>()
  let sent = 0

  function leave(worker: Subprocess, pending: Pending): void {
    pending.missing.delete(worker)
    if (pending.missing.size === 0) pending.finish()
  }

  return {
    completed(worker, turn) {
      const pending = pendingByTurn.get(turn)
      if (pending?.missing.has(worker) !== true) return
      pending.doneCount += 1
      leave(worker, pending)
    },
    ended(worker) {
      for (const pending of pendingByTurn.values()) leave(worker, pending)
    },
    async send(workers, request) {
      const missing = new Set(workers)
      if (missing.size === 0) return 0
      const { promise, resolve: finish } = Promise.withResolvers<void>()
      const turn = (sent += 1)
      const pending: Pending = { missing, finish, doneCount: 0 }
      pendingByTurn.set(turn, pending)
      const timer = setTimeout(finish, withinMs)
      for (const worker of missing) tell(worker, request(turn))
      await promise
      clearTimeout(timer)
      pendingByTurn.delete(turn)
      return pending.doneCount
    },
  }
}

/** A message to a worker that has just ended is lost, which does no harm. */
export function tell(worker: Subprocess, message: ToWorker): void {
  try {
    worker.send(message)
  } catch {
    // Its end is told by `onExit`.
  }
}
