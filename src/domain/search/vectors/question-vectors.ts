import { LruCache } from '../../../lib/collections/lru-cache.ts'
import type { Embedder } from '../../../ports/media/embedder.ts'

const maxKept = 5_000
/** So many the model gets through before whoever asked has gone on without. */
const maxAsked = 48
/** And so many of them may be of one network. */
const maxAskedByOne = 8

/**
 * The vector of a question; `undefined` where there is none in time, or too many are asked for by all or by
 * the one network. Never waits for the model to load.
 */
export type QuestionVectors = (
  question: string,
  network?: string,
) => Promise<Float32Array | undefined>

/** The model that questions are embedded by now; none where there is nothing to compare them with. */
export interface QuestionModel {
  readonly embedder: Embedder | undefined
}

/**
 * Nobody waits longer than `maxWaitMs`; what comes later is there for the next. A vector is of the model
 * that answers at the moment it is handed out.
 */
export function createQuestionVectors(model: QuestionModel, maxWaitMs = 200): QuestionVectors {
  let asking: Asking | undefined
  return async (question, network) => {
    for (;;) {
      const { embedder } = model
      if (embedder === undefined) return undefined
      if (asking?.embedder !== embedder) asking = createAsking(embedder)
      const vector = await Promise.race([
        asking.vectorOf(question, network),
        absentAfter(maxWaitMs),
      ])
      if (model.embedder === embedder) return vector
    }
  }
}

type Asking = ReturnType<typeof createAsking>

/** What one model is asked, and what it has answered. */
function createAsking(embedder: Embedder) {
  const kept = new LruCache<Float32Array>({ maxWeight: maxKept, weigh: () => 1 })
  /** No single flight: how many are asked decides who may ask next, each network for itself. */
  const asked = new Map<string, Promise<Float32Array | undefined>>()
  const countByNetwork = new Map<string, number>()
  const countOf = (network: string): number => countByNetwork.get(network) ?? 0

  async function ask(question: string): Promise<Float32Array | undefined> {
    try {
      const vector = await embedder.embed(question, 'now')
      kept.set(question, vector)
      return vector
    } catch {
      // Whatever is wrong with the model, names are still there.
      return undefined
    }
  }

  function answered(question: string, network: string): void {
    asked.delete(question)
    const left = countOf(network) - 1
    if (left > 0) countByNetwork.set(network, left)
    else countByNetwork.delete(network)
  }

  return {
    embedder,
    async vectorOf(question: string, network = ''): Promise<Float32Array | undefined> {
      const known = kept.get(question) ?? asked.get(question)
      if (known) return await known
      embedder.warmUp()
      const isTooMuch =
        asked.size >= maxAsked || (network !== '' && countOf(network) >= maxAskedByOne)
      if (isTooMuch || !embedder.isReady) return undefined
      const answer = ask(question)
      asked.set(question, answer)
      countByNetwork.set(network, countOf(network) + 1)
      void answer.then(() => answered(question, network))
      return await answer
    },
  }
}

const absentAfter = (ms: number): Promise<undefined> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(undefined), ms).unref()
  })
