import { programFile } from '../lib/files/program-files.ts'
import { OpenaiChatModel } from '../adapters/openai/openai-chat-model.ts'
import { SqlVectorStore } from '../adapters/sql/media/sql-vector-store.ts'
import type { CallCounter } from '../domain/insights/call-counter.ts'
import { createAssistant } from '../domain/assistant/assistant.ts'
import { createDocumentationSearch } from '../domain/assistant/knowledge/documentation-search.ts'
import { createKnowledge, type Knowledge } from '../domain/assistant/knowledge/knowledge.ts'
import { parsePassages } from '../domain/assistant/knowledge/passage.ts'
import { readReadyMade } from '../domain/assistant/knowledge/ready-made-vectors.ts'
import { createReplies } from '../domain/assistant/replies.ts'
import type { Search } from '../domain/search/search.ts'
import type { ChatDependencies } from '../planes/chat/chat.ts'
import type { Limits } from './access/limits.ts'
import type { SeenMedia } from './vision/vision.ts'
import type { Publishing } from './content/publishing.ts'
import { openSearch } from './search.ts'
import type { Stores } from './content/stores.ts'
import type { World } from './world.ts'

interface Opened {
  readonly stores: Stores
  readonly publishing: Publishing
  readonly media: SeenMedia
  readonly limits: Pick<Limits, 'chats' | 'monthly'>
  readonly calls: CallCounter
  readonly opening: AsyncDisposableStack
}

interface Answering extends Opened {
  /** A search that waits for the model as long as a response does. */
  readonly search: Search
  readonly knowledge: Knowledge
}

const patienceMs = 3_000
/** After a start there is more urgent work; who asks before has it done at once. */
const prepareAfterMs = 30_000

/** A response begins soon, be it without the model. */
const maxWaitMs = ({ config }: World): number => (config.embedBaseUrl === undefined ? 75 : 1_000)

/** What is found, and what is answered with it. */
export async function openSearchAndChat(world: World, opened: Opened) {
  const vectors = new SqlVectorStore(opened.stores.database)
  const waitMs = maxWaitMs(world)
  const passages = await readPassages()
  const knowledge = createKnowledge({
    passages,
    readyMade: await readReadyMadeVectors(),
    store: vectors,
    maxWaitMs: waitMs,
  })
  const { publishing, media, calls, opening } = opened
  const preparing = setTimeout(() => void knowledge.prepare(), prepareAfterMs)
  opening.defer(() => clearTimeout(preparing))
  const found = {
    published: publishing.catalog,
    feed: publishing.feed,
    box: media.box,
    factsOf: (sha256: string) => media.media.known(sha256),
    recall: (sha256s: readonly string[]) => media.media.recall(sha256s),
    sightingOf: async (sha256: string) => (await media.vision.sightings.of(sha256))?.sighting,
    findings: [media.texts, media.imageFacts, media.vision.sightings],
  }
  const { search, searchWithin, probe, isIndexLoaded } = openSearch(world, {
    ...found,
    vectors,
    calls,
    opening,
    calm: publishing.calm,
    learn: (embedder, signal) => knowledge.learn(embedder, signal),
  })
  const chat = openChat(world, { ...opened, knowledge, search: searchWithin(waitMs) })
  const documentation = createDocumentationSearch({ passages, knowledge })
  return { search, documentation, chat, probeSearch: probe, isIndexLoaded }
}

/** The assistant, which knows the documentation that comes with the service. */
function openChat(world: World, answering: Answering): ChatDependencies['chat'] {
  const { config, log } = world
  const { limits, publishing, media, calls, search, knowledge } = answering
  const { chatBaseUrl: baseUrl, chatModel, chatApiKey: apiKey } = config
  return {
    replies: createReplies({
      assistant: createAssistant({
        catalog: publishing.catalog,
        now: world.now,
        search,
        knowledge,
        factsOf: (sha256) => media.media.known(sha256),
      }),
      model:
        baseUrl === undefined
          ? undefined
          : new OpenaiChatModel({
              baseUrl,
              model: chatModel ?? '',
              apiKey,
              patienceMs,
              onAsk: () => calls.count('chat', ''),
            }),
      onModelFault: (error) => log.warn('the chat model did not answer', { error }),
    }),
    quota: limits.chats,
    quotaOf: limits.monthly.chats,
    onFault: (error) => log.error('a chat answer could not be finished', { error }),
  }
}

const readReadyMadeVectors = async () => {
  const file = Bun.file(programFile('docs/knowledge.vectors'))
  return (await file.exists()) ? readReadyMade(await file.bytes()) : undefined
}

const readPassages = async () =>
  parsePassages(await Bun.file(programFile('docs/knowledge.jsonl')).text())
