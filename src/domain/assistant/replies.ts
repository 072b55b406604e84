import type { ChatModel } from '../../ports/media/chat-model.ts'
import { ChatModelUnavailableError } from '../../ports/media/chat-model.ts'
import type { Assistant, Conversation } from './assistant.ts'
import { checkedSentences } from './checked-sentences.ts'
import type { Confidence, Draft, Source } from './knowledge/draft.ts'
import type { PreparedAction } from './knowledge/prepared-action.ts'
import { promptOf } from './prompt.ts'

/** Who wrote an answer: a model, or nobody, because it is made of what was found. */
export type Author = 'model' | 'extractive'

export type ReplyEvent =
  | {
      readonly kind: 'metadata'
      readonly sources: readonly Source[]
      readonly confidence: Confidence
      readonly author: Author
      readonly isDegraded: boolean
      /** What whoever asked may confirm. */
      readonly actions: readonly PreparedAction[]
    }
  | { readonly kind: 'token'; readonly text: string }
  | {
      readonly kind: 'done'
      readonly followUps: readonly string[]
      /** Whether something that was to help did not, as is known in the end. */
      readonly isDegraded: boolean
    }

/** An answer that has been found and is to be sent. */
export type Reply = (signal: AbortSignal) => AsyncIterable<ReplyEvent>

export interface Replies {
  /** Finds the answer. What is sent begins with metadata and ends with `done`, whatever a model does. */
  prepare(conversation: Conversation): Promise<Reply>
}

interface Dependencies {
  readonly assistant: Assistant
  /** Writes the answers that need not be exact; without one what was found is the answer. */
  readonly model: ChatModel | undefined
  readonly onModelFault: (error: unknown) => void
}

const notice = '\n\nThe model did not finish. What was found:\n'

export function createReplies({ assistant, model, onModelFault }: Dependencies): Replies {
  async function* written(
    { conversation, draft }: { conversation: Conversation; draft: Draft },
    { model: writer, signal }: { model: ChatModel; signal: AbortSignal },
  ): AsyncGenerator<ReplyEvent> {
    const sentences = checkedSentences(
      writer.reply(promptOf(conversation, draft), signal),
      groundsOf(draft),
    )
    let hasBegun = false
    try {
      for await (const text of sentences) {
        if (!hasBegun) yield metadataOf(draft, 'model')
        hasBegun = true
        yield { kind: 'token', text }
      }
    } catch (error) {
      if (!(error instanceof ChatModelUnavailableError)) throw error
      if (signal.aborted) return
      onModelFault(error)
      if (hasBegun) {
        yield { kind: 'token', text: notice }
        yield* tokensAndEnd({ ...draft, isDegraded: true })
        return
      }
    }
    if (!hasBegun) yield* extracted({ ...draft, isDegraded: true })
    else yield { kind: 'done', followUps: draft.followUps, isDegraded: draft.isDegraded }
  }

  return {
    async prepare(conversation) {
      const draft = await assistant.answer(conversation)
      return (signal) =>
        model === undefined || draft.isExact
          ? extracted(draft)
          : written({ conversation, draft }, { model, signal })
    },
  }
}

async function* extracted(draft: Draft): AsyncGenerator<ReplyEvent> {
  yield metadataOf(draft, 'extractive')
  yield* tokensAndEnd(draft)
}

async function* tokensAndEnd(draft: Draft): AsyncGenerator<ReplyEvent> {
  for (const [text] of draft.text.matchAll(/.+?(?:[.!?](?=\s)|\n|$)\s*/gsu))
    yield { kind: 'token', text }
  yield { kind: 'done', followUps: draft.followUps, isDegraded: draft.isDegraded }
}

const metadataOf = (draft: Draft, author: Author): ReplyEvent => ({
  kind: 'metadata',
  sources: draft.sources,
  confidence: draft.confidence,
  author,
  isDegraded: draft.isDegraded,
  actions: draft.actions,
})

const groundsOf = ({ text, sources }: Draft) => ({
  sourceCount: sources.length,
  paths: [text, ...sources.flatMap(({ title, url, content }) => [title, url, content])].join('\n'),
  urls: sources.map(({ isOurs, content }) => (isOurs ? content : '')).join('\n'),
})
