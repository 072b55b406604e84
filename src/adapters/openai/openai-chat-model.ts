import {
  type ChatMessage,
  type ChatModel,
  ChatModelUnavailableError,
} from '../../ports/media/chat-model.ts'
import { type Endpoint, postJson } from './endpoint.ts'
import { type CompletionStep, readCompletion } from './read-completion.ts'

interface Options extends Endpoint {
  /** How long the model may say nothing, before its first word and between words. */
  readonly patienceMs: number
  /** Told each time the model is asked. */
  readonly onAsk?: () => void
}

/** The whole of an answer may take so long. */
const maxMs = 60_000
const maxTokens = 800
const temperature = 0.2

/** A model behind the chat completions of the OpenAI API. */
export class OpenaiChatModel implements ChatModel {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  async *reply(messages: readonly ChatMessage[], signal: AbortSignal): AsyncGenerator<string> {
    const ending = new AbortController()
    const either = AbortSignal.any([signal, ending.signal])
    const timer = setTimeout(() => ending.abort(), maxMs)
    try {
      const steps = this.#steps(messages, either)
      for (;;) {
        const next = await this.#inTime(steps.next(), either)
        if (next.done === true) return
        if (next.value.text !== '') yield next.value.text
      }
    } catch (cause) {
      throw new ChatModelUnavailableError('the model did not answer to the end', { cause })
    } finally {
      clearTimeout(timer)
      // Whether it ended, failed, or nobody reads on: nothing is to be left open.
      ending.abort()
    }
  }

  async *#steps(
    messages: readonly ChatMessage[],
    signal: AbortSignal,
  ): AsyncGenerator<CompletionStep> {
    const { model } = this.#options
    this.#options.onAsk?.()
    const body = { model, messages, stream: true, temperature, max_tokens: maxTokens }
    yield* readCompletion(await postJson(this.#options, '/chat/completions', { body, signal }))
  }

  /** Does not rely on whether what is waited for heeds the signal. */
  async #inTime<T>(step: Promise<T>, signal: AbortSignal): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>()
    const { patienceMs } = this.#options
    const timer = setTimeout(() => reject(new Error(`nothing for ${patienceMs} ms`)), patienceMs)
    const onAbort = (): void =>
      reject(new Error('the answer is not wanted any more, or took too long'))
    signal.addEventListener('abort', onAbort)
    step.catch(() => {})
    try {
      signal.throwIfAborted()
      return await Promise.race([step, promise])
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
  }
}
