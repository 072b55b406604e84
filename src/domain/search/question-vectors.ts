import { LruCache } from '../../lib/lru-cache.ts'
import type { Embedder } from '../../ports/embedder.ts'

const maxKept = 5_000

/** The vector of a question; `undefined` where there is none in time. Never loads the model. */
export type QuestionVectors = (question: string) => Promise<Float32Array | undefined>

/** Nobody waits longer than `maxWaitMs`; what comes later is there for the next. */
export function createQuestionVectors(embedder: Embedder, maxWaitMs = 200): QuestionVectors {
  const kept = new LruCache<Float32Array>({ maxWeight: maxKept, weigh: () => 1 })
  return async (question) => {
    const known = kept.get(question)
    if (known) return known
    embedder.warmUp()
    if (!embedder.isReady) return undefined
    const asked = embedder.embed(question, 'now').then(
      (vector) => {
        kept.set(question, vector)
        return vector
      },
      // Whatever is wrong with the model, names are still there.
      () => undefined,
    )
    return await Promise.race([asked, absentAfter(maxWaitMs)])
  }
}

const absentAfter = (ms: number): Promise<undefined> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(undefined), ms).unref()
  })
