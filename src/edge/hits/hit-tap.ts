import { type Audience, createAudience } from './audience.ts'
import {
  isOpen,
  nameOf,
  neverLive,
  type HitCounter,
  type HitKey,
  type HitRow,
  type OwnHitCounter,
} from './hit-counter.ts'
import { createOwnHitCounters } from './own-hit-counters.ts'
import { createSharedHitCounters } from './shared-hit-counters.ts'

/**
 * Counts answers until someone takes the counts away. Every count is exact: where there is no room for
 * another path, hits are counted under the path `''` of their zone, and `collapsed` says how many;
 * where there is no room even for that, `dropped` does. Paths that clients make up have a room of their
 * own, so that no number of them can push an asset out.
 */
export interface HitTap {
  counter(key: HitKey): HitCounter
  isLive(counter: HitCounter): boolean
  /** A counter for an owner to keep over many drains. It counts nothing until it is renewed. */
  ownCounter(key: HitKey): OwnHitCounter
  /** Makes an owner's counter live again, at zero. `false` where there is no room: then ask for a `counter`. */
  renew(counter: OwnHitCounter): boolean
  /** The rows since the last call. A row is never handed out twice. */
  drain(): readonly HitRow[]
  /** Who asked, and how long they waited, beside the rows. */
  readonly audience: Audience
  readonly collapsed: number
  readonly dropped: number
}

export interface HitTapOptions {
  readonly maxRows?: number
  /** Of these, how many may be about what need not exist. */
  readonly maxOpenRows?: number
  /** Counts what is to be in the rows and is not yet. */
  readonly beforeDrain?: (() => void) | undefined
}

export function createHitTap({
  maxRows = 100_000,
  maxOpenRows = 4096,
  beforeDrain,
}: HitTapOptions = {}): HitTap {
  const shared = createSharedHitCounters({ maxRows, maxOpenRows })
  const own = createOwnHitCounters()
  let epoch = 0
  return {
    audience: createAudience(),
    counter: (key) => shared.counter(key, epoch),
    ownCounter: (key) => ({ ...neverLive(key), name: nameOf(key) }),
    renew(counter) {
      const hasRoom = shared.count + own.count < maxRows
      if (hasRoom) own.renew(counter, epoch)
      return hasRoom
    },
    isLive: (counter) => counter.epoch === epoch && counter.key.path !== '',
    drain() {
      beforeDrain?.()
      const counters = shared.take()
      own.moveInto(counters)
      epoch += 1
      return [...counters.values()].map(toRow)
    },
    get collapsed() {
      return shared.collapsed
    },
    get dropped() {
      return shared.dropped
    },
  }
}

const toRow = ({ key, requests, bytes, aborted }: HitCounter): HitRow =>
  Object.assign({ isAsset: !isOpen(key), requests, bytes, aborted }, key)
