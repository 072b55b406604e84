import { expect, test } from 'bun:test'
import { setImmediate } from 'node:timers/promises'

import fc from 'fast-check'

import { assetAt, zoneOf } from '../../../ports/content/publication-store.contract.ts'
import type { Publication } from '../../../ports/content/publication-store.ts'
import { type Catalog, createCatalog } from '../catalog.ts'
import { plainAsset } from '../fixtures/plain-asset.ts'

const newCatalog = () => createCatalog({ schedule: (slice) => slice(), runId: 'test' })
const zones = ['acme', 'bolt']
const stems = ['a', 'b', 'c', 'd']
const paths = zones.flatMap((zone) =>
  stems.flatMap((stem) => ['svg', 'png'].map((format) => `${zone}/v1/icons/${stem}.${format}`)),
)

/** All that is read of assets by their paths, of zones and of rule files. */
const stateOf = (catalog: Catalog) => ({
  assets: paths.map((path) => plainAsset(catalog.asset(path))),
  zones: catalog.zones(),
  zoneByName: zones.map((name) => catalog.zone(name)),
  rules: catalog.ruleFile('_headers'),
  files: zones.map((name) => catalog.zoneFiles(name).map(plainAsset)),
  siblings: paths.map((path) => catalog.siblings(path).map(plainAsset)),
  all: [...catalog.all()].map(({ path }) => path).toSorted(),
  expiring: zones.map((name) => [...catalog.expiring(name)].map(({ path }) => path).toSorted()),
})

const assetArbitrary = fc
  .record({
    path: fc.constantFrom(...paths),
    sha256: fc.constantFrom('1', '2', '3').map((digit) => digit.repeat(64)),
    expires: fc.boolean(),
  })
  .map(({ path, sha256, expires }) =>
    assetAt(path, { sha256, ...(expires && { metadata: { expiresAt: new Date(5) } }) }),
  )

const publicationArbitrary: fc.Arbitrary<Publication> = fc
  .record({
    removedZones: fc.subarray(zones),
    again: fc.boolean(),
    removedAssets: fc.subarray(paths),
    assets: fc.array(assetArbitrary),
    content: fc.string(),
  })
  .map(({ removedZones, again, removedAssets, assets, content }) => ({
    removedZones,
    zones: again ? zones.map((name) => zoneOf(name)) : [],
    removedAssets,
    assets: again ? assets : assets.filter(({ zone }) => !removedZones.includes(zone)),
    ruleFiles: [{ name: '_headers', content, changedAt: new Date(0) }],
    feed: [],
  }))

/** Looks in each turn until then. */
async function lookingMeanwhile<Result>(work: Promise<Result>, look: () => void): Promise<Result> {
  const state = { isOver: false }
  const over = work.finally(() => (state.isOver = true))
  while (!state.isOver) {
    look()
    await setImmediate()
  }
  return await over
}

test('what is prepared shows nowhere until it shows everywhere, as if it had been applied at once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(publicationArbitrary, { maxLength: 3 }),
      fc.array(publicationArbitrary, { minLength: 1, maxLength: 3 }),
      async (former, publications) => {
        const [catalog, other] = [newCatalog(), newCatalog()]
        for (const each of [catalog, other]) each.apply(former)
        const before = stateOf(catalog)
        const reveal = await lookingMeanwhile(catalog.prepare(publications), () =>
          expect(stateOf(catalog)).toEqual(before),
        )
        expect(stateOf(catalog)).toEqual(before)
        reveal()
        other.apply(publications)

        expect(stateOf(catalog)).toEqual(stateOf(other))
      },
    ),
    { numRuns: 50 },
  )
})

test('a large change gives others turns', async () => {
  const catalog = newCatalog()
  const assets = Array.from({ length: 5_000 }, (_, index) => assetAt(`acme/v1/icons/${index}.svg`))
  let turns = 0
  const preparing = catalog.prepare([{ zones: [zoneOf('acme')], assets, feed: [] }])
  const reveal = await lookingMeanwhile(preparing, () => {
    expect(catalog.asset('acme/v1/icons/0.svg')).toBeUndefined()
    turns += 1
  })
  reveal()

  expect(turns).toBeGreaterThan(4)
  expect(catalog.zoneFiles('acme')).toHaveLength(5_000)
})
