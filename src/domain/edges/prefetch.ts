import type { Feed, Manifest } from '../../ports/records/manifest.ts'
import type { FeedEntry } from '../../ports/records/feed.ts'
import { LruCache } from '../../lib/collections/lru-cache.ts'
import { Slots } from '../../lib/async/slots.ts'

/** Fetches the new bytes of what is often asked for before anybody asks for them. */
export interface Prefetch extends Disposable {
  /** These assets were asked for just now. */
  note(paths: Iterable<string>): void
}

interface Dependencies {
  readonly feed: Pick<Feed, 'subscribe'>
  readonly published: Pick<Manifest, 'asset'>
  readonly fetchBlob: (sha256: string) => Promise<unknown>
}

const maxHot = 20_000
const fetchesAtOnce = 4

export function createPrefetch({ feed, published, fetchBlob }: Dependencies): Prefetch {
  const hot = new LruCache<true>({ maxWeight: maxHot, weigh: () => 1 })
  const slots = new Slots(fetchesAtOnce)

  async function fetchNew(path: string): Promise<void> {
    using _slot = await slots.take()
    const asset = published.asset(path)
    // Where it cannot be had now, it will be once somebody asks.
    if (asset !== undefined) await fetchBlob(asset.sha256).catch(() => undefined)
  }

  function take(entries: readonly FeedEntry[]): void {
    for (const { event, path } of entries)
      if (event === 'asset.updated' && path !== undefined && hot.get(path)) void fetchNew(path)
  }

  const subscription = feed.subscribe(take)
  return {
    note(paths) {
      for (const path of paths) hot.set(path, true)
    },
    [Symbol.dispose]: () => subscription[Symbol.dispose](),
  }
}
