// What one search costs inside the server as assets grow in number: names of two or three words,
// vectors that stand for nothing, questions with a slip of the finger.
import { createDocuments } from '../src/domain/search/documents.ts'
import { nameWords } from '../src/domain/search/index-text.ts'
import { packVector } from '../src/domain/search/packed-vectors.ts'
import { createSearch } from '../src/domain/search/search.ts'
import type { AssetRecord } from '../src/ports/publication-store.ts'
import { percentile, report, type Row } from './harness.ts'

const seed = 20_261_120
const sizes: readonly (readonly [number, number])[] = [
  [10_000, 25],
  [100_000, 50],
]
const dimensions = 384
const at = new Date(0)
const zone = { name: 'shop', createdAt: at, enabled: true, suspended: false }

let state = seed
function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return state / 2 ** 32
}
const letters = 'etaoinsrhldcumfpgwyb'
const word = () =>
  Array.from(
    { length: 4 + Math.floor(random() * 6) },
    () => letters[Math.floor(random() * 20)],
  ).join('')
const vocabulary = Array.from({ length: 20_000 }, word)
const pick = () => vocabulary[Math.floor(random() ** 2 * vocabulary.length)] ?? 'none'

function randomVector(): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, () => random() - 0.5)
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

function assetOf(number: number): AssetRecord {
  const name = `${pick()}-${pick()}-${number % 7 === 0 ? pick() : number}.png`
  return {
    path: `shop/v1/icons/${number}/${name}`,
    zone: 'shop',
    category: 'icons',
    name,
    format: 'png',
    sizeBytes: 1,
    sha256: '0'.repeat(64),
    contentType: 'image/png',
    createdAt: at,
    changedAt: at,
    commitId: '0'.repeat(40),
  }
}

const slip = (text: string) => `${text.slice(0, 2)}${text.slice(3)}`
const vectors = Array.from({ length: 2_000 }, randomVector)
const packed = vectors.map(packVector)
const documents = createDocuments({ maxVectors: 1_000_000 })
const search = createSearch({
  documents: () => documents,
  isLoaded: () => true,
  published: { asset: () => undefined, zone: () => zone },
  vectorOf: async () => vectors[Math.floor(random() * vectors.length)],
})
const rows: Row[] = []
for (const [size, figureMs] of sizes) {
  while (documents.size < size) {
    const asset = assetOf(documents.size)
    const row = documents.put(asset, nameWords(asset))
    documents.vectors.set(row, packed[row % packed.length] ?? new Uint8Array())
  }
  const times: number[] = []
  for (let round = 0; round < 200; round += 1) {
    const question = `${slip(pick())} ${pick()}${round % 4 === 0 ? ' icons png' : ''}`
    const start = performance.now()
    await search.search({ question, limit: 20 })
    times.push(performance.now() - start)
  }
  rows.push({
    what: `search p50 / p95 at ${size} assets (seed ${seed})`,
    figure: `p95 ≤ ${figureMs} ms`,
    measured: `${percentile(times, 0.5).toFixed(1)} / ${percentile(times, 0.95).toFixed(1)} ms`,
  })
}
await report('search-size', rows)
