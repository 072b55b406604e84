import { SqlMediaFactsStore } from '../../adapters/sql/media/sql-media-facts-store.ts'
import { SqlSightingStore } from '../../adapters/sql/media/sql-sighting-store.ts'
import { SqlVectorStore } from '../../adapters/sql/media/sql-vector-store.ts'
import { inTurns } from '../../domain/feed.ts'
import { createColourIndex } from '../../domain/media/facts/colour-index.ts'
import type { Search } from '../../domain/search/search.ts'
import type { VectorStore } from '../../ports/media/vector-store.ts'
import { openSearch } from '../search.ts'
import { createLateFindings } from './late-findings.ts'
import type { ReadParts, ReadWorld } from './read-parts.ts'

/** What has been found out of files, read from the database: by it they are listed and searched here too. */
export function openFound(world: ReadWorld, parts: ReadParts): Search | undefined {
  const { database, catalog, replica, media, opening } = parts
  const { config, log, monotonicMs } = world
  const facts = new SqlMediaFactsStore(database)
  const sightings = new SqlSightingStore(database)
  // A node shows thousands of files at once; where they are found by their names they may come after another.
  const feed = inTurns(replica.feed, (error) => log.error('a feed subscriber failed', { error }))
  const findings = opening.use(createLateFindings(feed, monotonicMs))
  const factsOf = (sha256: string) => facts.find(sha256)
  catalog.knowColours(
    opening.use(
      createColourIndex({
        known: factsOf,
        published: catalog,
        all: () => catalog.all(),
        subscribe: (listener) => findings.subscribe(listener),
        onFault: (error) => log.warn('colours of images could not be read', { error }),
      }),
    ),
  )
  // What a model elsewhere is asked costs money and is counted, once: by the node that writes.
  if (config.embedBaseUrl !== undefined) return undefined
  const { search } = openSearch(world, {
    published: catalog,
    feed,
    box: media.box,
    factsOf,
    sightingOf: async (sha256) => (await sightings.find(sha256))?.sighting,
    findings: [findings],
    vectors: onlyRead(new SqlVectorStore(database)),
    calls: { count: () => {} },
    opening,
  })
  return search
}

/** Whoever writes keeps them; what is missing until then is worked out here and not kept. */
const onlyRead = (store: VectorStore): VectorStore => ({
  find: (space, keys) => store.find(space, keys),
  spaces: () => store.spaces(),
  save: async () => {},
  forgetOthers: async () => {},
})
