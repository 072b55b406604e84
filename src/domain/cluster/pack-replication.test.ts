import { expect, test } from 'bun:test'

import { MemoryBlobStore } from '../../adapters/memory/content/memory-blob-store.ts'
import type { PackedCommits, PackLedger, PackRecord } from '../../ports/content/pack-ledger.ts'
import type { Publication, PublicationStore } from '../../ports/content/publication-store.ts'
import { createRepositoryFollower } from './repository-follower.ts'
import { createPackReplication, joinable, replicatedWith } from './pack-replication.ts'

const recordOf = (place: number, sizeBytes: number): PackRecord => ({
  place,
  after: `c${place - 1}`,
  commitId: `c${place}`,
  packs: [{ sha256: `p${place}`, sizeBytes }],
})

test('records are joined once they are many, and a large old one is left as it is', () => {
  const small = (count: number, from: number) =>
    Array.from({ length: count }, (_, index) => recordOf(from + index, 10))

  expect(joinable(small(63, 1))).toEqual([])
  expect(joinable(small(64, 1))).toHaveLength(64)
  expect(joinable([recordOf(1, 1_000_000), ...small(64, 2)]).map(({ place }) => place)).toEqual(
    small(64, 2).map(({ place }) => place),
  )
})

test('however many records are written, whoever joins them now and then keeps few', () => {
  let records: PackRecord[] = []
  for (let place = 1; place <= 10_000; place += 1) {
    records.push(recordOf(place, 10))
    if (place % 50 > 0) continue
    const range = joinable(records)
    const last = range.at(-1)
    if (last === undefined) continue
    const sizeBytes = range.reduce((sum, { packs }) => sum + (packs[0]?.sizeBytes ?? 0), 0)
    records = [...records.slice(0, -range.length), recordOf(last.place, sizeBytes)]
  }
  expect(records.length).toBeLessThan(64 + 50)
})

/** A ledger in memory whose records are those of the publications. */
function createWorld() {
  const records: PackRecord[] = []
  const published: Publication[] = []
  const append = async (commits: PackedCommits) =>
    void records.push({ ...commits, place: records.length + 1 })
  const ledger: PackLedger = {
    after: async (place) => records.filter((record) => record.place > place),
    last: async () => records.at(-1),
    append,
    join: async () => {},
  }
  let isDown = false
  const store = {
    async publish(publications: readonly Publication[]) {
      if (isDown) throw new Error('the database is away')
      published.push(...publications)
      for (const { packs } of publications) if (packs !== undefined) await append(packs)
      return []
    },
  } as unknown as PublicationStore
  const packs = new MemoryBlobStore()
  const bytes = (after: string | undefined, commitId: string) =>
    new TextEncoder().encode(`${after ?? ''}..${commitId}`)
  const source = {
    packs: async (after: string | undefined, commitId: string) => [
      new Blob([bytes(after, commitId)]).stream(),
    ],
    packsAnew: async () => [],
  }
  const replication = createPackReplication({ source, packs, ledger })
  return {
    records,
    published,
    ledger,
    packs,
    replication,
    store: replicatedWith(store, replication),
    setDown: (down: boolean) => void (isDown = down),
  }
}

test('what is published before a node begins to ship is shipped whole, and once', async () => {
  const world = createWorld()
  await world.replication.begin('c1')
  await world.replication.begin('c1')

  expect(world.records).toMatchObject([{ after: undefined, commitId: 'c1' }])
})

test('each publication brings what leads from the one before, also after one that failed', async () => {
  const { store, setDown, records, published } = createWorld()
  await store.publish([{ commitId: 'c1', feed: [] }])
  setDown(true)
  await expect(store.publish([{ commitId: 'c2', feed: [] }])).rejects.toThrow()
  setDown(false)
  await store.publish([{ commitId: 'c2', feed: [] }, { feed: [] }, { commitId: 'c3', feed: [] }])
  await store.publish([{ feed: [] }])

  expect(records.map(({ after, commitId }) => [after, commitId])).toEqual([
    [undefined, 'c1'],
    ['c1', 'c3'],
  ])
  expect(published).toHaveLength(5)
})

/** A repository that has what it was given. */
function createCopy(has: readonly string[]) {
  const commits = new Set(has)
  const added: string[] = []
  let branch = has.at(-1)
  return {
    added,
    branch: () => branch,
    copy: {
      has: async (commitId: string) => commits.has(commitId),
      async add(pack: Blob) {
        const text = await pack.text()
        added.push(text)
        commits.add(text.split('..')[1] ?? '')
      },
      dropOthers: async () => {},
      resetTo: async (commitId: string) => void (branch = commitId),
    },
  }
}

test('a node that was away takes up what it has not, and nothing twice', async () => {
  const { store, ledger, packs } = createWorld()
  for (const commitId of ['c1', 'c2', 'c3']) await store.publish([{ commitId, feed: [] }])
  const { copy, added, branch } = createCopy(['c1'])
  const follower = createRepositoryFollower({ ledger, packs, copy })
  await follower.catchUp()
  await follower.catchUp()

  expect(added).toEqual(['c1..c2', 'c2..c3'])
  expect(branch()).toBe('c3')
})

test('a follower says where its repository is, and how often commits were written anew', async () => {
  const { store, ledger, packs, records } = createWorld()
  for (const commitId of ['c1', 'c2']) await store.publish([{ commitId, feed: [] }])
  const { copy } = createCopy(['c2'])
  const follower = createRepositoryFollower({ ledger, packs, copy })
  expect(follower.state).toEqual({ commitId: undefined, renewals: 0 })
  await follower.catchUp()
  expect(follower.state).toEqual({ commitId: 'c2', renewals: 0 })
  await store.publish([{ commitId: 'c3', feed: [] }])
  await follower.catchUp()
  expect(follower.state).toEqual({ commitId: 'c3', renewals: 0 })

  await using incoming = await packs.receive(new TextEncoder().encode('..n3'))
  const pack = await incoming.keep()
  records.push({ place: 4, after: undefined, commitId: 'n3', packs: [pack] })
  await follower.catchUp()
  expect(follower.state).toEqual({ commitId: 'n3', renewals: 1 })
})

test('a node that has commits nobody was told of stands where the published state stands', async () => {
  const { store, ledger, packs } = createWorld()
  await store.publish([{ commitId: 'c1', feed: [] }])
  const { copy, branch } = createCopy(['c1', 'x1'])
  const follower = createRepositoryFollower({ ledger, packs, copy })
  await follower.resetTo('c1')

  expect(branch()).toBe('c1')
  await expect(follower.resetTo('unknown')).rejects.toThrow('cannot have the repository')
})
