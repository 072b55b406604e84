import { setImmediate } from 'node:timers/promises'

import type { FeedMessage } from '../../../ports/edges/edge-origin.ts'
import type { FeedEntry } from '../../../ports/records/feed.ts'
import type { FeedPosition } from '../../../ports/edges/replica-store.ts'
import type { LocalFeed } from '../../feed.ts'
import { composeChange } from './compose-change.ts'
import type { PublishedState } from '../manifest/manifest-parts.ts'
import { positionOf } from '../manifest/manifest-root.ts'
import { createRecentEntries, type RecentEntries } from './recent-entries.ts'
import { writeChange } from './replica-change.ts'

export interface PlacedMessage {
  readonly to: FeedPosition
  readonly message: FeedMessage
}

export type ChangeListener = (placed: PlacedMessage) => void

/** The feed as edges follow it: each message says all that one needs to know of a change. */
export interface ChangeFeed extends Disposable {
  readonly position: FeedPosition
  /**
   * What leads from `since` to now, or the first of it where that is much: a change, maybe an empty one, or `resync`
   * where that is not known.
   */
  since(since: FeedPosition): PlacedMessage
  /** Tells `listener` of what leads from `since` to now, in turns, and of every message from then on, each once written for all. */
  subscribe(listener: ChangeListener, since?: FeedPosition): Disposable
  /** Begins anew at a position that no entries lead to; whoever follows has to compare manifests. */
  reset(position: FeedPosition): void
}

interface Dependencies {
  readonly feed: Pick<LocalFeed, 'subscribe' | 'after' | 'wholeAt'>
  readonly published: PublishedState
  readonly position: FeedPosition
  /** The newest entries up to `position`, without a gap. */
  readonly recent: readonly FeedEntry[]
  /** So many entries are told again to an edge that was away for a while; beyond, it compares manifests. */
  readonly maxRecent?: number
  readonly onFault: (fault: unknown) => void
}

const defaultMaxRecent = 10_000
/** What so many entries name is written in some milliseconds. */
const entriesPerMessage = 1_000
/** So many missing entries are read at once. */
const maxMissing = 10_000
/** Longer than two writers of one process can announce apart. */
const gapMs = 250

export function createChangeFeed(dependencies: Dependencies): ChangeFeed {
  const { feed, maxRecent = defaultMaxRecent, onFault } = dependencies
  const listeners = new Set<ChangeListener>()
  let { position } = dependencies
  const recent = createRecentEntries({ position, newest: dependencies.recent, maxRecent })
  const messages = createMessages(dependencies, { recent, position: () => position })

  function tell(placed: PlacedMessage): void {
    for (const listener of listeners) listener(placed)
  }

  function announce(entries: readonly FeedEntry[]): void {
    const [before, last] = [position, entries.at(-1)]
    recent.add(entries)
    if (last !== undefined) position = positionOf(last)
    // It takes long of many, and most edges have none behind them.
    if (listeners.size > 0) tell({ to: position, message: messages.of(entries, before) })
  }

  async function follow(listener: ChangeListener, from: FeedPosition, signal: AbortSignal) {
    for (let place = from; place.seq !== position.seq;) {
      await setImmediate()
      if (signal.aborted) return
      const placed = messages.since(place)
      listener(placed)
      // Whoever is told so asks anew.
      if (placed.message.kind === 'resync') return
      place = placed.to
    }
    listeners.add(listener)
  }

  const ordering = createOrdering(dependencies, { position: () => position, announce })
  const subscription = feed.subscribe(ordering.take)
  return {
    get position() {
      return position
    },
    since: (place) => messages.since(place),
    subscribe(listener, from = position) {
      const leaving = new AbortController()
      void follow(listener, from, leaving.signal).catch(onFault)
      return {
        [Symbol.dispose]() {
          leaving.abort()
          listeners.delete(listener)
        },
      }
    },
    reset(to) {
      position = to
      recent.clear(to)
      ordering.clear()
      tell({ to, message: { kind: 'resync' } })
    },
    [Symbol.dispose]() {
      ordering.clear()
      subscription[Symbol.dispose]()
    },
  }
}

interface Known {
  readonly recent: RecentEntries
  readonly position: () => FeedPosition
}

/** What is said of entries, with what they name as it is now. */
function createMessages({ feed, published }: Dependencies, { recent, position }: Known) {
  function of(entries: readonly FeedEntry[], before: FeedPosition): FeedMessage {
    const change = composeChange(entries, before, published)
    const continues = change.to.seq < Math.max(position().seq, feed.wholeAt)
    return { kind: 'change', text: writeChange({ ...change, continues }) }
  }

  return {
    of,
    since(place: FeedPosition): PlacedMessage {
      const entries = recent.after(place, entriesPerMessage)
      if (entries === undefined) return { to: position(), message: { kind: 'resync' } }
      const last = entries.at(-1)
      return { to: last === undefined ? place : positionOf(last), message: of(entries, place) }
    },
  }
}

interface Ordered {
  readonly position: () => FeedPosition
  readonly announce: (entries: readonly FeedEntry[]) => void
}

/** Two writers may announce in another order than that of their numbers. */
function createOrdering({ feed, onFault }: Dependencies, { position, announce }: Ordered) {
  let early: readonly FeedEntry[] = []
  let gapTimer: Timer | undefined

  function take(entries: readonly FeedEntry[]): void {
    const { seq: after } = position()
    const sorted = inOrder([...early, ...entries], after)
    const gap = sorted.findIndex(({ seq }, place) => seq !== after + place + 1)
    early = gap < 0 ? [] : sorted.slice(gap)
    const next = gap < 0 ? sorted : sorted.slice(0, gap)
    if (next.length > 0) announce(next)
    clearTimeout(gapTimer)
    if (early.length > 0) gapTimer = setTimeout(() => void fillGap().catch(onFault), gapMs)
  }

  /** What another process wrote is not announced here, but can be read. */
  async function fillGap(): Promise<void> {
    const missing = await feed.after(position().seq, maxMissing)
    const isStillMissing = early.length > 0 && missing[0]?.seq === position().seq + 1
    if (isStillMissing) take(missing)
  }

  return {
    take,
    clear() {
      early = []
      clearTimeout(gapTimer)
    },
  }
}

/** Each once, by number, without those up to `seq`. */
function inOrder(entries: readonly FeedEntry[], after: number): readonly FeedEntry[] {
  const bySeq = new Map(entries.map((entry) => [entry.seq, entry]))
  return [...bySeq.values()]
    .filter(({ seq }) => seq > after)
    .toSorted((one, other) => one.seq - other.seq)
}
