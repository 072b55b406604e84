import { setImmediate } from 'node:timers/promises'

import type { Calm } from '../../lib/async/calm.ts'
import type { Log } from '../../lib/log.ts'
import { type Embedder, EmbedderUnavailableError } from '../../ports/media/embedder.ts'
import type { Feed } from '../../ports/records/manifest.ts'
import type { VectorStore } from '../../ports/media/vector-store.ts'
import { createDescriptions, type Descriptions, type DescriptionSources } from './descriptions.ts'
import type { Documents } from './documents.ts'
import { createMeanings, type MeaningModels, type Meanings } from './meanings.ts'
import { createNameIndex, type NameIndex, type Published } from './name-index.ts'
import { createMeaningSchedule, restMs } from './meaning-schedule.ts'

export interface IndexDependencies extends DescriptionSources, MeaningModels {
  readonly store: VectorStore
  readonly feed: Feed
  readonly published: Published
  readonly log: Pick<Log, 'warn'>
  /** Of what is beyond this, the meaning is not known. */
  readonly maxVectors: number
  /** How long to rest after a first fault. */
  readonly retryMs?: number
  /** Waited for before files are described; where left out, nothing is. */
  readonly calm?: Pick<Calm, 'reached'>
}

export interface SearchIndex extends AsyncDisposable {
  /** Whether everything published can be found by name. */
  readonly isLoaded: boolean
  /** The model whose vectors answer now. */
  readonly embedder: Embedder
  documents(): Documents
  /** Takes in what has been found out about an asset since it was published, whenever that is. */
  readonly renew: (path: string) => void
  /** Resolves once there is nothing to work out, or no model to work it out with. */
  settled(): Promise<void>
}

const batchSize = 64

/** Keeps the index at what is published: by name at once, by meaning soon after. */
export function followIndex(dependencies: IndexDependencies): SearchIndex {
  const { feed, log } = dependencies
  const stopping = new AbortController()
  const names = createNameIndex(dependencies)
  const onFault = (error: unknown): void => {
    if (!(error instanceof EmbedderUnavailableError) && !stopping.signal.aborted)
      log.warn('what files mean could not be worked out', { error })
  }
  const shared = {
    ...dependencies,
    documents: () => names.documents,
    signal: stopping.signal,
    onFault,
  }
  const descriptions = createDescriptions(shared)
  const meanings = createMeanings({ ...shared, textsOf: descriptions.textsOf })

  const rounds = createMeaningSchedule({
    ...shared,
    work: () => takeIn({ ...shared, names, meanings, descriptions }),
    isWorkLeft: () => names.pending.size > 0,
  })
  const subscription = feed.subscribe((entries) => {
    for (const entry of entries) names.take(entry)
    if (names.pending.size > 0) rounds.request(restMs)
  })
  rounds.request(0)
  return {
    get isLoaded() {
      return names.isLoaded
    },
    get embedder() {
      return meanings.embedder
    },
    documents: () => names.documents,
    renew: (path) => names.renew(path) && rounds.request(restMs),
    async settled() {
      await rounds.settled()
      await meanings.settled()
    },
    async [Symbol.asyncDispose]() {
      subscription[Symbol.dispose]()
      stopping.abort()
      await meanings[Symbol.asyncDispose]()
      await rounds.settled()
    },
  }
}

interface Parts {
  readonly names: NameIndex
  readonly meanings: Meanings
  readonly descriptions: Descriptions
  readonly signal: AbortSignal
  readonly calm?: Pick<Calm, 'reached'>
}

/** Has everything pending described, and its meaning worked out. */
async function takeIn(parts: Parts): Promise<void> {
  const { names, meanings, descriptions, signal, calm } = parts
  const { isLoaded: wasLoaded, documents: former } = names
  if (!wasLoaded) {
    await names.load(signal)
    await meanings.open()
  }
  await names.compact()
  const areNew = wasLoaded && names.documents === former
  const { pending } = names
  while (pending.size > 0 && !signal.aborted) {
    await calm?.reached(signal)
    const batch = [...pending.values().take(batchSize)]
    // What changes from here on is pending once more.
    for (const path of batch) pending.delete(path)
    meanings.add(batch, areNew)
    try {
      await descriptions.describe(batch)
    } catch (error) {
      for (const path of batch) pending.add(path)
      throw error
    }
    // What is looked up answers before anything else has its turn.
    await setImmediate()
  }
  if (!signal.aborted) meanings.allAdded()
}
