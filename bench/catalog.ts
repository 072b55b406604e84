import { readFileSync } from 'node:fs'

import { type Catalog, createCatalog } from '../src/domain/catalog/catalog.ts'
import type { AssetQuery } from '../src/domain/catalog/listing.ts'
import { sortDirections, sortKeys } from '../src/domain/catalog/order/sort-orders.ts'
import type { AssetRecord } from '../src/ports/records/asset.ts'
import type { ZoneRecord } from '../src/ports/records/zone.ts'
import { iconNames, makeAsset, makeAssets, zoneName } from './catalog-assets.ts'
import { createPeer } from './catalog-peer.ts'
import { median, percentile, report, type Row } from './harness.ts'

/** Every kind of query over 100,000 assets, in process: alone, beside SQLite, and while writes come in. */
const assetCount = Number(process.argv[2] ?? 100_000)
const limitMs = 5
const rounds = 400
const writesPerSecond = 200
const writingSeconds = 15

const query = (changes: Partial<AssetQuery> = {}): AssetQuery => ({
  sort: 'name',
  order: 'asc',
  page: 1,
  perPage: 50,
  ...changes,
})

interface Kind {
  readonly name: string
  readonly queries: readonly AssetQuery[]
}

const lastPage = Math.ceil(assetCount / 50)
const kinds: readonly Kind[] = [
  { name: 'first page', queries: [query()] },
  { name: 'deep page', queries: [query({ page: lastPage >> 1 })] },
  { name: 'last page', queries: [query({ page: lastPage })] },
  { name: 'page of 200', queries: [query({ perPage: 200, page: 3 })] },
  ...sortKeys.map((sort) => ({
    name: `sort ${sort}, both ways, deep`,
    queries: sortDirections.map((order) => query({ sort, order, page: lastPage >> 2 })),
  })),
  {
    name: 'project, by size down',
    queries: [1, 30, 60, 90].map((index) =>
      query({ project: zoneName(index), sort: 'size', order: 'desc' }),
    ),
  },
  { name: 'category', queries: ['icons', 'logos'].map((category) => query({ category })) },
  {
    name: 'format, last page',
    queries: ['svg', 'png'].map((format) => query({ format, page: assetCount / 5_000 })),
  },
  {
    name: 'category and format, by date down',
    queries: [query({ category: 'icons', format: 'svg', sort: 'date', order: 'desc' })],
  },
  {
    name: 'ten zones of a token',
    queries: [
      query({
        zones: new Set(Array.from({ length: 10 }, (_, n) => zoneName(n * 7))),
        sort: 'date',
      }),
    ],
  },
  { name: 'rare word', queries: ['accessibility-', 'zoom-in-1', 'drum-'].map(ofWords) },
  { name: 'common word', queries: ['arrow', 'icons', 'circle'].map(ofWords) },
  { name: 'word in every path', queries: ['zone-', '/v1/'].map(ofWords) },
  { name: 'absent word', queries: ['absent', 'qqzz', 'zoomzoom'].map(ofWords) },
  { name: '1 character', queries: ['a', 'z', '7'].map(ofWords) },
  { name: '2 characters', queries: ['ar', 'sv', 'q7'].map(ofWords) },
  { name: 'two words', queries: ['arrow down', 'circle icons', 'zone a'].map(ofWords) },
  {
    name: 'word, project and format, by size',
    queries: [query({ words: ['arrow'], project: zoneName(3), format: 'svg', sort: 'size' })],
  },
]

function ofWords(text: string): AssetQuery {
  return query({ words: text.split(' ') })
}

const assets = makeAssets(assetCount)
const zones: readonly ZoneRecord[] = Array.from({ length: 500 }, (_, index) => ({
  name: zoneName(index),
  createdAt: new Date(0),
  enabled: true,
  suspended: false,
}))
const icons = iconNames()
const rows: Row[] = []

const { catalog, runUpkeep } = await loaded()
await eachKind()
await zoneQuestions()
await whileWriting()
await report('catalog', rows)

async function loaded() {
  const waiting: (() => void)[] = []
  const created = createCatalog({ schedule: (slice) => void waiting.push(slice), runId: 'bench' })
  Bun.gc(true)
  const before = process.memoryUsage()
  const sourceMs = await readingAlone()
  const start = performance.now()
  await created.load({ assets: copies(assets), zones, ruleFiles: [] })
  const elapsedMs = performance.now() - start - sourceMs
  Bun.gc(true)
  const after = process.memoryUsage()
  const heapMiB = (after.heapUsed - before.heapUsed) / 2 ** 20
  rows.push(
    {
      what: 'load',
      figure: '≤ 1,000 ms',
      measured: `${elapsedMs.toFixed(0)} ms, making the records not counted`,
    },
    { what: 'heap with all records', figure: '≤ 120 MiB', measured: `${heapMiB.toFixed(0)} MiB` },
  )
  return {
    catalog: created,
    runUpkeep: () => {
      for (let slice = waiting.shift(); slice; slice = waiting.shift()) slice()
    },
  }
}

/** As a store would read them: every string and date of a record its own. */
async function* copies(records: readonly AssetRecord[]) {
  for (const record of records) {
    const text = JSON.parse(JSON.stringify(record)) as AssetRecord
    yield { ...text, createdAt: new Date(text.createdAt), changedAt: new Date(text.changedAt) }
  }
}

