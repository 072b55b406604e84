import type { Log } from '../lib/log.ts'
import { heldMs, type Turn, watchTurns } from '../lib/loop-turns.ts'
import type { UnderWay } from '../lib/under-way.ts'

interface Dependencies {
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly monotonicMs: () => number
  /** What of it is known by name. */
  readonly underWay?: Pick<UnderWay, 'take'>
  /** Each turn is said in which this thread computed for longer; none is where it is left out. */
  readonly turnLimitMs?: number | undefined
}

/** From here on people notice that nobody is answered. */
const longMs = 500
const everyMs = 250
const pauseMs = 60_000
/** A turn is measured to within a twentieth of its limit. */
const looksPerLimit = 20

/** Says in the log where this process answered nobody for long, once a minute at most. */
export function logLongTurns(dependencies: Dependencies): Disposable {
  const { turnLimitMs, underWay } = dependencies
  const noteLong = createTurnLog(dependencies)
  const noteEach = createLimitLog(dependencies)
  return watchTurns({
    ...dependencies,
    everyMs: turnLimitMs === undefined ? everyMs : Math.max(1, turnLimitMs / looksPerLimit),
    onTurn(turn) {
      const during = underWay?.take()
      const named = during === undefined || during.length === 0 ? turn : { ...turn, during }
      noteLong(named)
      noteEach(named)
    },
  })
}

export function createTurnLog({ log, monotonicMs }: Dependencies): (turn: Turn) => void {
  let quietUntil = Number.NEGATIVE_INFINITY
  let unsaid = 0
  return ({ waitedMs, computedMs, during }) => {
    if (waitedMs < longMs) return
    unsaid += 1
    if (monotonicMs() < quietUntil) return
    quietUntil = monotonicMs() + pauseMs
    log.info('nobody was answered for a while', {
      milliseconds: Math.round(waitedMs),
      computedMilliseconds: Math.round(computedMs),
      times: unsaid,
      ...(during && { during }),
    })
    unsaid = 0
  }
}

export function createLimitLog({ log, turnLimitMs }: Dependencies): (turn: Turn) => void {
  return (turn) => {
    if (turnLimitMs === undefined || heldMs(turn) <= turnLimitMs) return
    const { waitedMs, during } = turn
    log.warn('a turn of the loop was longer than its limit', {
      milliseconds: Math.round(waitedMs),
      computedMilliseconds: Math.round(heldMs(turn)),
      ...(during && { during }),
    })
  }
}
