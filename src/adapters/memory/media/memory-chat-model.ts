import {
  type ChatMessage,
  type ChatModel,
  ChatModelUnavailableError,
} from '../../../ports/media/chat-model.ts'

/** What the model says, piece by piece; a fault where `undefined`. */
export type Script = (messages: readonly ChatMessage[]) => readonly (string | undefined)[]

/** A ChatModel for tests: says what a script says. */
export class MemoryChatModel implements ChatModel {
  readonly asked: (readonly ChatMessage[])[] = []
  readonly #script: Script

  constructor(script: Script) {
    this.#script = script
  }

  async *reply(messages: readonly ChatMessage[], signal: AbortSignal): AsyncGenerator<string> {
    this.asked.push(messages)
    for (const piece of this.#script(messages)) {
      if (piece === undefined || signal.aborted)
        throw new ChatModelUnavailableError('the script says so')
      yield piece
    }
    if (signal.aborted) throw new ChatModelUnavailableError('the answer is not wanted any more')
  }
}
