import type { HitCounter, OwnHitCounter } from './hit-counter.ts'

/** The owners' counters that have counted something since the last drain. */
export interface OwnHitCounters {
  readonly count: number
  /** Makes a counter live again, at zero. */
  renew(counter: OwnHitCounter, epoch: number): void
  /** Puts what was counted among `counters`, and begins anew. Several owners may count for one row. */
  moveInto(counters: Map<string, HitCounter>): void
}

export function createOwnHitCounters(): OwnHitCounters {
  let live: OwnHitCounter[] = []
  return {
    get count() {
      return live.length
    },
    renew(counter, epoch) {
      Object.assign(counter, { epoch, requests: 0, bytes: 0, aborted: 0 })
      live.push(counter)
    },
    moveInto(counters) {
      for (const counter of live) merge(counters, counter)
      live = []
    },
  }
}

function merge(counters: Map<string, HitCounter>, own: OwnHitCounter): void {
  const known = counters.get(own.name)
  if (known === undefined) {
    counters.set(own.name, own)
    return
  }
  const { requests, bytes, aborted } = known
  counters.set(own.name, {
    ...known,
    requests: requests + own.requests,
    bytes: bytes + own.bytes,
    aborted: aborted + own.aborted,
  })
}
