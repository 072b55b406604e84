// How fast files come to be found by meaning, with each engine that can run the model: icons of
// lucide-static with their synonyms, nothing kept before, vectors kept in SQLite. Then what one text
// takes, how soon the model is there, how far the vectors of both engines are apart, and how soon an
// upload to a running service is found by what it means.
import { join } from 'node:path'

import type { EngineName } from '../src/adapters/models/engines.ts'
import { readIconSynonyms } from '../src/adapters/models/icon-synonyms.ts'
import { MinilmEmbedder } from '../src/adapters/models/minilm-embedder.ts'
import { SqlVectorStore } from '../src/adapters/sql/media/sql-vector-store.ts'
import { openSqliteDatabase } from '../src/adapters/sql/sqlite/sqlite-database.ts'
import { followIndex } from '../src/domain/search/follow-index.ts'
import { meaningTexts } from '../src/domain/search/words/index-text.ts'
import type { AssetRecord } from '../src/ports/records/asset.ts'
import { openInProcess } from '../test/support/in-process-service.ts'
import { temporaryDirectory } from '../test/support/service-process.ts'
import { median, percentile, report, type Row } from './harness.ts'
import { readLucideTags } from './lucide.ts'

const rounds = 3
const assetsARound = 300
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
const assets = Object.keys(await readLucideTags())
  .slice(0, assetsARound)
  .map(assetOf)
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

/** Names, and questions that mean them without saying them. */
const meant: Readonly<Record<string, string>> = {
  violin: 'musical instrument',
  trash: 'garbage bin',
  airplane: 'flying to a holiday',
  carrot: 'healthy vegetable',
  hammer: 'tool for nails',
  penguin: 'bird on the ice',
  dollar: 'american money',
  umbrella: 'protection from rain',
}

/** From the response to an upload until a search by meaning has it. */
async function foundByMeaningMs(): Promise<readonly number[]> {
  await using service = await openInProcess({
    environment: { SEARCH_BY_NAME_ONLY: 'false', TRUSTED_PROXIES: '127.0.0.1' },
  })
  await service.createZone('acme')
  let asked = 0
  const found = async (question: string): Promise<readonly string[]> => {
    asked += 1
    // Each question comes from an address of its own, so that no limit is reached.
    const headers = { 'X-Forwarded-For': `203.0.${asked >> 8}.${asked & 255}` }
    const path = `/api/search?q=${encodeURIComponent(question)}`
    const response = await service.fetch(path, { headers })
    const { results } = (await response.json()) as { results: { name: string }[] }
    return results.map(({ name: each }) => each)
  }
  const times: number[] = []
  for (const [noun, question] of Object.entries(meant)) {
    await service.storage('PUT', `acme/v1/pictures/${noun}.txt`, { body: noun })
    const start = performance.now()
    while (!(await found(question)).includes(`${noun}.txt`)) {
      if (performance.now() - start > 30_000) throw new Error(`${noun} is not found`)
      await Bun.sleep(5)
    }
    times.push(performance.now() - start)
  }
  return times
}

/** Until a service that is opened has answered; the model is loaded meanwhile or not. */
async function firstResponseMs(isByNameOnly: boolean): Promise<number> {
  const start = performance.now()
  await using service = await openInProcess({
    environment: { SEARCH_BY_NAME_ONLY: String(isByNameOnly) },
  })
  await service.fetch('/api/search?q=house')
  return performance.now() - start
}

const byMeaningTimes = await foundByMeaningMs()
const firstResponses = { with: [] as number[], without: [] as number[] }
for (let round = 0; round < rounds * 2; round += 1) {
  firstResponses.with.push(await firstResponseMs(false))
  firstResponses.without.push(await firstResponseMs(true))
}

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
    what: `an upload found by meaning, after its answer, middle / longest of ${byMeaningTimes.length} (the first waits for the model)`,
    figure: '≤ 2 s',
    measured: `${(median(byMeaningTimes) / 1_000).toFixed(2)} / ${(Math.max(...byMeaningTimes) / 1_000).toFixed(2)} s`,
  },
  {
    what: 'opening a service until its first answer, with the model against without (medians in turn)',
    figure: 'no delay',
    measured: `${(median(firstResponses.with) / median(firstResponses.without)).toFixed(2)}x (${median(firstResponses.with).toFixed(0)} ms)`,
  },
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
