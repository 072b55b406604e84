import type { FeedPosition } from '../../../ports/edges/replica-store.ts'
import type { FeedEntry } from '../../../ports/records/feed.ts'
import { beginning, positionOf } from '../manifest/manifest-root.ts'
import { readEntry, writeEntry } from './replica-change.ts'

/**
 * The newest entries of the feed, without a gap, for whoever was away for a while. Each is kept as a line of
 * text: as records they would take six times as much, and are hardly ever asked for.
 */
export interface RecentEntries {
  /** Those that follow the newest one. */
  add(entries: readonly FeedEntry[]): void
  /**
   * What came after that place, the oldest of it where it is more than `limit`; `undefined` where it is too long ago,
   * or is a place in another feed.
   */
  after(since: FeedPosition, limit: number): readonly FeedEntry[] | undefined
  /** Begins anew after a place that no entries lead to. */
  clear(before: FeedPosition): void
}

interface Options {
  readonly position: FeedPosition
  /** The newest entries up to `position`. */
  readonly newest: readonly FeedEntry[]
  /** Once there are as many, at least so many are kept, and at most twice as many. */
  readonly maxRecent: number
}

export function createRecentEntries({ position, newest, maxRecent }: Options): RecentEntries {
  let before = position
  const texts: string[] = []
  const times: number[] = []

  function add(added: readonly FeedEntry[]): void {
    for (const entry of added) {
      texts.push(writeEntry(entry))
      times.push(entry.at.getTime())
    }
    if (texts.length > 2 * maxRecent) forget(texts.length - maxRecent)
  }

  function forget(count: number): void {
    before = placeOf(count)
    texts.splice(0, count)
    times.splice(0, count)
  }

  /** The place after so many of the entries: their numbers follow each other. */
  const placeOf = (count: number): FeedPosition =>
    count === 0 ? before : { seq: before.seq + count, atMs: times[count - 1] ?? NaN }

  // What came before the oldest is known of the very first alone; else that one itself is the place.
  const [oldest, ...rest] = newest
  if (oldest !== undefined) {
    before = oldest.seq === 1 ? beginning : positionOf(oldest)
    add(oldest.seq === 1 ? newest : rest)
  }
  return {
    add,
    after(since, limit) {
      const count = since.seq - before.seq
      if (count < 0 || count > texts.length || placeOf(count).atMs !== since.atMs) return undefined
      return texts.slice(count, count + limit).map(readEntry)
    },
    clear(place) {
      before = place
      texts.length = 0
      times.length = 0
    },
  }
}
