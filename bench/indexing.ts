// How fast files come to be found by meaning, with each engine that can run the model: icons of
// lucide-static with their synonyms, nothing kept before, vectors kept in SQLite. Then what one text
// takes, how soon the model is there, and how far the vectors of both engines are apart.
import tags from 'lucide-static/tags.json'
import { join } from 'node:path'

import type { EngineName } from '../src/adapters/models/engines.ts'
import { readIconSynonyms } from '../src/adapters/models/icon-synonyms.ts'
import { MinilmEmbedder } from '../src/adapters/models/minilm-embedder.ts'
import { SqlVectorStore } from '../src/adapters/sql/sql-vector-store.ts'
import { openSqliteDatabase } from '../src/adapters/sql/sqlite-database.ts'
import { followIndex } from '../src/domain/search/follow-index.ts'
import { meaningTexts } from '../src/domain/search/index-text.ts'
import type { AssetRecord } from '../src/ports/publication-store.ts'
import { temporaryDirectory } from '../test/support/service-process.ts'
import { median, percentile, report, type Row } from './harness.ts'

const rounds = 3
const assetsARound = 600
const at = new Date(0)
const zone = { name: 'icons', createdAt: at, enabled: true, suspended: false }
const engines: readonly EngineName[] = ['native', 'web']

const assetOf = (name: string): AssetRecord => ({
  path: `icons/v1/icons/${name}.svg`,
  zone: 'icons',
  category: 'icons',
  name: `${name}.svg`,
  format: 'svg',
  sizeBytes: 300,
  sha256: '0'.repeat(64),
  contentType: 'image/svg+xml',
  createdAt: at,
  changedAt: at,
  commitId: '0'.repeat(40),
})
const assets = Object.keys(tags).slice(0, assetsARound).map(assetOf)
const assetByPath = new Map(assets.map((asset) => [asset.path, asset]))

/** Files a second, from the moment the model is there. */
async function indexingRate(engine: EngineName): Promise<number> {
  await using directory = await temporaryDirectory()
  await using database = await openSqliteDatabase({ file: join(directory.path, 'bench.sqlite') })
  const embedder = new MinilmEmbedder({ engines: [engine] })
  await embedder.space()
  const start = performance.now()
  await using index = followIndex({
    embedder,
    store: new SqlVectorStore(database),
    readSynonyms: readIconSynonyms,
    factsOf: async () => undefined,
    feed: { subscribe: () => ({ [Symbol.dispose]() {} }), after: async () => [] },
    published: {
      asset: (path) => assetByPath.get(path),
      zones: () => [zone],
      zoneFiles: () => assets,
    },
    log: console,
    maxVectors: 10_000,
  })
  await index.settled()
  if (index.documents().vectors.count !== assets.length) throw new Error('some have no vector')
  return (assets.length * 1_000) / (performance.now() - start)
}

async function readyMs(engine: EngineName): Promise<number> {
  const start = performance.now()
  await using embedder = new MinilmEmbedder({ engines: [engine] })
  embedder.warmUp()
  while (!embedder.isReady) await Bun.sleep(5)
  return performance.now() - start
}

const synonyms = await readIconSynonyms()
const texts = assets.flatMap((asset) => meaningTexts(asset, (name) => synonyms.get(name)))

async function embedAll(engine: EngineName, sample: readonly string[]) {
  await using embedder = new MinilmEmbedder({ engines: [engine] })
  await embedder.space()
  const vectors: Float32Array[] = []
  const times: number[] = []
  for (const text of sample) {
    const start = performance.now()
    vectors.push(await embedder.embed(text, 'now'))
    times.push(performance.now() - start)
  }
  return { vectors, times }
}

const rates = new Map<EngineName, number[]>(engines.map((engine) => [engine, []]))
const loads = new Map<EngineName, number[]>(engines.map((engine) => [engine, []]))
for (let round = 0; round < rounds; round += 1)
  for (const engine of round % 2 === 0 ? engines : engines.toReversed()) {
    loads.get(engine)?.push(await readyMs(engine))
    rates.get(engine)?.push(await indexingRate(engine))
  }
const sample = texts.filter((_, place) => place % 4 === 0)
const [native, web] = [await embedAll('native', sample), await embedAll('web', sample)]
const cosines = native.vectors.map((vector, place) =>
  vector.reduce((sum, value, part) => sum + value * (web.vectors[place]?.[part] ?? 0), 0),
)

const name = { native: 'native', web: 'WebAssembly' }
const figures = { native: ['≥ 100/s', '≤ 2 s'], web: ['–', '≤ 4 s'] } as const
const rows: Row[] = engines.flatMap((engine) => {
  const { times } = engine === 'native' ? native : web
  return [
    {
      what: `indexing by meaning, ${name[engine]} (median of ${rounds} rounds in turn)`,
      figure: figures[engine][0],
      measured: `${median(rates.get(engine) ?? []).toFixed(0)} files/s`,
    },
    {
      what: `model ready after start, ${name[engine]}`,
      figure: figures[engine][1],
      measured: `${(median(loads.get(engine) ?? []) / 1_000).toFixed(2)} s`,
    },
    {
      what: `one text p50 / p95, ${name[engine]}, asked from the service's process`,
      figure: '–',
      measured: `${percentile(times, 0.5).toFixed(1)} / ${percentile(times, 0.95).toFixed(1)} ms`,
    },
  ]
})
rows.push(
  {
    what: 'texts a file, and distinct ones',
    figure: '–',
    measured: `${(texts.length / assets.length).toFixed(2)}, ${(new Set(texts).size / assets.length).toFixed(2)}`,
  },
  {
    what: `cosine of both engines' vectors of one text (${sample.length} texts), mean / least`,
    figure: '–',
    measured: `${(cosines.reduce((sum, each) => sum + each, 0) / cosines.length).toFixed(4)} / ${Math.min(...cosines).toFixed(4)}`,
  },
)
await report('indexing', rows)
