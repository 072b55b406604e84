import type { Log } from '../lib/log.ts'
import { type Turn, watchTurns } from '../lib/loop-turns.ts'

interface Dependencies {
  readonly log: Pick<Log, 'info'>
  readonly monotonicMs: () => number
}

/** From here on people notice that nobody is answered. */
const longMs = 500
const everyMs = 250
const pauseMs = 60_000

/** Says in the log where this process answered nobody for long, once a minute at most. */
export const logLongTurns = (dependencies: Dependencies): Disposable =>
  watchTurns({ ...dependencies, everyMs, onTurn: createTurnLog(dependencies) })

export function createTurnLog({ log, monotonicMs }: Dependencies): (turn: Turn) => void {
  let quietUntil = Number.NEGATIVE_INFINITY
  let unsaid = 0
  return ({ waitedMs, computedMs }) => {
    if (waitedMs < longMs) return
    unsaid += 1
    if (monotonicMs() < quietUntil) return
    quietUntil = monotonicMs() + pauseMs
    log.info('nobody was answered for a while', {
      milliseconds: Math.round(waitedMs),
      computedMilliseconds: Math.round(computedMs),
      times: unsaid,
    })
    unsaid = 0
  }
}