async function readingAlone() {
  const start = performance.now()
  let count = 0
  for await (const { path } of copies(assets)) count += path.length
  return count > 0 ? performance.now() - start : 0
}

/** One write before each query, so that none finds a response of before. */
async function eachKind() {
  const peer = createPeer(assets)
  for (const { name, queries } of kinds) {
    const [ours, again, theirs] = [createSamples(), createSamples(), createSamples()]
    for (let round = 0; round < rounds; round += 1) {
      const asked = queries[round % queries.length]!
      catalog.apply([{ assets: [assets[(round * 7919) % assets.length]!], feed: [] }])
      runUpkeep()
      ours.take(() => catalog.list(asked))
      again.take(() => catalog.list({ ...asked, page: asked.page + 1 }))
      if (round < 4) checkSame(catalog, peer, asked)
      if (round % 8 === 0 && !asked.zones) theirs.take(() => peer.list(asked))
    }
    const peerPart =
      theirs.all.length > 0
        ? `; SQLite ${theirs.text()}; faster by ${(median(theirs.all) / median(ours.all)).toFixed(1)}x`
        : ''
    rows.push({
      what: name,
      figure: `p99 ≤ ${limitMs} ms`,
      measured: `${ours.text()}; next page ${median(again.all).toFixed(3)}${peerPart}`,
    })
  }
}

function checkSame(ours: Catalog, peer: ReturnType<typeof createPeer>, asked: AssetQuery) {
  if (asked.zones) return
  const mine = ours.list(asked)
  const other = peer.list(asked)
  const same =
    mine.totalItems === other.totalItems &&
    mine.items.every(({ path }, index) => path === other.items[index]?.path)
  if (!same) throw new Error(`answers differ for ${JSON.stringify(asked)}`)
}

async function zoneQuestions() {
  const [summaries, directories] = [createSamples(), createSamples()]
  for (let round = 0; round < rounds; round += 1) {
    catalog.apply([{ assets: [assets[(round * 7919) % assets.length]!], feed: [] }])
    summaries.take(() => zones.map(({ name }) => catalog.zoneSummary(name)))
    directories.take(() => catalog.directory(`${zoneName(round)}/v1/icons`))
  }
  rows.push(
    { what: 'summaries of 500 zones', figure: `p99 ≤ ${limitMs} ms`, measured: summaries.text() },
    { what: 'one directory', figure: `p99 ≤ ${limitMs} ms`, measured: directories.text() },
  )
}

/** Writes come by the clock, new and changed in turn, and upkeep runs as it does in the service. */
async function whileWriting() {
  const [slices, writes, queries] = [createSamples(), createSamples(), createSamples()]
  const live = createCatalog({
    schedule: (slice) => void setTimeout(() => slices.take(slice), 5),
    runId: 'bench',
  })
  await live.load({ assets, zones, ruleFiles: [] })
  const all = kinds.flatMap((kind) => kind.queries)
  const start = performance.now()
  let written = 0
  while (performance.now() - start < writingSeconds * 1000) {
    while (written < ((performance.now() - start) / 1000) * writesPerSecond) {
      const index = written % 2 === 0 ? assetCount + written : (written * 7919) % assetCount
      const changed = { ...makeAsset(index, icons), changedAt: new Date(), sizeBytes: written }
      writes.take(() => live.apply([{ assets: [changed], feed: [] }]))
      written += 1
    }
    queries.take(() => live.list(all[queries.all.length % all.length]!))
    await new Promise((resolve) => setImmediate(resolve))
  }
  rows.push(
    {
      what: `any query, in turn, during ${writesPerSecond} writes/s (${queries.all.length} queries)`,
      figure: `p99 ≤ ${limitMs} ms`,
      measured: queries.text(),
    },
    { what: `one write then (${writes.all.length})`, figure: 'none', measured: writes.text() },
    {
      what: `one slice of upkeep then (${slices.all.length})`,
      figure: 'bounded',
      measured: `${slices.text()}; longest ${Math.max(...slices.undisturbed).toFixed(3)}`,
    },
  )
}

/**
 * Times of one kind of work. On a machine that others use, what the scheduler did in the middle of it
 * is no part of the work: samples during which the system took the processor away are told apart.
 */
function createSamples() {
  const all: number[] = []
  const undisturbed: number[] = []
  return {
    all,
    undisturbed,
    take(work: () => unknown) {
      const before = timesPreempted()
      const start = performance.now()
      work()
      const elapsedMs = performance.now() - start
      all.push(elapsedMs)
      if (timesPreempted() === before) undisturbed.push(elapsedMs)
    },
    text() {
      const share = `undisturbed ${undisturbed.length} of ${all.length}`
      const p99 = undisturbed.length > 0 ? `: ${percentile(undisturbed, 0.99).toFixed(3)}` : ''
      return `${median(all).toFixed(3)} / ${percentile(all, 0.99).toFixed(3)} ms (${share}${p99})`
    },
  }
}

/** How often the main thread has lost its processor so far; always 0 where the system does not say. */
function timesPreempted(): number {
  if (process.platform !== 'linux') return 0
  const status = readFileSync('/proc/self/status', 'latin1')
  return Number(/^nonvoluntary_ctxt_switches:\s*(\d+)/mu.exec(status)?.[1] ?? 0)
}
