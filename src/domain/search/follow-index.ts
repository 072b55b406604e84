import type { Log } from '../../lib/log.ts'
import { type Embedder, EmbedderUnavailableError } from '../../ports/embedder.ts'
import type { Feed } from '../../ports/manifest.ts'
import type { Documents } from './documents.ts'
import { createMeaningIndex, type MeaningSources } from './meaning-index.ts'
import { createNameIndex, type Published } from './name-index.ts'
import { createPictureRounds } from './picture-rounds.ts'

export interface IndexDependencies extends MeaningSources {
  readonly embedder: Embedder
  readonly feed: Feed
  readonly published: Published
  readonly log: Pick<Log, 'warn'>
  /** Of what is beyond this, the meaning is not known. */
  readonly maxVectors: number
}

export interface SearchIndex extends AsyncDisposable {
  /** Whether everything published can be found by name. */
  readonly isLoaded: boolean
  documents(): Documents
  /** Takes in what has been found out about an asset since it was published. */
  readonly renew: (path: string) => void
  /** Resolves once there is nothing to work out, or no model to work it out with. */
  settled(): Promise<void>
}

/** Writes come in groups, and a start has more urgent work than loading a model. */
const restMs = 400
const retryMs = 30_000
const batchSize = 64

/** Keeps the index at what is published: by name at once, by meaning soon after. */
export function followIndex(dependencies: IndexDependencies): SearchIndex {
  const { feed, embedder, log } = dependencies
  const stopping = new AbortController()
  const names = createNameIndex(dependencies)
  const meaning = createMeaningIndex({
    ...dependencies,
    documents: () => names.documents,
    signal: stopping.signal,
  })

  const onFault = (error: unknown): void => {
    if (!(error instanceof EmbedderUnavailableError) && !stopping.signal.aborted)
      log.warn('what files mean could not be worked out', { error })
  }
  const pictures = createPictureRounds({
    describe: (paths) => meaning.describe(paths),
    onFault,
    signal: stopping.signal,
  })

  async function completeAll(): Promise<void> {
    if (!names.isLoaded) await names.load(stopping.signal)
    names.compact()
    const { pending } = names
    while (pending.size > 0 && !stopping.signal.aborted) {
      const batch = [...pending.values().take(batchSize)]
      // What changes from here on is pending once more.
      for (const path of batch) pending.delete(path)
      try {
        pictures.add(await meaning.describe(batch))
        await meaning.complete(batch)
      } catch (error) {
        for (const path of batch) pending.add(path)
        throw error
      }
    }
  }

  const rounds = createRounds({
    work: completeAll,
    isWorkLeft: () => names.pending.size > 0,
    signal: stopping.signal,
    onFault,
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
    documents: () => names.documents,
    renew: (path) => names.renew(path) && rounds.request(restMs),
    settled: () => rounds.settled(),
    async [Symbol.asyncDispose]() {
      subscription[Symbol.dispose]()
      stopping.abort()
      await embedder[Symbol.asyncDispose]()
      await rounds.settled()
    },
  }
}

interface Rounds {
  readonly work: () => Promise<void>
  readonly isWorkLeft: () => boolean
  readonly signal: AbortSignal
  readonly onFault: (error: unknown) => void
}

/** Works one round at a time, again while there is work, and later again after a fault. */
function createRounds({ work, isWorkLeft, signal, onFault }: Rounds) {
  let timer: Timer | undefined
  let round = Promise.withResolvers<void>()
  let isWorking = false

  async function run(): Promise<void> {
    isWorking = true
    let restsMs = restMs
    try {
      await work()
    } catch (error) {
      onFault(error)
      restsMs = retryMs
    }
    isWorking = false
    if (isWorkLeft()) request(restsMs)
    if (!isWorkLeft() || restsMs === retryMs || signal.aborted) round.resolve()
  }

  function request(ms: number): void {
    if (timer !== undefined || isWorking || signal.aborted) return
    round.resolve()
    round = Promise.withResolvers()
    timer = setTimeout(() => {
      timer = undefined
      void run()
    }, ms)
    timer.unref()
  }

  signal.addEventListener('abort', () => {
    clearTimeout(timer)
    if (!isWorking) round.resolve()
  })
  return { request, settled: () => round.promise }
}
