/**
 * A page of 1,000 keys out of 1,000,000 in one zone: at the beginning, in the middle, at the end, and with a
 * delimiter, where each common prefix has 1,000 keys. What a page costs must not grow with the zone.
 * `SEDGE_KEYS` says how many there are.
 */
import { createCatalog } from '../src/domain/catalog/catalog.ts'
import { listObjectPage, type ObjectPageQuery } from '../src/domain/catalog/objects/object-page.ts'
import type { AssetRecord } from '../src/ports/records/asset.ts'
import { report, type Row } from './harness.ts'

const keyCount = Number(process.env['SEDGE_KEYS'] ?? 1_000_000)
const perDirectory = 1_000
const rounds = 21
const at = new Date(0)
const sha256 = 'a'.repeat(64)

const digits = (number: number) => String(number).padStart(7, '0')
const keyOf = (index: number) =>
  `directory-${digits(Math.floor(index / perDirectory))}/file-${digits(index)}.txt`

function* records(count: number): Iterable<AssetRecord> {
  for (let index = 0; index < count; index += 1)
    yield {
      path: `bench/v1/${keyOf(index)}`,
      zone: 'bench',
      category: 'general',
      name: `file-${digits(index)}.txt`,
      format: 'txt',
      sizeBytes: index,
      sha256,
      contentType: 'text/plain',
      createdAt: at,
      changedAt: at,
      commitId: 'c1',
    }
}

const pages: readonly (readonly [string, (count: number) => Partial<ObjectPageQuery>])[] = [
  ['first page', () => ({})],
  ['page in the middle', (count) => ({ after: keyOf(Math.floor(count / 2)) })],
  ['last page', (count) => ({ after: keyOf(count - 1_001) })],
  ['1,000 common prefixes', () => ({ delimiter: '/' })],
  ['first page of a prefix', (count) => ({ prefix: keyOf(Math.floor(count / 2)).slice(0, 18) })],
]

async function medians(count: number): Promise<readonly number[]> {
  const catalog = createCatalog({ schedule: () => {}, runId: 'bench' })
  await catalog.load({ assets: records(count), zones: [], ruleFiles: [] })
  return pages.map(([, queryOf]) => {
    const usual = { zone: 'bench', prefix: '', delimiter: undefined, after: '', limit: 1_000 }
    const query = { ...usual, ...queryOf(count) }
    const times = Array.from({ length: rounds }, () => {
      const start = performance.now()
      listObjectPage(query, catalog)
      return performance.now() - start
    })
    return times.toSorted((one, other) => one - other)[rounds >> 1] ?? Number.NaN
  })
}

const few = await medians(keyCount / 10)
const many = await medians(keyCount)
const rows: readonly Row[] = pages.map(([what], place) => ({
  what: `${what}, of ${keyCount.toLocaleString('en')} keys`,
  figure: 'as with a tenth of them',
  measured: `${many[place]?.toFixed(2)} ms (${few[place]?.toFixed(2)} ms with a tenth)`,
}))
await report('s3-listings', rows)
