import { readIconSynonyms } from '../adapters/models/icon-synonyms.ts'
import { MinilmEmbedder } from '../adapters/models/minilm-embedder.ts'
import { OpenaiEmbedder } from '../adapters/openai/openai-embedder.ts'
import type { Catalog } from '../domain/catalog/catalog.ts'
import { hasExpired } from '../domain/content/delivered/expiry.ts'
import type { CallCounter } from '../domain/insights/call-counter.ts'
import { followIndex } from '../domain/search/follow-index.ts'
import type { MeaningModels } from '../domain/search/meanings.ts'
import { createQuestionVectors } from '../domain/search/vectors/question-vectors.ts'
import { createSearch, type Search } from '../domain/search/search.ts'
import type { Calm } from '../lib/async/calm.ts'
import { collectAfterStart } from '../lib/collect-after-start.ts'
import type { ChildBox } from '../lib/box/child-box.ts'
import type { VectorStore } from '../ports/media/vector-store.ts'
import type { MediaFacts } from '../ports/media/media-facts-store.ts'
import type { Feed } from '../ports/records/manifest.ts'
import type { Sighting } from '../ports/records/vision/sighting.ts'
import type { World } from './world.ts'

/** Of a million assets the meaning takes about 450 MB; of more, the names alone are searched. */
const maxVectors = 1_000_000

interface Opened {
  readonly published: Catalog
  readonly feed: Feed
  readonly box: ChildBox
  /** What has been found out about bytes so far; asks nobody. */
  readonly factsOf: (sha256: string) => Promise<MediaFacts | undefined>
  /** Told which bytes are asked about next, many at once. */
  readonly recall?: (sha256s: readonly string[]) => Promise<void>
  readonly sightingOf: (sha256: string) => Promise<Sighting | undefined>
  /** Each tells the path of a file that more has been found out about. */
  readonly findings: readonly { subscribe(listener: (path: string) => void): Disposable }[]
  readonly vectors: VectorStore
  readonly calls: Pick<CallCounter, 'count'>
  /** What else a model has to know before it answers. */
  readonly learn?: NonNullable<MeaningModels['learn']>
  readonly opening: AsyncDisposableStack
  /** Waited for before files are described and embedded. */
  readonly calm?: Calm
}

type SearchWorld = Pick<World, 'config' | 'log' | 'monotonicMs' | 'now'>

/** Nothing is loaded here: the index and the model come in the background. */
export function openSearch(world: SearchWorld, opened: Opened) {
  const { log } = world
  const { published, factsOf, recall, sightingOf, findings, vectors, learn, opening, calm } = opened
  const { probe, ...models } = openEmbedders(world, opened.box, opened.calls)
  const index = opening.use(
    followIndex({
      ...models,
      ...(learn && { learn }),
      ...(calm && { calm }),
      store: vectors,
      readSynonyms: readIconSynonyms,
      factsOf,
      ...(recall && { recall }),
      sightingOf,
      feed: opened.feed,
      published,
      log,
      maxVectors,
    }),
  )
  for (const found of findings) opening.use(found.subscribe((path) => index.renew(path)))
  // The index is what a start has last.
  opening.use(collectAfterStart(() => published.isKeptUp && index.isLoaded))
  /** A search that waits so long for the model. */
  const searchWithin = (waitMs: number): Search =>
    createSearch({
      documents: () => index.documents(),
      isLoaded: () => index.isLoaded,
      published,
      knownOf: async (sha256) => ({
        facts: await factsOf(sha256),
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
  { config, log, monotonicMs: now }: SearchWorld,
  box: ChildBox,
  calls: Pick<CallCounter, 'count'>,
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
const maxWaitMs = ({ config }: SearchWorld): number =>
  config.embedBaseUrl === undefined ? 200 : 1_000
