import { expect, test } from 'bun:test'

import fc from 'fast-check'

import type { ObjectVersion } from '../records/object-version.ts'
import type { ObjectVersionQuery, ObjectVersions } from './object-versions.ts'
import type { MetadataStores } from './publication-store.contract.ts'

export interface VersionStores extends MetadataStores {
  readonly versions: ObjectVersions
}

const stored = (path: string, number: number, more: object = {}): ObjectVersion => ({
  path,
  commitId: `c${number}`,
  committedAt: new Date(Date.UTC(2026, 0, 1) + number),
  content: { sha256: 'a'.repeat(64), sizeBytes: 2 ** 40, contentType: 'text/plain', ...more },
})
const gone = (path: string, number: number): ObjectVersion => ({
  ...stored(path, number),
  content: undefined,
})

/** What ObjectVersions must do with what is published. The test of each adapter calls this once. */
export function objectVersionsContract(name: string, open: () => Promise<VersionStores>): void {
  const run = (what: string, body: (stores: VersionStores) => Promise<void>) =>
    test(`${name}: ${what}`, async () => {
      await using stores = await open()
      await body(stores)
    })
  const publish = ({ publications }: VersionStores, ...versions: readonly ObjectVersion[]) =>
    publications.publish([{ versions, feed: [] }])
  const list = ({ versions }: VersionStores, query: Partial<ObjectVersionQuery> = {}) =>
    versions.list({ from: '', limit: 100, ...query })

  run('versions come back as they were given, by path and the newest first', async (stores) => {
    const first = stored('acme/v1/ü 🌿', 1, { entityTag: 'abc-2' })
    const second = gone('acme/v1/ü 🌿', 2)
    const other = stored('acme/v1/a', 3)
    await publish(stores, first)
    await publish(stores, second, other)

    expect(await list(stores)).toEqual([other, second, first])
    expect(await list(stores, { limit: 2 })).toEqual([other, second])
    expect(await list(stores, { from: 'acme/v1/b' })).toEqual([second, first])
    expect(await list(stores, { before: 'acme/v1/b' })).toEqual([other])
  })

  run('a listing goes on after a version, or after all of a path', async (stores) => {
    const [a1, a2, a3, b4] = [1, 2, 3]
      .map((number) => stored('z/v1/a', number))
      .concat(stored('z/v1/b', 4)) as [ObjectVersion, ObjectVersion, ObjectVersion, ObjectVersion]
    await publish(stores, a1, a2, a3, b4)
    const after = (commitId?: string) => ({ after: { path: 'z/v1/a', commitId } })

    expect(await list(stores, after('c3'))).toEqual([a2, a1, b4])
    expect(await list(stores, after('c1'))).toEqual([b4])
    expect(await list(stores, after())).toEqual([b4])
    expect(await list(stores, after('none'))).toEqual([b4])
    expect(await list(stores, { ...after('c3'), from: 'z/v1/b' })).toEqual([b4])
  })

  run('a version is found by its path and commit, and so is the one before', async (stores) => {
    const [a1, a2] = [stored('z/v1/a', 1), gone('z/v1/a', 2)]
    await publish(stores, a1, a2, stored('z/v1/a/b', 3))
    const { versions } = stores

    expect(await versions.newest('z/v1/a')).toEqual(a2)
    expect(await versions.find('z/v1/a', 'c1')).toEqual(a1)
    expect(await versions.before('z/v1/a', 'c2')).toEqual(a1)
    expect(await versions.before('z/v1/a', 'c1')).toBeUndefined()
    expect(await versions.before('z/v1/a', 'c3')).toBeUndefined()
    expect(await versions.find('z/v1/a', 'c3')).toBeUndefined()
    expect(await versions.newest('z/v1/b')).toBeUndefined()
  })

  run('the end of a zone takes its versions and markers with it, and no others', async (stores) => {
    const marker = (path: string) => ({
      path,
      zone: path.split('/')[0] ?? '',
      commitId: 'c1',
      changedAt: new Date(7),
    })
    const both = [marker('acme/v1/d/'), marker('acme2/v1/d/')]
    await stores.publications.publish([
      { versions: [stored('acme/v1/a', 1), stored('acme2/v1/a', 1)], markers: both, feed: [] },
    ])
    expect(await stores.publications.markers()).toEqual(both)
    const anew = stored('acme/v1/a', 3)
    await stores.publications.publish([
      { versions: [stored('acme/v1/b', 2)], markers: [marker('acme/v1/e/')], feed: [] },
      { removedZones: ['acme'], versions: [anew], feed: [] },
    ])

    expect(await list(stores)).toEqual([anew, stored('acme2/v1/a', 1)])
    expect(await stores.publications.markers()).toEqual([marker('acme2/v1/d/')])
    await stores.publications.publish([{ removedMarkers: ['acme2/v1/d/'], feed: [] }])
    expect(await stores.publications.markers()).toEqual([])
    await stores.publications.forgetProjections()
    expect(await list(stores)).toEqual([])
  })

  run('versions are found by their bytes', async (stores) => {
    const [one, two] = [stored('acme/v1/a', 1), stored('acme2/v1/b', 2)]
    await publish(stores, one, two, gone('acme/v1/a', 3))
    const sha256s = [one, two].map(({ content }) => content?.sha256 ?? '')
    const found = await stores.versions.withBytes([...new Set(sha256s)], 10)

    expect(found.map(({ commitId }) => commitId).toSorted()).toEqual(
      [one, two].map(({ commitId }) => commitId).toSorted(),
    )
    expect(await stores.versions.withBytes(['f'.repeat(64)], 10)).toEqual([])
    expect(await stores.versions.withBytes([...new Set(sha256s)], 1)).toHaveLength(1)
  })

  run('pages put together are the whole, whatever was published', async (stores) => {
    const paths = ['z/v1/a', 'z/v1/a/', 'z/v1/a-b', 'z/v1/A', 'z/v1/ﬁ', 'z/v1/😀']
    const [sample] = fc.sample(
      fc.array(fc.tuple(fc.constantFrom(...paths), fc.boolean()), { minLength: 60, maxLength: 60 }),
      { numRuns: 1, seed: 7 },
    )
    const versions = (sample ?? []).map(([path, isStored], number) =>
      (isStored ? stored : gone)(path, number),
    )
    await publish(stores, ...versions)
    const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
    const whole = versions.toReversed().toSorted((a, b) => byBytes(a.path, b.path))
    const paged: ObjectVersion[] = []
    for (;;) {
      const after = paged.at(-1)
      const page = await list(stores, { limit: 7, ...(after && { after }) })
      paged.push(...page)
      if (page.length < 7) break
    }

    expect(paged).toEqual(whole)
  })

  run(
    'a version that is released is no more, and its bytes are told until settled',
    async (stores) => {
      const { versions } = stores
      const [bytes, others] = ['b'.repeat(64), 'c'.repeat(64)]
      const contentOf = (sha256: string) => ({ content: { ...stored('', 0).content, sha256 } })
      const old = { ...stored('acme/v1/a', 1), ...contentOf(bytes) } as ObjectVersion
      const former = { ...stored('acme/v1/a', 2), ...contentOf(others) } as ObjectVersion
      await publish(stores, old)
      await publish(stores, former)
      await publish(stores, gone('acme/v1/a', 3))
      await versions.release('acme/v1/a', 'c1')
      await versions.release('acme/v1/a', 'c3')
      await versions.release('acme/v1/a', 'c9')

      expect(await list(stores)).toEqual([former])
      const told = { sha256: bytes, sizeBytes: 2 ** 40, zone: 'acme' }
      expect(await versions.released(10)).toEqual([told])
      await versions.release('acme/v1/a', 'c2')
      expect(await versions.released(1)).toEqual([told])
      await versions.settleReleased([bytes])
      expect(await versions.released(10)).toEqual([{ ...told, sha256: others }])
    },
  )

  run('what is let go is in no version any more', async (stores) => {
    await publish(stores, stored('acme/v1/a', 1))
    await publish(stores, gone('acme/v1/a', 2))
    await stores.versions.letGo(['a'.repeat(64)])

    expect(await list(stores)).toEqual([gone('acme/v1/a', 2)])
  })
}
