import { setImmediate } from 'node:timers/promises'

import type { Feed } from '../ports/records/manifest.ts'
import type { FeedEntry } from '../ports/records/feed.ts'
import type { PublicationStore } from '../ports/content/publication-store.ts'

export interface LocalFeed extends Feed {
  /** What is published shows and is announced in parts up to here, and is whole only then. 0 where nothing ever was. */
  readonly wholeAt: number
  /** A publication begins to show, and to be announced, whose last entry has this number. Those before it are over. */
  begin(lastSeq: number): void
  /** Tells every subscriber; called once for each entry, in order, by whoever wrote it. */
  announce(entries: readonly FeedEntry[]): void
  /** Has subscribers do beforehand what takes long of very many entries; what is answered announces them. */
  prepare(entries: readonly FeedEntry[]): Promise<() => void>
}

interface Dependencies {
  readonly store: Pick<PublicationStore, 'feedAfter'>
  /** A subscriber that throws is a bug; it must not keep the others from hearing. */
  readonly onSubscriberFault: (fault: unknown) => void
}

/** The feed of this process: listeners hear what it writes, the past is read from the store. */
export function createFeed({ store, onSubscriberFault }: Dependencies): LocalFeed {
  const subscribers = new Set<Subscriber>()
  let wholeAt = 0

  function announce(entries: readonly FeedEntry[], prepared?: Prepared): void {
    if (entries.length === 0) return
    for (const subscriber of subscribers) {
      try {
        const apply = prepared?.get(subscriber)
        if (apply === undefined) subscriber.listener(entries)
        else apply()
      } catch (fault) {
        onSubscriberFault(fault)
      }
    }
  }

  return {
    get wholeAt() {
      return wholeAt
    },
    begin(lastSeq) {
      wholeAt = lastSeq
    },
    subscribe(listener, prepare) {
      const subscriber = { listener, prepare }
      subscribers.add(subscriber)
      return { [Symbol.dispose]: () => void subscribers.delete(subscriber) }
    },
    after: (seq, limit) => store.feedAfter(seq, limit),
    announce: (entries) => announce(entries),
    async prepare(entries) {
      const prepared = new Map<Subscriber, () => void>()
      for (const subscriber of subscribers) {
        const apply = await subscriber.prepare?.(entries)
        if (apply !== undefined) prepared.set(subscriber, apply)
      }
      return () => announce(entries, prepared)
    },
  }
}

/** So many entries are handed on before others have their turn. */
const entriesPerTurn = 200

/** A feed of whose very many entries others have turns in between: for a listener that takes long of each. */
export const inTurns = (feed: Feed, onFault: (fault: unknown) => void): Feed => ({
  after: (seq, limit) => feed.after(seq, limit),
  subscribe(listener) {
    const waiting: (readonly FeedEntry[])[] = []

    async function handOn(): Promise<void> {
      for (let entries = waiting[0]; entries !== undefined; entries = waiting[0]) {
        try {
          listener(entries)
        } catch (fault) {
          onFault(fault)
        }
        await setImmediate()
        waiting.shift()
      }
    }

    const subscription = feed.subscribe((entries) => {
      if (waiting.length === 0 && entries.length <= entriesPerTurn) return listener(entries)
      const isHandingOn = waiting.length > 0
      for (let start = 0; start < entries.length; start += entriesPerTurn)
        waiting.push(entries.slice(start, start + entriesPerTurn))
      if (!isHandingOn) void handOn()
    })
    return {
      [Symbol.dispose]() {
        waiting.length = 0
        subscription[Symbol.dispose]()
      },
    }
  },
})

interface Subscriber {
  readonly listener: (entries: readonly FeedEntry[]) => void
  readonly prepare: ((entries: readonly FeedEntry[]) => Promise<() => void>) | undefined
}

type Prepared = ReadonlyMap<Subscriber, () => void>
