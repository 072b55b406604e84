// Search on the icons of lucide-static: their tags as questions (the answers are the icons that carry
// the tag and do not have it in their name), then misspelt and partial names, then time at size.

import { readIconSynonyms } from '../src/adapters/models/icon-synonyms.ts'
import { MinilmEmbedder } from '../src/adapters/models/minilm-embedder.ts'
import { MemoryVectorStore } from '../src/adapters/memory/media/memory-vector-store.ts'
import { type Documents } from '../src/domain/search/documents.ts'
import { followIndex } from '../src/domain/search/follow-index.ts'
import { createQuestionVectors } from '../src/domain/search/vectors/question-vectors.ts'
import { createSearch } from '../src/domain/search/search.ts'
import { wordsOf } from '../src/domain/search/words/words.ts'
import type { AssetRecord } from '../src/ports/records/asset.ts'
import { percentile, report, type Row } from './harness.ts'
import { readLucideTags } from './lucide.ts'

const seed = 20_261_120
const maxTagQuestions = 1_500
/** Of these nothing was looked at while the rules were made. */
const heldOutQuestions = 750
const at = new Date(0)
const zone = { name: 'icons', createdAt: at, enabled: true, suspended: false }

const assetOf = (name: string, category = 'icons'): AssetRecord => ({
  path: `icons/v1/${category}/${name}.svg`,
  zone: 'icons',
  category,
  name: `${name}.svg`,
  format: 'svg',
  sizeBytes: 300,
  sha256: '0'.repeat(64),
  contentType: 'image/svg+xml',
  createdAt: at,
  changedAt: at,
  commitId: '0'.repeat(40),
})

function openBench(names: readonly string[]) {
  const assetByPath = new Map(names.map((name) => [assetOf(name).path, assetOf(name)]))
  const published = {
    asset: (path: string) => assetByPath.get(path),
    zone: () => zone,
    zones: () => [zone],
    zoneFiles: () => [...assetByPath.values()],
  }
  const embedder = new MinilmEmbedder()
  const index = followIndex({
    embedder,
    store: new MemoryVectorStore(),
    readSynonyms: readIconSynonyms,
    factsOf: async () => undefined,
    feed: { subscribe: () => ({ [Symbol.dispose]() {} }), after: async () => [] },
    published,
    log: console,
    maxVectors: 1_000_000,
  })
  const dependencies = { isLoaded: () => true, published, documents: () => index.documents() }
  const hybrid = createSearch({ ...dependencies, vectorOf: createQuestionVectors(index) })
  const byName = createSearch({ ...dependencies, vectorOf: async () => undefined })
  return { index, embedder, hybrid, byName, documents: (): Documents => index.documents() }
}

const tags = await readLucideTags()
const names = Object.keys(tags)
const iconsByTag = new Map<string, string[]>()
for (const [name, own] of Object.entries(tags))
  for (const tag of own) {
    const nameWords = new Set(wordsOf(name))
    if (wordsOf(tag).some((word) => nameWords.has(word))) continue
    iconsByTag.set(tag, [...(iconsByTag.get(tag) ?? []), name])
  }

/** A small generator of numbers that look random, the same for the same seed. */
function createRandom(state: number): (below: number) => number {
  let value = state
  return (below) => {
    value = (Math.imul(value, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((value / 2 ** 32) * below)
  }
}
const random = createRandom(seed)
const questions = [...iconsByTag]
  .map((entry) => ({ entry, order: random(2 ** 30) }))
  .toSorted((a, b) => a.order - b.order)
  .slice(0, maxTagQuestions)
  .map(({ entry }) => entry)

const bench = openBench(names)
const startedAt = performance.now()
bench.embedder.warmUp()
while (!bench.embedder.isReady) await Bun.sleep(10)
const readyMs = performance.now() - startedAt
await bench.index.settled()
const indexingPerSecond = (names.length * 1_000) / (performance.now() - startedAt - readyMs)

type Engine = typeof bench.hybrid
const top = async (engine: Engine, question: string) =>
  (await engine.search({ question, limit: 5 })).results.map(({ asset }) => asset.name.slice(0, -4))

/** The part of what could be among the first five that is, as a mean over all questions. */
async function tagRecall(engine: Engine, asked = questions): Promise<number> {
  let sum = 0
  for (const [tag, icons] of asked) {
    const found = await top(engine, tag)
    sum += found.filter((name) => icons.includes(name)).length / Math.min(5, icons.length)
  }
  return sum / asked.length
}

function misspelt(name: string): string {
  const place = 1 + random(name.length - 2)
  const [head, letter, next] = [name.slice(0, place), name[place] ?? '', name[place + 1] ?? '']
  const rest = name.slice(place + 1)
  switch (random(3)) {
    case 0:
      return head + rest
    case 1:
      return head + next + letter + name.slice(place + 2)
    default:
      return head + letter + letter + rest
  }
}

async function nameRecall(engine: Engine, spoil: (name: string) => string): Promise<number> {
  const asked = names
    .filter((name) => name.length >= 6 && !/\d/u.test(name))
    .filter((_, i) => i % 5 === 0)
  let found = 0
  for (const name of asked) if ((await top(engine, spoil(name))).includes(name)) found += 1
  return found / asked.length
}

const vectorOfQuestion = createQuestionVectors(bench)
for (const [tag] of questions)
  while ((await vectorOfQuestion(tag)) === undefined) await Bun.sleep(5)
const rows: Row[] = [
  {
    what: `lucide tags (${questions.length} questions), recall@5`,
    figure: '≥ 0.25',
    measured: `${(await tagRecall(bench.hybrid)).toFixed(3)} (by names alone ${(await tagRecall(bench.byName)).toFixed(3)})`,
  },
  {
    what: `of these the first ${heldOutQuestions}, held out while the rules were made`,
    figure: '≥ 0.25',
    measured: (await tagRecall(bench.hybrid, questions.slice(0, heldOutQuestions))).toFixed(3),
  },
  {
    what: 'one slip of the finger, recall@5',
    figure: '≥ 0.95',
    measured: `${(await nameRecall(bench.hybrid, misspelt)).toFixed(3)} (by names alone ${(await nameRecall(bench.byName, misspelt)).toFixed(3)})`,
  },
  {
    what: 'the first two thirds of a name, recall@5',
    figure: '≥ 0.95',
    measured: (
      await nameRecall(bench.hybrid, (name) => name.slice(0, Math.ceil((name.length * 2) / 3)))
    ).toFixed(3),
  },
  {
    what: 'model ready after start',
    figure: '≤ 4 s',
    measured: `${(readyMs / 1_000).toFixed(1)} s`,
  },
  {
    what: 'indexing by meaning',
    figure: '≥ 100/s native',
    measured: `${indexingPerSecond.toFixed(0)}/s with ${await bench.embedder.space()}`,
  },
]
const times: number[] = []
for (const [tag] of questions.slice(0, 300)) {
  const start = performance.now()
  await bench.hybrid.search({ question: `${tag} `, limit: 20 })
  times.push(performance.now() - start)
}
rows.push({
  what: `search p50 / p95 at ${names.length} assets, question known`,
  figure: 'p95 ≤ 25 ms',
  measured: `${percentile(times, 0.5).toFixed(1)} / ${percentile(times, 0.95).toFixed(1)} ms`,
})
await report('search', rows)
await bench.index[Symbol.asyncDispose]()
