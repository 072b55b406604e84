import { expect, test } from 'bun:test'

import fc from 'fast-check'

import { compareByBytes } from '../../../lib/text/byte-order.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import { createCatalog } from '../catalog.ts'
import { type ListedObject, listObjectPage, type ObjectPageQuery } from './object-page.ts'

const at = new Date(0)

const assetAt = (path: string): AssetRecord => ({
  path,
  zone: path.split('/')[0] ?? '',
  category: 'general',
  name: path.slice(path.lastIndexOf('/') + 1),
  format: '',
  sizeBytes: 1,
  sha256: 'a'.repeat(64),
  contentType: 'text/plain',
  createdAt: at,
  changedAt: at,
  commitId: 'c1',
})

function catalogOf(zone: string, keys: readonly string[]) {
  const catalog = createCatalog({ schedule: () => {}, runId: 'test' })
  const paths = keys.map((key) => `${zone}/v1/${key}`)
  const isMarker = (path: string) => path.endsWith('/')
  catalog.apply([
    {
      assets: ['aa/v1/before', 'zz/v1/after']
        .concat(paths.filter((path) => !isMarker(path)))
        .map(assetAt),
      markers: paths
        .filter(isMarker)
        .map((path) => ({ path, zone, commitId: 'c1', changedAt: at })),
      feed: [],
    },
  ])
  return catalog
}

const textOf = (entry: ListedObject) => (entry.kind === 'object' ? entry.key : `${entry.prefix} …`)

/** What S3 says, as plainly as can be: everything, cut to the page. */
function naive(keys: readonly string[], query: Omit<ObjectPageQuery, 'zone'>) {
  const { prefix, delimiter, after, limit } = query
  const entries = new Set<string>()
  for (const key of [...new Set(keys)].sort(compareByBytes)) {
    if (!key.startsWith(prefix) || compareByBytes(key, after) <= 0) continue
    const end = delimiter === undefined ? -1 : key.indexOf(delimiter, prefix.length)
    const common = end === -1 ? undefined : key.slice(0, end + (delimiter ?? '').length)
    if (common === undefined) entries.add(key)
    else if (common !== after) entries.add(`${common} …`)
  }
  const isTruncated = limit > 0 && entries.size > limit
  return { entries: [...entries].slice(0, limit), isTruncated }
}

const unit = fc.constantFrom('a', 'b', '-', '/', '0', 'ü', 'ﬁ', '😀', '\u{10ffff}')
const text = (minLength: number) =>
  fc.array(unit, { minLength, maxLength: 6 }).map((units) => units.join(''))
const key = text(1).filter((each) => !each.startsWith('/') && !each.includes('//'))

test('a page has what a look at everything would have', () => {
  const query = fc.record({
    prefix: text(0),
    delimiter: fc.option(
      text(1).map((each) => each.slice(0, 2)),
      { nil: undefined },
    ),
    after: fc.oneof(fc.constant(''), text(0)),
    limit: fc.integer({ min: 0, max: 6 }),
  })
  fc.assert(
    fc.property(fc.array(key, { maxLength: 30 }), query, fc.nat(30), (keys, asked, place) => {
      // Often enough, where a page ends is a key that is there.
      const after = keys[place] ?? asked.after
      const wellFormed = { ...asked, after, delimiter: asked.delimiter?.toWellFormed() }
      const page = listObjectPage({ zone: 'acme', ...wellFormed }, catalogOf('acme', keys))
      const found = { entries: page.entries.map(textOf), isTruncated: page.isTruncated }
      expect(found).toEqual(naive(keys, wellFormed))
    }),
    { numRuns: 400 },
  )
})

test('pages that go on after one another have everything once', () => {
  fc.assert(
    fc.property(
      fc.array(key, { maxLength: 30 }),
      fc.constantFrom(undefined, '/', 'b', 'a/'),
      fc.integer({ min: 1, max: 4 }),
      (keys, delimiter, limit) => {
        const catalog = catalogOf('acme', keys)
        const query = { zone: 'acme', prefix: '', delimiter, limit }
        const found: string[] = []
        for (let after = ''; ;) {
          const { entries, isTruncated } = listObjectPage({ ...query, after }, catalog)
          found.push(...entries.map(textOf))
          const last = entries.at(-1)
          if (!isTruncated || last === undefined) break
          after = last.kind === 'object' ? last.key : last.prefix
        }
        expect(found).toEqual(naive(keys, { ...query, after: '', limit: 99 }).entries)
      },
    ),
    { numRuns: 200 },
  )
})
