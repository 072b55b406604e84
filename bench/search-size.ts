// What one search costs inside the server as assets grow in number: names of two or three words, most
// with a number of their own, vectors that stand for nothing, questions with a slip of the finger.
// `npx bun bench/search-size.ts 1000000` measures that size alone.
import { createDocuments } from '../src/domain/search/documents.ts'
import { nameWords } from '../src/domain/search/words/index-text.ts'
import { bytesBesideParts } from '../src/domain/search/vectors/packed-vectors.ts'
import { createSearch } from '../src/domain/search/search.ts'
import type { AssetRecord } from '../src/ports/records/asset.ts'
import { percentile, report, type Row } from './harness.ts'

const seed = 20_261_120
const sizes: readonly (readonly [number, number])[] = [
  [10_000, 25],
  [100_000, 50],
  [1_000_000, 200],
]
const rounds = 300
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

let bits = seed
/** A packed vector of length 1, made quickly. */
function randomPacked(): Uint8Array {
  const packed = new Uint8Array(dimensions + bytesBesideParts)
  const parts = new Int8Array(packed.buffer, 0, dimensions)
  let squares = 0
  for (let place = 0; place < dimensions; place += 1) {
    bits ^= bits << 13
    bits ^= bits >>> 17
    bits ^= bits << 5
    const part = (bits >>> 8) % 255
    parts[place] = part - 127
    squares += (part - 127) ** 2
  }
  new DataView(packed.buffer).setFloat32(dimensions, 1 / Math.sqrt(squares), true)
  return packed
}

function randomVector(): Float32Array {
  const packed = randomPacked()
  const scale = new DataView(packed.buffer).getFloat32(dimensions, true)
  return Float32Array.from(new Int8Array(packed.buffer, 0, dimensions), (part) => part * scale)
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
const documents = createDocuments({ maxVectors: 1_000_000 })
const search = createSearch({
  documents: () => documents,
  isLoaded: () => true,
  published: { asset: () => undefined, zone: () => zone },
  vectorOf: async () => randomVector(),
})
const residentMib = () => {
  Bun.gc(true)
  return Math.round(process.memoryUsage.rss() / 2 ** 20)
}
const cpuMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
const both = (values: readonly number[]) =>
  `${percentile(values, 0.5).toFixed(1)} / ${percentile(values, 0.95).toFixed(1)} ms`

const rows: Row[] = []
const asked = process.argv[2]
for (const [size, figureMs] of sizes.filter(
  ([each]) => asked === undefined || asked === `${each}`,
)) {
  const buildStart = cpuMs()
  const before = { size: documents.size, resident: residentMib() }
  while (documents.size < size) {
    const asset = assetOf(documents.size)
    const row = documents.put(asset, nameWords(asset))
    documents.vectors.set(row, randomPacked())
  }
  const perAsset = ((cpuMs() - buildStart) * 1_000) / (size - before.size)
  const times: number[] = []
  const cpuTimes: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const question = `${slip(pick())} ${pick()}${round % 4 === 0 ? ' icons png' : ''}`
    const [start, cpuStart] = [performance.now(), cpuMs()]
    await search.search({ question, limit: 20 })
    times.push(performance.now() - start)
    cpuTimes.push(cpuMs() - cpuStart)
  }
  rows.push({
    what: `search p50 / p95 at ${size} assets (${rounds} questions, seed ${seed})`,
    figure: `p95 ≤ ${figureMs} ms`,
    measured: `${both(times)} by the clock, ${both(cpuTimes)} of CPU`,
  })
  rows.push({
    what: `its memory, records of assets among it; taking an asset in`,
    figure: '',
    measured: `${residentMib()} MiB resident (${before.resident} before); ${perAsset.toFixed(0)} µs of CPU`,
  })
}
await report('search-size', rows)
