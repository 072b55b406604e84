import { readIconSynonyms } from '../adapters/models/icon-synonyms.ts'
import { MinilmEmbedder } from '../adapters/models/minilm-embedder.ts'
import { OpenaiEmbedder } from '../adapters/openai/openai-embedder.ts'
import { hasExpired } from '../domain/content/delivered/expiry.ts'
import type { CallCounter } from '../domain/insights/call-counter.ts'
import { followIndex } from '../domain/search/follow-index.ts'
import type { MeaningModels } from '../domain/search/meanings.ts'
import { createQuestionVectors } from '../domain/search/vectors/question-vectors.ts'
import { createSearch, type Search } from '../domain/search/search.ts'
import type { ChildBox } from '../lib/box/child-box.ts'
import type { VectorStore } from '../ports/media/vector-store.ts'
import type { SeenMedia } from './vision/vision.ts'
import type { Publishing } from './content/publishing.ts'
import type { World } from './world.ts'

/** Of a million assets the meaning takes about 450 MB; of more, the names alone are searched. */
const maxVectors = 1_000_000

interface Opened {
  readonly publishing: Publishing
  readonly media: SeenMedia
  readonly opening: AsyncDisposableStack
  readonly vectors: VectorStore
  readonly calls: CallCounter
  /** What else a model has to know before it answers. */
  readonly learn: NonNullable<MeaningModels['learn']>
}

/** Nothing is loaded here: the index and the model come in the background. */
export function openSearch(world: World, opened: Opened) {
  const { log } = world
  const { publishing, media, opening, vectors, learn } = opened
  const { catalog, feed } = publishing
  const { probe, ...models } = openEmbedders(world, media.box, opened.calls)
  const sightingOf = async (sha256: string) => (await media.vision.sightings.of(sha256))?.sighting
  const index = opening.use(
    followIndex({
      ...models,
      store: vectors,
      learn,
      readSynonyms: readIconSynonyms,
      factsOf: (sha256) => media.media.known(sha256),
      sightingOf,
      feed,
      published: catalog,
      log,
      maxVectors,
    }),
  )
  for (const found of [media.texts, media.imageFacts, media.vision.sightings])
    opening.use(found.subscribe((path) => index.renew(path)))
  /** A search that waits so long for the model. */
  const searchWithin = (waitMs: number): Search =>
    createSearch({
      documents: () => index.documents(),
      isLoaded: () => index.isLoaded,
      published: catalog,
      knownOf: async (sha256) => ({
        facts: await media.media.known(sha256),
        sighting: await sightingOf(sha256),
      }),
      isOver: (asset) => hasExpired(asset, world.now()),
      vectorOf: createQuestionVectors(index, waitMs),
    })
  return {
    search: searchWithin(maxWaitMs(world)),
    searchWithin,
    probe,
    isIndexLoaded: () => index.isLoaded,
  }
}

interface Probing {
  /** Rejects where search has lost its model. */
  readonly probe: () => Promise<void>
}

/** Until an endpoint has embedded every file the model that comes with the service can answer. */
function openEmbedders(
  { config, log, monotonicMs: now }: World,
  box: ChildBox,
  calls: CallCounter,
): Omit<MeaningModels, 'learn'> & Probing {
  const { embedBaseUrl: baseUrl, embedModel: model, embedApiKey: apiKey } = config
  let refusedBecause: string | undefined
  const probe = async (): Promise<void> => {
    if (refusedBecause !== undefined) throw new Error(refusedBecause)
  }
  const own = new MinilmEmbedder({
    box,
    isOff: config.searchesByNameOnly,
    onRefused(reason) {
      refusedBecause = reason
      log.warn('search works by names alone', { reason })
    },
    onSlower: (reason) => log.warn('the model runs in WebAssembly', { reason }),
  })
  if (baseUrl === undefined || model === undefined || config.searchesByNameOnly)
    return { embedder: own, probe }
  const endpoint = new OpenaiEmbedder({
    baseUrl,
    model,
    apiKey,
    now,
    onAsk: () => calls.count('embedding', ''),
  })
  return { embedder: endpoint, formerEmbedders: [own], probe }
}

/** After this a response by names alone is better than one that is late. */
const maxWaitMs = ({ config }: World): number => (config.embedBaseUrl === undefined ? 200 : 1_000)
