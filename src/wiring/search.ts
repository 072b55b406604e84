import { readIconSynonyms } from '../adapters/models/icon-synonyms.ts'
import { MinilmEmbedder } from '../adapters/models/minilm-embedder.ts'
import { SqlVectorStore } from '../adapters/sql/sql-vector-store.ts'
import { followIndex } from '../domain/search/follow-index.ts'
import { createQuestionVectors } from '../domain/search/question-vectors.ts'
import { createSearch, type Search } from '../domain/search/search.ts'
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

/** Nothing is loaded here: the index and the model come in the background. */
export function openSearch({ config, log }: World, opened: Opened): Search {
  const { stores, publishing, media, opening } = opened
  const { catalog, feed } = publishing
  const embedder = new MinilmEmbedder({
    isOff: config.searchesByNameOnly,
    onRefused: (reason) => log.warn('search works by names alone', { reason }),
  })
  const index = opening.use(
    followIndex({
      embedder,
      store: new SqlVectorStore(stores.database),
      readSynonyms: readIconSynonyms,
      factsOf: (sha256) => media.media.known(sha256),
      feed,
      published: catalog,
      log,
      maxVectors,
    }),
  )
  return createSearch({
    documents: () => index.documents(),
    isLoaded: () => index.isLoaded,
    published: catalog,
    vectorOf: createQuestionVectors(embedder),
  })
}
