import { OpenaiChatModel } from '../adapters/openai/openai-chat-model.ts'
import { createQuota } from '../domain/access/quota.ts'
import { createAssistant } from '../domain/assistant/assistant.ts'
import { createKnowledge, type Knowledge } from '../domain/assistant/knowledge.ts'
import { parsePassages } from '../domain/assistant/passage.ts'
import { createReplies } from '../domain/assistant/replies.ts'
import { createQuestionVectors } from '../domain/search/question-vectors.ts'
import { EmbedderUnavailableError } from '../ports/embedder.ts'
import type { ChatDependencies } from '../planes/chat/chat.ts'
import type { Media } from './media.ts'
import type { Publishing } from './publishing.ts'
import { openSearch, type SearchParts } from './search.ts'
import type { Stores } from './stores.ts'
import type { World } from './world.ts'

interface Opened {
  readonly stores: Stores
  readonly publishing: Publishing
  readonly media: Media
  readonly opening: AsyncDisposableStack
}

interface OpenedWithSearch extends Opened {
  readonly searching: SearchParts
}

const messagesAMonth = 1_000
const patienceMs = 3_000

/** An answer begins soon, be it without the model. */
const maxWaitMs = ({ config }: World): number => (config.embedBaseUrl === undefined ? 75 : 1_000)

/** What is found, and what is answered with it. */
export async function openSearchAndChat(world: World, opened: Opened) {
  const searching = openSearch(world, opened)
  return { search: searching.search, chat: await openChat(world, { ...opened, searching }) }
}

/** The assistant, which knows the documentation that comes with the service. */
async function openChat(world: World, opened: OpenedWithSearch): Promise<ChatDependencies['chat']> {
  const { config, log, now } = world
  const { stores, publishing, media, searching, opening } = opened
  const { embedder, vectors } = searching
  const vectorOf = createQuestionVectors(embedder, maxWaitMs(world))
  const knowledge = createKnowledge({
    passages: await readPassages(),
    vectorOf,
    embedder,
    store: vectors,
  })
  learnInBackground({ knowledge, searching, opening, onFault: warn })
  const { chatBaseUrl: baseUrl, chatModel, chatApiKey: apiKey } = config
  return {
    replies: createReplies({
      assistant: createAssistant({
        catalog: publishing.catalog,
        search: searching.searchWith(vectorOf),
        knowledge,
        factsOf: (sha256) => media.media.known(sha256),
      }),
      model:
        baseUrl === undefined
          ? undefined
          : new OpenaiChatModel({ baseUrl, model: chatModel ?? '', apiKey, patienceMs }),
      onModelFault: (error) => log.warn('the chat model did not answer', { error }),
    }),
    quota: createQuota({
      store: stores.quotas,
      name: 'chat',
      limit: messagesAMonth,
      window: 'month',
      now,
    }),
    onFault: (error) => log.error('a chat answer could not be finished', { error }),
  }

  function warn(error: unknown): void {
    if (!(error instanceof EmbedderUnavailableError))
      log.warn('what the documentation means could not be worked out', { error })
  }
}

const readPassages = async () =>
  parsePassages(await Bun.file(new URL('../../docs/knowledge.jsonl', import.meta.url)).text())

interface Learning {
  readonly knowledge: Knowledge
  readonly searching: SearchParts
  readonly opening: AsyncDisposableStack
  readonly onFault: (error: unknown) => void
}

/** After the files: those are asked for first. */
function learnInBackground({ knowledge, searching, opening, onFault }: Learning): void {
  const stopping = new AbortController()
  opening.defer(() => stopping.abort())
  void searching.index
    .settled()
    .then(() => knowledge.complete(stopping.signal))
    .catch((error: unknown) => {
      if (!stopping.signal.aborted) onFault(error)
    })
}
