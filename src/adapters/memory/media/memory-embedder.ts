import { type Embedder, EmbedderUnavailableError } from '../../../ports/media/embedder.ts'

/**
 * An Embedder for tests: texts are close where they share words. `synonyms` makes one word stand for
 * another, so that a test can tell meaning from spelling. Another seed makes other vectors, as another
 * model does.
 */
export class MemoryEmbedder implements Embedder {
  readonly embedded: string[] = []
  isReady = true
  readonly #synonyms: Readonly<Record<string, string>>
  readonly #model: string
  readonly #engine: string
  readonly #seed: bigint
  #isClosed = false

  constructor(
    synonyms: Readonly<Record<string, string>> = {},
    { model = 'words', engine = 'memory', seed = 0n } = {},
  ) {
    this.#synonyms = synonyms
    this.#model = model
    this.#engine = engine
    this.#seed = seed
  }

  warmUp(): void {
    // There is nothing to load.
  }

  async space(): Promise<string> {
    return `${this.#model} ${this.#engine}`
  }

  isLike(space: string): boolean {
    return space.startsWith(`${this.#model} `)
  }

  async embed(text: string): Promise<Float32Array> {
    if (this.#isClosed || !this.isReady) throw new EmbedderUnavailableError('there is no model')
    this.embedded.push(text)
    const vector = new Float32Array(dimensions)
    for (const word of ['', ...text.toLowerCase().split(/[^\p{L}]+/u)]) {
      const meaning = this.#synonyms[word] ?? word
      for (let place = 0; place < vector.length; place += 1)
        vector[place] = (vector[place] ?? 0) + signOf(`${meaning} ${place}`, this.#seed)
    }
    const length = Math.hypot(...vector)
    return vector.map((value) => value / length)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    this.isReady = false
  }
}

const dimensions = 64

const signOf = (text: string, seed: bigint): 1 | -1 =>
  (Bun.hash.wyhash(text, seed) >> 7n) % 2n === 0n ? 1 : -1
