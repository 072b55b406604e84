import type { FeedEntry } from '../../ports/records/feed.ts'
import { countersRaisedBy, type Purge } from './counter-names.ts'
import { createCounterTable, type CounterTableBounds } from './counter-table.ts'
import { raiseOf, type CounterRaise } from './feed-purges.ts'

/** `stale` after a soft purge: not to be served as fresh. `purged` after a hard one: not at all. */
export type PurgeState = 'current' | 'stale' | 'purged'

/**
 * Purging by generations: a purge raises a counter and touches no entry, so its cost is the same
 * whatever it covers. Everything fetched carries the generation at which its fetch began; it counts
 * as purged once any of its counters is newer. A purge during a slow fetch therefore also covers what
 * that fetch brings, whenever it is stored.
 */
export interface PurgeGenerations {
  /** The newest generation. It grows with every purge; while it has not changed, neither has any state. */
  readonly newest: number
  purge(purge: Purge): void
  /** Raises counters by name. */
  raise(raise: CounterRaise): void
  /** Takes what the feed announces into account. Entries may come twice. */
  applyFeed(entries: readonly FeedEntry[]): void
  /** How an answer stands whose fetch began at `generation`. */
  stateOf(generation: number, counters: readonly string[]): PurgeState
  /** How many counters are kept exactly; the rest are folded. */
  readonly counterCount: number
}

const defaultBounds: CounterTableBounds = { maxExact: 100_000, slots: 65_536 }

export function createPurgeGenerations(
  bounds: CounterTableBounds = defaultBounds,
): PurgeGenerations {
  const hard = createCounterTable(bounds)
  const soft = createCounterTable(bounds)
  let newest = 0

  function raise({ counters, soft: isSoft }: CounterRaise): void {
    if (counters.length === 0) return
    newest += 1
    const table = isSoft ? soft : hard
    for (const counter of counters) table.raise(counter, newest)
  }

  return {
    raise,
    purge: (purge) => raise({ counters: countersRaisedBy(purge), soft: purge.soft === true }),
    applyFeed(entries) {
      for (const entry of entries) raise(raiseOf(entry))
    },
    stateOf(generation, counters) {
      if (generation === newest) return 'current'
      const isNewer = (table: typeof hard) =>
        counters.some((counter) => table.read(counter) > generation)
      if (isNewer(hard)) return 'purged'
      return isNewer(soft) ? 'stale' : 'current'
    },
    get newest() {
      return newest
    },
    get counterCount() {
      return hard.exactCount + soft.exactCount
    },
  }
}
