import type { RequestFactsOf } from '../../http/observed/request-facts.ts'
import {
  type RequestKind,
  requestKindOf,
  type RequestLine,
  type TakenLines,
} from '../../ports/traffic/request-log-store.ts'

/**
 * Notes a line for each request until someone takes the lines away. What that costs is bounded: of each
 * kind so many in a second, so that a flood neither takes the processor nor the memory, and no number of
 * missing paths hides a fault. How many were left out is counted.
 */
export interface RequestTap {
  /** Whether a line of this status is to be noted; counts it where not. */
  takes(status: number): boolean
  note(line: RequestLine): void
  /** The lines since the last call. */
  drain(): TakenLines
}

export interface RequestTapOptions {
  /** Of each kind. */
  readonly perSecond: number
  /** Of what was delivered one in so many is noted; 1 for all. */
  readonly sampleEvery: number
  /** Milliseconds of a clock that only goes forward. */
  readonly monotonicMs: () => number
}

const windowMs = 1_000
/** Nobody has taken lines away for long: then no more are held. */
const maxWaiting = 20_000

export function createRequestTap(options: RequestTapOptions): RequestTap {
  const { perSecond, sampleEvery, monotonicMs } = options
  let taken = noneTaken()
  let windowStart = monotonicMs()
  let lines: RequestLine[] = []
  let notKept = 0
  let delivered = 0

  /** The clock is looked at only where the room of a second is used up. */
  function hasRoom(kind: RequestKind): boolean {
    if (lines.length >= maxWaiting) return false
    if (taken[kind] < perSecond) return true
    const now = monotonicMs()
    if (now - windowStart < windowMs) return false
    windowStart = now
    taken = noneTaken()
    return perSecond > 0
  }

  return {
    takes(status) {
      const kind = requestKindOf(status)
      if (kind === 'delivered' && sampleEvery > 1 && (delivered += 1) % sampleEvery !== 0)
        return false
      const isTaken = hasRoom(kind)
      if (isTaken) taken[kind] += 1
      else notKept += 1
      return isTaken
    },
    note: (line) => void lines.push(line),
    drain() {
      const drained = { lines, notKept }
      lines = []
      notKept = 0
      return drained
    },
  }
}

const noneTaken = (): Record<RequestKind, number> => ({
  failed: 0,
  refused: 0,
  missing: 0,
  delivered: 0,
})

/** How requests are noted, and what of them. */
export interface RequestNoting {
  readonly tap: RequestTap
  readonly factsOf: RequestFactsOf
  /** The time of day, in milliseconds. */
  readonly now: () => number
  /** Milliseconds of a clock that only goes forward. */
  readonly monotonicMs: () => number
}

/** To a hundredth. */
export const millisecondsSince = (startMs: number, nowMs: number): number =>
  Math.round((nowMs - startMs) * 100) / 100
