// Near duplicates: how many copies are found, how many unrelated images are taken for copies, and the time
// of one query among a million. SEDGE_BENCH_IMAGES names a directory of images beside the painted ones; of
// several copies of one image in it the first alone is taken.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'

import { likenessOf } from '../src/adapters/sharp/analysis/likeness.ts'
import { rawImage } from '../src/adapters/sharp/analysis/raw-image.ts'
import { type Bits, bitsOf } from '../src/domain/media/likeness/bits.ts'
import { createHammingIndex } from '../src/domain/media/likeness/hamming-index.ts'
import { sureDistance, usualDistance } from '../src/domain/media/likeness/similar-assets.ts'
import { copies, scene } from '../test/fixtures/scenes.ts'
import { createRandom } from '../test/support/random.ts'
import { median, percentile, report, type Row } from './harness.ts'

const paintedCount = 40
const hashCount = Number(process.env['HASHES'] ?? 1_000_000)
const queryCount = 200
/** Of a process: they are answered by code that is not compiled yet. */
const firstQueries = 20
const random = createRandom(20_261_123)
const all = { limit: 1, accepts: () => true }

const likenessOfBytes = async (bytes: Buffer): Promise<string> =>
  likenessOf(
    await rawImage(sharp(bytes).resize(320, 320, { fit: 'inside', withoutEnlargement: true })),
  )

async function readReal(): Promise<readonly Buffer[]> {
  const given = process.env['SEDGE_BENCH_IMAGES']
  const images: Buffer[] = []
  for (const name of given === undefined ? [] : readdirSync(given).toSorted()) {
    const image = sharp(join(given ?? '', name), { failOn: 'warning' }).autoOrient()
    const size = { width: 1280, height: 1280, fit: 'inside', withoutEnlargement: true } as const
    const bytes = await image
      .toColourspace('srgb')
      .flatten({ background: '#fff' })
      .resize(size)
      .png()
      .toBuffer()
      .catch(() => undefined)
    if (bytes !== undefined) images.push(bytes)
  }
  return images
}

/** Those that are like nothing before them. */
async function unalike(images: readonly Buffer[]) {
  const index = createHammingIndex()
  const kept: { readonly bytes: Buffer; readonly bits: Bits }[] = []
  for (const bytes of images) {
    const likeness = await likenessOfBytes(bytes)
    if (likeness === '') continue
    const bits = bitsOf(likeness)
    if (index.nearest(bits, { ...all, distance: 12 }).length > 0) continue
    index.add(bits)
    kept.push({ bytes, bits })
  }
  return kept
}

function isNear(a: Bits, b: Bits, distance: number): boolean {
  const index = createHammingIndex()
  index.add(a)
  return index.nearest(b, { ...all, distance }).length > 0
}

async function measureQuality(name: string, images: readonly Buffer[]): Promise<readonly Row[]> {
  const originals = await unalike(images)
  const found = new Map([usualDistance, sureDistance].map((distance) => [distance, 0]))
  for (const { bytes, bits } of originals)
    for (const copy of copies) {
      const likeness = await likenessOfBytes(await copy.make(sharp(bytes)))
      const near = [...found].filter(
        ([distance]) => likeness !== '' && isNear(bitsOf(likeness), bits, distance),
      )
      for (const [distance, count] of near) found.set(distance, count + 1)
    }
  const pairs = originals.flatMap((a, index) =>
    originals.slice(0, index).map((b) => [a.bits, b.bits] as const),
  )
  return [...found].flatMap(([distance, count]) => {
    const wrong = pairs.filter(([a, b]) => isNear(a, b, distance)).length
    const isUsual = distance === usualDistance
    return [
      {
        what: `${name}: copies of ${originals.length} images found within ${distance} bits`,
        figure: isUsual ? '≥ 95 %' : '',
        measured: `${((100 * count) / (originals.length * copies.length)).toFixed(1)} %`,
      },
      {
        what: `${name}: of ${pairs.length} pairs of unrelated images taken for copies within ${distance} bits`,
        figure: isUsual ? '≤ 1 %' : '',
        measured: `${((100 * wrong) / pairs.length).toFixed(2)} %`,
      },
    ]
  })
}

const word = () => random.integer(0, 2 ** 32 - 1) | 0

function changed(bits: Bits, count: number): Bits {
  const copy: [number, number, number, number] = [...bits]
  for (let change = 0; change < count; change += 1) {
    const bit = random.integer(0, 127)
    const at = (bit >> 5) as 0 | 1 | 2 | 3
    copy[at] = (copy[at] ^ (1 << (bit & 31))) | 0
  }
  return copy
}

function measureQueries(): readonly Row[] {
  const index = createHammingIndex()
  const known: Bits[] = []
  const cpuBefore = process.cpuUsage()
  for (let count = 0; count < hashCount; count += 1) {
    const bits: Bits = [word(), word(), word(), word()]
    index.add(bits)
    if (count % Math.ceil(hashCount / queryCount) === 0) known.push(bits)
  }
  const { user } = process.cpuUsage(cpuBefore)
  const ask = (bits: Bits, distance: number): number => {
    const before = process.cpuUsage()
    index.nearest(changed(bits, 14), { distance, limit: 10, accepts: () => true })
    const after = process.cpuUsage(before)
    return (after.user + after.system) / 1000
  }
  const firstMs = known
    .slice(0, firstQueries)
    .flatMap((bits) => [ask(bits, usualDistance), ask(bits, sureDistance)])
  const rows = [sureDistance, usualDistance].map((distance) => {
    const cpuMs = known.map((bits) => ask(bits, distance))
    return {
      what: `one query among ${hashCount.toLocaleString('en')} within ${distance} bits, CPU`,
      figure: '≤ 10 ms',
      measured: `${median(cpuMs).toFixed(1)} ms, 99 % within ${percentile(cpuMs, 0.99).toFixed(1)} ms`,
    }
  })
  const added = `${(user / hashCount).toFixed(1)} µs`
  const first = `the slowest ${Math.max(...firstMs).toFixed(1)} ms`
  return [
    ...rows,
    {
      what: `the first ${firstQueries} queries of a process, while what answers them is compiled, CPU`,
      figure: '',
      measured: first,
    },
    { what: 'taking in one of them, CPU', figure: '', measured: added },
  ]
}

const painted = await Promise.all(
  Array.from({ length: paintedCount }, (_, seed) =>
    scene(seed + 1)
      .png()
      .toBuffer(),
  ),
)
const real = await readReal()
await report('likeness', [
  ...(await measureQuality('painted', painted)),
  ...(real.length === 0 ? [] : await measureQuality('real', real)),
  ...measureQueries(),
])
