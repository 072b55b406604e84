export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** Writes text, piece by piece. */
export interface ChatModel {
  /**
   * The next answer of a conversation, in pieces, as they come. Ends with the answer. Whatever goes wrong,
   * before the first piece or after, and an abort, is a `ChatModelUnavailableError`, and
   * comes within the adapter's patience: nothing waits for ever.
   */
  reply(messages: readonly ChatMessage[], signal: AbortSignal): AsyncIterable<string>
}

/** The model did not answer, or not to the end. Whoever asks does without. */
export class ChatModelUnavailableError extends Error {
  override readonly name = 'ChatModelUnavailableError'
}
