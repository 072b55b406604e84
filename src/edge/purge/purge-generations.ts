import { setImmediate } from 'node:timers/promises'

import { takeTurns } from '../../lib/async/turns.ts'
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
  /** The same of very many: others have turns first, and what is answered takes them into account at once. */
  prepareFeed(entries: readonly FeedEntry[]): Promise<() => void>
  /** How an answer stands whose fetch began at `generation`. */
  stateOf(generation: number, counters: readonly string[]): PurgeState
  /** How many counters are kept exactly; the rest are folded. */
  readonly counterCount: number
}

const entriesPerTurn = 500

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

  async function prepareFeed(entries: readonly FeedEntry[]): Promise<() => void> {
    const names = { hard: new Set<string>(), soft: new Set<string>() }
    const turns = takeTurns(entriesPerTurn)
    for (const entry of entries) {
      const { counters, soft: isSoft } = raiseOf(entry)
      for (const counter of counters) names[isSoft ? 'soft' : 'hard'].add(counter)
      await turns.after(1)
    }
    return () => {
      newest += 1
      void inTurns(hard.raiseAll(names.hard, newest))
      void inTurns(soft.raiseAll(names.soft, newest))
    }
  }

  return {
    raise,
    prepareFeed,
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

/** The first step is taken at once. */
async function inTurns(steps: Iterable<void>): Promise<void> {
  for (const _step of steps) await setImmediate()
}
