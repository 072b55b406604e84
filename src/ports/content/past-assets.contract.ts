import { expect, test } from 'bun:test'

import type { AssetMove, DeletedAsset } from '../records/past-asset.ts'
import type { PastAssets } from './past-assets.ts'
import { assetAt, type MetadataStores } from './publication-store.contract.ts'

type Stores = MetadataStores

const day = (number: number) => new Date(Date.UTC(2026, 0, number))

const deletion = (
  path: string,
  deletedAt: Date,
  more: Partial<DeletedAsset> = {},
): DeletedAsset => ({
  path,
  zone: path.split('/')[0] ?? '',
  sizeBytes: 2 ** 40,
  sha256: 'a'.repeat(64),
  contentType: 'image/svg+xml',
  deletedAt,
  deletedBy: 'token:ü',
  commitId: 'c2',
  lastCommitId: 'c1',
  ...more,
})

/** What PastAssets must do with what is published. The test of each adapter calls this once. */
export function pastAssetsContract(name: string, open: () => Promise<Stores>): void {
  const run = (what: string, body: (stores: Stores) => Promise<void>) =>
    test(`${name}: ${what}`, async () => {
      await using stores = await open()
      await body(stores)
    })
  const remove = ({ publications }: Stores, ...deletedAssets: readonly DeletedAsset[]) =>
    publications.publish([
      { removedAssets: deletedAssets.map(({ path }) => path), deletedAssets, feed: [] },
    ])
  const all = async ({ past }: Stores, query: Partial<Parameters<PastAssets['deleted']>[0]> = {}) =>
    past.deleted({ since: day(0), offset: 0, limit: 100, ...query })
  const pathsOf = async (
    stores: Stores,
    query: Partial<Parameters<PastAssets['deleted']>[0]> = {},
  ) => (await all(stores, query)).items.map(({ path }) => path)

  run('what was deleted comes back as it was given, the newest first', async (stores) => {
    const [old, b, a] = [
      deletion('acme/v1/ü 🌿.svg', day(1)),
      deletion('acme/v1/b', day(2)),
      deletion('acme/v1/a', day(2)),
    ]
    await remove(stores, old)
    await remove(stores, b, a)

    expect(await all(stores)).toEqual({ total: 3, items: [a, b, old] })
    expect(await all(stores, { offset: 1, limit: 1 })).toEqual({ total: 3, items: [b] })
    expect(await pathsOf(stores, { since: day(2) })).toEqual([a.path, b.path])
    expect(await all(stores, { offset: 9 })).toEqual({ total: 3, items: [] })
  })

  run('the deleted of some zones are those of no other', async (stores) => {
    await remove(stores, deletion('acme/v1/a', day(1)), deletion('acme2/v1/a', day(1)))

    expect(await pathsOf(stores, { zones: ['acme'] })).toEqual(['acme/v1/a'])
    expect(await all(stores, { zones: [] })).toEqual({ total: 0, items: [] })
  })

  run('what has a file again is not deleted, until that one is', async (stores) => {
    await remove(stores, deletion('acme/v1/a', day(1)))
    await stores.publications.publish([{ assets: [assetAt('acme/v1/a')], feed: [] }])
    expect(await all(stores)).toEqual({ total: 0, items: [] })
    expect(await stores.past.deletedAt(['acme/v1/a'])).toEqual([])
    expect(await stores.past.deletedBelow('acme/v1', 9)).toEqual([])
    const again = deletion('acme/v1/a', day(3))
    await remove(stores, again)

    expect((await all(stores)).items).toEqual([again])
  })

  run('of publications that are applied together, the last one counts', async (stores) => {
    const path = 'acme/v1/a'
    const gone = (at: Date) => ({
      removedAssets: [path],
      deletedAssets: [deletion(path, at)],
      feed: [],
    })
    await stores.publications.publish([
      gone(day(1)),
      { assets: [assetAt(path)], feed: [] },
      gone(day(2)),
    ])
    expect((await all(stores)).items.map(({ deletedAt }) => deletedAt)).toEqual([day(2)])
    await stores.publications.publish([gone(day(3)), { assets: [assetAt(path)], feed: [] }])

    expect((await all(stores)).total).toBe(0)
  })

  run('deletions are found by path and by directory', async (stores) => {
    const deletions = ['acme/v1/a/1', 'acme/v1/a/2', 'acme/v1/a-b', 'acme/v1/a0'].map((path) =>
      deletion(path, day(1)),
    )
    await remove(stores, ...deletions)
    const found = await stores.past.deletedAt(['acme/v1/a-b', 'acme/v1/none', 'acme/v1/a-b'])

    expect(found).toEqual([deletion('acme/v1/a-b', day(1))])
    expect((await stores.past.deletedBelow('acme/v1/a', 9)).map(({ path }) => path)).toEqual([
      'acme/v1/a/1',
      'acme/v1/a/2',
    ])
    expect(await stores.past.deletedBelow('acme/v1/a', 1)).toHaveLength(1)
  })

  run('what was deleted 30 days before another deletion is forgotten', async (stores) => {
    await remove(stores, deletion('acme/v1/a', day(1)), deletion('acme/v1/b', day(2)))
    await remove(stores, deletion('acme/v1/c', day(32)))

    expect(await pathsOf(stores)).toEqual(['acme/v1/c', 'acme/v1/b'])
  })

  run('moves are found by where they led, the newest first', async (stores) => {
    const move = (from: string, to: string, movedAt: Date): AssetMove => ({
      from,
      to,
      movedAt,
      commitId: `c${movedAt.getTime()}`,
    })
    const [one, two, three] = [
      move('acme/v1/a', 'acme/v1/b', day(1)),
      move('acme/v1/old', 'acme/v1/b', day(2)),
      move('acme/v1/b', 'acme/v1/c', day(3)),
    ]
    await stores.publications.publish([{ moves: [one], feed: [] }])
    await stores.publications.publish([
      { moves: [two], feed: [] },
      { moves: [three], feed: [] },
    ])

    expect(await stores.past.movesTo(['acme/v1/b', 'acme/v1'])).toEqual([two, one])
    expect(await stores.past.movesTo(['acme/v1/b', 'acme/v1/c'])).toEqual([three, two, one])
    expect(await stores.past.movesTo([])).toEqual([])
  })

  run('the end of a zone, or of all projections, takes what is past with it', async (stores) => {
    const fill = async () => {
      await remove(stores, deletion('acme/v1/a', day(1)), deletion('acme2/v1/a', day(1)))
      const commitId = 'c'
      await stores.publications.publish([
        {
          moves: [
            { from: 'acme/v1/x', to: 'acme2/v1/y', movedAt: day(1), commitId },
            { from: 'acme2/v1/x', to: 'acme2/v1/z', movedAt: day(1), commitId },
          ],
          feed: [],
        },
      ])
    }
    const moves = async () =>
      (await stores.past.movesTo(['acme2/v1/y', 'acme2/v1/z'])).map(({ to }) => to)
    await fill()
    await stores.publications.publish([{ removedZones: ['acme'], feed: [] }])
    expect(await pathsOf(stores)).toEqual(['acme2/v1/a'])
    expect(await moves()).toEqual(['acme2/v1/z'])
    await fill()
    await stores.publications.forgetProjections()

    expect(await pathsOf(stores)).toEqual([])
    expect(await moves()).toEqual([])
  })
}
