import type { Embedder } from '../../ports/media/embedder.ts'
import { createMeaningLane, type LaneSources, type MeaningLane } from './meaning-lane.ts'
import { createMeaningSchedule } from './meaning-schedule.ts'

export interface MeaningModels {
  /** The model that is to answer. */
  readonly embedder: Embedder
  /** Models that can answer with the vectors they made before, until `embedder` has made its own. */
  readonly formerEmbedders?: readonly Embedder[]
  /** Learns what else is compared with questions; a model answers no file before that is done. */
  readonly learn?: (embedder: Embedder, signal: AbortSignal) => Promise<void>
}

/** The vectors of everything published, and the model that questions are embedded by. */
export interface Meanings extends AsyncDisposable {
  /** The model whose vectors answer now. */
  readonly embedder: Embedder
  /** Finds out what can answer at once. To be called before anything is added. */
  open(): Promise<void>
  /** Works out what files mean; what is new first. */
  add(paths: readonly string[], areNew: boolean): void
  /** Says that all that was there at the start has been added. */
  allAdded(): void
  /** Resolves once there is nothing to work out, or no model to work it out with. */
  settled(): Promise<void>
}

type Dependencies = Omit<LaneSources, 'signal'> & MeaningModels & { readonly signal: AbortSignal }

/**
 * Keeps the vectors of the model at what is published. Where the store has those of another model or
 * engine that can still be asked, they answer until the new ones are complete, and then all at once not.
 */
export function createMeanings(dependencies: Dependencies): Meanings {
  const { embedder, formerEmbedders = [], store, documents, signal, learn, onFault } = dependencies
  const stopping = new AbortController()
  const onDone = () => areAllAdded && replacing.request(0)
  const wanted = createMeaningLane({ ...dependencies, onDone })
  let former: MeaningLane | undefined
  let areAllAdded = false
  let isReplaced = false

  const replacing = createMeaningSchedule({
    ...dependencies,
    work: replaceFormer,
    isWorkLeft: () => areAllAdded && wanted.isDone && !isReplaced,
  })

  async function replaceFormer(): Promise<void> {
    if (isReplaced) return
    await learn?.(embedder, signal)
    if (signal.aborted || !wanted.isDone) return
    documents().serve(wanted.vectorsFor(documents()))
    stopping.abort()
    former = undefined
    await store.forgetOthers(await embedder.space())
    for (const each of formerEmbedders) await each[Symbol.asyncDispose]()
    isReplaced = true
  }

  const serving = (): MeaningLane => former ?? wanted
  return {
    get embedder() {
      return serving().embedder
    },
    async open() {
      try {
        former = await findFormer(dependencies, AbortSignal.any([signal, stopping.signal]))
      } catch (error) {
        onFault(error)
      }
      serving().embedder.warmUp()
      // Beside the files, and not behind them: there may be many.
      void learn?.(serving().embedder, stopping.signal).catch(onFault)
    },
    add(paths, areNew) {
      const index = documents()
      index.serve(serving().vectorsFor(index))
      former?.add(paths, areNew)
      wanted.add(paths, areNew)
    },
    allAdded() {
      areAllAdded = true
      wanted.add([], false)
    },
    async settled() {
      await former?.settled()
      await wanted.settled()
      await replacing.settled()
    },
    async [Symbol.asyncDispose]() {
      for (const each of [embedder, ...formerEmbedders]) await each[Symbol.asyncDispose]()
      await Promise.all([wanted.settled(), former?.settled(), replacing.settled()])
    },
  }
}

/** The vectors made before about which a model can still be asked. */
async function findFormer(
  { embedder, formerEmbedders = [], store, ...sources }: Dependencies,
  signal: AbortSignal,
): Promise<MeaningLane | undefined> {
  const spaces = await store.spaces()
  const own = await embedder.space()
  for (const each of [embedder, ...formerEmbedders]) {
    const formerSpace = spaces.find((space) => space !== own && each.isLike(space))
    if (formerSpace !== undefined)
      return createMeaningLane({ ...sources, store, embedder: each, formerSpace, signal })
  }
  return undefined
}
