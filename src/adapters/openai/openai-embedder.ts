import {
  type Embedder,
  EmbedderUnavailableError,
  type EmbeddingPriority,
} from '../../ports/media/embedder.ts'
import { type Endpoint, postJson } from './endpoint.ts'

interface Options extends Endpoint {
  readonly now: () => number
  readonly patienceMs?: number
  readonly lateMs?: number
  /** Told each time the model is asked. */
  readonly onAsk?: () => void
}

const usualPatienceMs = 10_000
/** Whoever waits for an answer gives up on meaning after a second. */
const usualLateMs = 900
/** After a fault nobody is kept waiting for another, for so long. */
const restMs = 5_000
/** Of a longer text the beginning counts. */
const maxCharacters = 1_000
const maxBackground = 2

/** A model behind the embeddings of the OpenAI API. */
export class OpenaiEmbedder implements Embedder {
  readonly #options: Options
  readonly #closing = new AbortController()
  #readyAgainAt = 0
  #backgroundCount = 0
  readonly #waiting: (() => void)[] = []

  constructor(options: Options) {
    this.#options = options
  }

  get isReady(): boolean {
    return !this.#closing.signal.aborted && this.#options.now() >= this.#readyAgainAt
  }

  warmUp(): void {
    // Whether the server has the model loaded is its own affair.
  }

  async space(): Promise<string> {
    return `${this.#options.model} at ${this.#options.baseUrl}`
  }

  isLike(space: string): boolean {
    return space === `${this.#options.model} at ${this.#options.baseUrl}`
  }

  async embed(text: string, priority: EmbeddingPriority): Promise<Float32Array> {
    if (priority === 'now') return await this.#askSoon(text)
    if (this.#backgroundCount >= maxBackground)
      await new Promise<void>((resolve) => void this.#waiting.push(resolve))
    this.#backgroundCount += 1
    try {
      return await this.#ask(text)
    } finally {
      this.#backgroundCount -= 1
      this.#waiting.shift()?.()
    }
  }

  /** While an answer is late no other question is kept waiting; what comes late still counts. */
  async #askSoon(text: string): Promise<Float32Array> {
    const timer = setTimeout(() => this.#rest(), this.#options.lateMs ?? usualLateMs)
    try {
      const vector = await this.#ask(text)
      this.#readyAgainAt = 0
      return vector
    } finally {
      clearTimeout(timer)
    }
  }

  #rest(): void {
    this.#readyAgainAt = this.#options.now() + restMs
  }

  async #ask(text: string): Promise<Float32Array> {
    const { model, patienceMs = usualPatienceMs } = this.#options
    const ending = new AbortController()
    const timer = setTimeout(() => ending.abort(), patienceMs)
    const signal = AbortSignal.any([this.#closing.signal, ending.signal])
    const input = text.slice(0, maxCharacters).toWellFormed().trim()
    try {
      signal.throwIfAborted()
      this.#options.onAsk?.()
      // Some servers refuse an empty text.
      const body = { model, input: input === '' ? '.' : input, encoding_format: 'float' }
      const response = await postJson(this.#options, '/embeddings', { body, signal })
      return vectorOf(await response.json())
    } catch (cause) {
      this.#rest()
      throw new EmbedderUnavailableError('the endpoint did not embed the text', { cause })
    } finally {
      clearTimeout(timer)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    for (const go of this.#waiting.splice(0)) go()
  }
}

/** Of length 1. Throws where the answer has no vector. */
function vectorOf(answer: unknown): Float32Array {
  const [first] = (answer as { data?: readonly { embedding?: unknown }[] }).data ?? []
  const values: readonly unknown[] = Array.isArray(first?.embedding) ? first.embedding : []
  const vector = Float32Array.from(values, Number)
  const length = Math.hypot(...vector)
  if (!(length > 0 && Number.isFinite(length))) throw new Error('there is no vector in the answer')
  return vector.map((value) => value / length)
}
