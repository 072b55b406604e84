import type { Feed } from '../ports/records/manifest.ts'
import type { FeedEntry } from '../ports/records/feed.ts'
import type { PublicationStore } from '../ports/content/publication-store.ts'

export interface LocalFeed extends Feed {
  /** Tells every subscriber; called once for each entry, in order, by whoever wrote it. */
  announce(entries: readonly FeedEntry[]): void
}

interface Dependencies {
  readonly store: Pick<PublicationStore, 'feedAfter'>
  /** A subscriber that throws is a bug; it must not keep the others from hearing. */
  readonly onSubscriberFault: (fault: unknown) => void
}

/** The feed of this process: listeners hear what it writes, the past is read from the store. */
export function createFeed({ store, onSubscriberFault }: Dependencies): LocalFeed {
  const listeners = new Set<(entries: readonly FeedEntry[]) => void>()
  return {
    subscribe(listener) {
      listeners.add(listener)
      return { [Symbol.dispose]: () => void listeners.delete(listener) }
    },
    after: (seq, limit) => store.feedAfter(seq, limit),
    announce(entries) {
      if (entries.length === 0) return
      for (const listener of listeners) {
        try {
          listener(entries)
        } catch (fault) {
          onSubscriberFault(fault)
        }
      }
    },
  }
}
