import { LruCache } from '../../lib/lru-cache.ts'
import type { Embedder } from '../../ports/embedder.ts'

const maxKept = 5_000

/** The vector of a question; `undefined` where there is none in time. Never waits for the model to load. */
export type QuestionVectors = (question: string) => Promise<Float32Array | undefined>

/** The model that questions are embedded by now; none where there is nothing to compare them with. */
export interface QuestionModel {
  readonly embedder: Embedder | undefined
}

/**
 * Nobody waits longer than `maxWaitMs`; what comes later is there for the next. A vector is of the model
 * that answers at the moment it is handed out.
 */
export function createQuestionVectors(model: QuestionModel, maxWaitMs = 200): QuestionVectors {
  let kept = new LruCache<Float32Array>({ maxWeight: maxKept, weigh: () => 1 })
  let keptOf: Embedder | undefined

  function ask(embedder: Embedder, question: string): Promise<Float32Array | undefined> {
    const vectors = kept
    return embedder.embed(question, 'now').then(
      (vector) => {
        vectors.set(question, vector)
        return vector
      },
      // Whatever is wrong with the model, names are still there.
      () => undefined,
    )
  }

  async function vectorBy(embedder: Embedder, question: string): Promise<Float32Array | undefined> {
    const known = kept.get(question)
    if (known) return known
    embedder.warmUp()
    if (!embedder.isReady) return undefined
    return await Promise.race([ask(embedder, question), absentAfter(maxWaitMs)])
  }

  return async (question) => {
    for (;;) {
      const { embedder } = model
      if (embedder === undefined) return undefined
      if (embedder !== keptOf) {
        keptOf = embedder
        kept = new LruCache({ maxWeight: maxKept, weigh: () => 1 })
      }
      const vector = await vectorBy(embedder, question)
      if (model.embedder === embedder) return vector
    }
  }
}

const absentAfter = (ms: number): Promise<undefined> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(undefined), ms).unref()
  })
