import type { Log } from '../../../lib/log.ts'
import { type EdgeOrigin, EdgeOriginError } from '../../../ports/edges/edge-origin.ts'
import type { Feed } from '../../../ports/records/manifest.ts'
import type { MediaFacts, MediaFactsStore } from '../../../ports/media/media-facts-store.ts'
import type { FeedEntry } from '../../../ports/records/feed.ts'
import type { KnownMedia } from '../../media/facts/known-media.ts'
import { FactsMessageError, readFacts } from './facts-messages.ts'

/** What an edge knows of images: what its origin found in them. */
export interface FollowedFacts {
  /** Asks the origin for what is not here. Saves nothing that was found at the edge itself. */
  readonly store: MediaFactsStore
  /** Has `media` forget what changes, as it changes. */
  follow(media: Forgetful): Disposable
}

type Forgetful = Pick<KnownMedia, 'forget' | 'forgetAll'>

interface Dependencies {
  readonly origin: Pick<EdgeOrigin, 'facts'>
  /** Holds what the origin said, and nothing else. */
  readonly kept: MediaFactsStore
  readonly feed: Pick<Feed, 'subscribe'>
  /** Whether the origin is there to be asked. */
  readonly isConnected: () => boolean
  readonly log: Pick<Log, 'warn'>
}

/** What the origin could not say, or had not found yet, is asked for again so much later. */
const askAgainMs = 30_000

export function createFollowedFacts(dependencies: Dependencies): FollowedFacts {
  const { kept, feed, isConnected } = dependencies
  const writing = createWriting(dependencies)
  const ask = createAsking(dependencies, () => writing.count)
  const unsure = new Set<string>()

  async function find(sha256: string): Promise<MediaFacts | undefined> {
    await writing.settled()
    const facts = (await kept.find(sha256)) ?? (await ask(sha256))
    // Then the edge looks at the image itself.
    if (facts?.analysis === undefined) unsure.add(sha256)
    return facts
  }

  function take(entries: readonly FeedEntry[], media: Forgetful): void {
    if (!entries.some(({ data }) => data['everything'] === true)) return
    writing.add(() => kept.removeAll())
    media.forgetAll()
  }

  function askAgain(media: Forgetful): void {
    if (!isConnected()) return
    for (const sha256 of unsure) media.forget(sha256)
    unsure.clear()
  }

  return {
    store: {
      find,
      findAll: (sha256s) => kept.findAll(sha256s),
      save: async () => undefined,
      likenesses: (sha256s) => kept.likenesses(sha256s),
      setSummary: async () => false,
      setText: async () => false,
      forgetFound: () => kept.forgetFound(),
      remove: (sha256) => kept.remove(sha256),
      removeAll: () => kept.removeAll(),
    },
    follow(media) {
      const following = new DisposableStack()
      following.use(feed.subscribe((entries) => take(entries, media)))
      const timer = setInterval(() => askAgain(media), askAgainMs)
      following.defer(() => clearInterval(timer))
      return following
    },
  }
}

/** Changes that the feed tells of, one after another. */
function createWriting({ log }: Pick<Dependencies, 'log'>) {
  let count = 0
  let last: Promise<unknown> = Promise.resolve()
  return {
    add(change: () => Promise<unknown>): void {
      count += 1
      last = last
        .then(change)
        .catch((error: unknown) =>
          log.warn('what is known of an image could not be kept', { error }),
        )
    },
    settled: async () => void (await last),
    get count() {
      return count
    },
  }
}

const maxTries = 3

/** Asks the origin, and keeps what it says once it has looked at the image. Never rejects. */
function createAsking(
  { origin, kept, isConnected, log }: Dependencies,
  changes: () => number,
): (sha256: string) => Promise<MediaFacts | undefined> {
  async function keep(facts: MediaFacts): Promise<MediaFacts> {
    if (facts.analysis !== undefined) await kept.save(facts)
    return facts
  }

  /** A response that was under way while something changed may be older than the change. */
  async function ask(sha256: string): Promise<MediaFacts | undefined> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const before = changes()
      const text = await origin.facts(sha256)
      if (text === undefined) return undefined
      if (changes() === before) return await keep(readFacts(text, sha256))
    }
    return undefined
  }

  return async (sha256) => {
    if (!isConnected()) return undefined
    try {
      return await ask(sha256)
    } catch (error) {
      if (error instanceof EdgeOriginError) return undefined
      if (!(error instanceof FactsMessageError)) throw error
      log.warn('what the origin says of an image cannot be read', { sha256, error })
      return undefined
    }
  }
}
