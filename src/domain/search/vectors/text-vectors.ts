import type { Embedder } from '../../../ports/media/embedder.ts'
import type { VectorStore } from '../../../ports/media/vector-store.ts'
import { packVector, unpackVector } from './packed-vectors.ts'

interface Dependencies {
  readonly embedder: Embedder
  readonly store: VectorStore
  readonly signal: AbortSignal
}

/** The next text is there when the model is done with one. */
const atOnce = 2

/**
 * The vectors of texts, packed: what `space` has kept, and what has to be made. Each distinct text is
 * embedded once and alone, and what was made is kept whatever happens to the rest. Rejects with
 * `EmbedderUnavailableError` where a text needs the model and there is none.
 */
export async function textVectors(
  texts: ReadonlySet<string>,
  { embedder, store, signal }: Dependencies,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const space = await embedder.space()
  const known = await keptVectors(texts, store, space)
  const missing = [...texts.difference(known)]
  const made = new Map<string, Uint8Array>()
  const queue = missing.values()
  let isOver = false

  async function work(): Promise<void> {
    for (const text of queue) {
      if (isOver || signal.aborted) return
      made.set(text, packVector(await embedder.embed(text, 'background')))
    }
  }
  try {
    await Promise.all(Array.from({ length: atOnce }, work))
  } finally {
    isOver = true
    if (made.size > 0 && !signal.aborted)
      await store.save(space, new Map([...made].map(([text, vector]) => [keyOf(text), vector])))
  }
  return new Map([...known, ...made])
}

/** The vectors of texts that a space has kept, packed. */
export async function keptVectors(
  texts: ReadonlySet<string>,
  store: VectorStore,
  space: string,
): Promise<Map<string, Uint8Array>> {
  const textByKey = new Map([...texts].map((text) => [keyOf(text), text]))
  const kept = await store.find(space, [...textByKey.keys()])
  return new Map([...kept].map(([key, vector]) => [textByKey.get(key) ?? '', vector]))
}

const keyOf = (text: string): string => Bun.SHA256.hash(text, 'hex')

/** One vector for several texts, packed: their sum, of length 1. `undefined` where one is missing. */
export function joined(
  texts: readonly string[],
  vectors: ReadonlyMap<string, Uint8Array>,
): Uint8Array | undefined {
  let sum = new Float32Array(0)
  for (const text of texts) {
    const packed = vectors.get(text)
    if (packed === undefined) return undefined
    if (texts.length === 1) return packed
    sum = unpackVector(packed).map((value, place) => value + (sum[place] ?? 0))
  }
  const length = Math.hypot(...sum)
  return length > 0 ? packVector(sum.map((value) => value / length)) : undefined
}
