import { readIconSynonyms } from '../adapters/models/icon-synonyms.ts'
import { MinilmEmbedder } from '../adapters/models/minilm-embedder.ts'
import { OpenaiEmbedder } from '../adapters/openai/openai-embedder.ts'
import { SqlVectorStore } from '../adapters/sql/sql-vector-store.ts'
import { followIndex } from '../domain/search/follow-index.ts'
import { createQuestionVectors, type QuestionVectors } from '../domain/search/question-vectors.ts'
import { createSearch, type Search } from '../domain/search/search.ts'
import type { Embedder } from '../ports/embedder.ts'
import type { Media } from './media.ts'
import type { Publishing } from './publishing.ts'
import type { Stores } from './stores.ts'
import type { World } from './world.ts'

/** Of half a million assets the meaning takes about 220 MB; of more, the names alone are searched. */
const maxVectors = 500_000

interface Opened {
  readonly stores: Stores
  readonly publishing: Publishing
  readonly media: Media
  readonly opening: AsyncDisposableStack
}

export type SearchParts = ReturnType<typeof openSearch>

/** Nothing is loaded here: the index and the model come in the background. */
export function openSearch(world: World, opened: Opened) {
  const { log } = world
  const { stores, publishing, media, opening } = opened
  const { catalog, feed } = publishing
  const embedder = openEmbedder(world)
  const vectors = new SqlVectorStore(stores.database)
  const index = opening.use(
    followIndex({
      embedder,
      store: vectors,
      readSynonyms: readIconSynonyms,
      factsOf: (sha256) => media.media.known(sha256),
      feed,
      published: catalog,
      log,
      maxVectors,
    }),
  )
  opening.use(media.texts.subscribe((path) => index.renew(path)))
  /** A search of its own patience with the model. */
  const searchWith = (vectorOf: QuestionVectors): Search =>
    createSearch({
      documents: () => index.documents(),
      isLoaded: () => index.isLoaded,
      published: catalog,
      vectorOf,
    })
  const search = searchWith(createQuestionVectors(embedder, maxWaitMs(world)))
  return { search, searchWith, index, embedder, vectors }
}

function openEmbedder({ config, log, monotonicMs: now }: World): Embedder {
  const { embedBaseUrl: baseUrl, embedModel: model, embedApiKey: apiKey } = config
  if (baseUrl !== undefined && model !== undefined && !config.searchesByNameOnly)
    return new OpenaiEmbedder({ baseUrl, model, apiKey, now })
  return new MinilmEmbedder({
    isOff: config.searchesByNameOnly,
    onRefused: (reason) => log.warn('search works by names alone', { reason }),
  })
}

/** After this an answer by names alone is better than one that is late. */
const maxWaitMs = ({ config }: World): number => (config.embedBaseUrl === undefined ? 200 : 1_000)
