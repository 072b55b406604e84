import { expect, test } from 'bun:test'

import type { EdgeRecord, EdgeStore } from './edge-store.ts'
import type { PastStore } from './past-store.ts'
import type { ReplicaPublication, ReplicaStep, ReplicaStore } from './replica-store.ts'
import { previewAt } from '../previews/preview-store.contract.ts'
import type { TrafficSpool } from '../traffic/traffic-spool.ts'

export interface EdgeStores extends AsyncDisposable {
  readonly edges: EdgeStore
  readonly replica: ReplicaStore
  /** With room for a hundred small flushes at most. */
  readonly spool: TrafficSpool
  /** With room for two texts of 400 characters, and not for three. */
  readonly past: PastStore
}

/** What every EdgeStore, ReplicaStore and TrafficSpool must do. The test of each adapter calls this once. */
export function edgeStoresContract(name: string, open: () => Promise<EdgeStores>): void {
  test(`${name}: an edge comes back as it was saved, by name, and is replaced and forgotten`, async () => {
    await using stores = await open()
    await stores.edges.save([edge('b', 5), { ...edge('a', 3), via: 'b' }])
    await stores.edges.save([edge('b', 7)])

    expect(await stores.edges.list()).toEqual([{ ...edge('a', 3), via: 'b' }, edge('b', 7)])
    await stores.edges.forget('a')
    await stores.edges.forget('a')
    expect((await stores.edges.list()).map((each) => each.name)).toEqual(['b'])
  })

  test(`${name}: a replica that never kept anything says so`, async () => {
    await using stores = await open()

    expect(await stores.replica.load()).toBeUndefined()
  })

  test(`${name}: steps are kept in their order, with their position`, async () => {
    await using stores = await open()
    const file = { name: '_headers', content: '/*\n  X: y\n', changedAt: new Date(1) } as const
    await stores.replica.apply([
      step(3, { zones: [zone('acme'), zone('bolt')], assets: [asset('acme'), asset('bolt')] }),
      {
        ...step(4, { ruleFiles: [file] }),
        hosts: [host('a.test', 'acme', false)],
        previews: ['old', 'new'].map((each) => shown('acme', each)),
      },
      { ...step(5, {}), previews: [{ zone: 'acme', name: 'old', preview: undefined }] },
    ])

    expect(await contentsOf(stores)).toEqual({
      position: { seq: 5, atMs: 5000 },
      zones: [zone('acme'), zone('bolt')],
      assets: [asset('acme'), asset('bolt')],
      ruleFiles: [file],
      hosts: [host('a.test', 'acme', false)],
      previews: [previewAt('acme', 'new')],
      erased: [],
    })
  })

  test(`${name}: what was erased stays so`, async () => {
    await using stores = await open()
    await stores.replica.apply([step(1, { erased: ['b', 'a'] }), step(2, { erased: ['a', 'c'] })])

    expect((await contentsOf(stores))?.erased).toEqual(['a', 'b', 'c'])
  })

  test(`${name}: a removed zone takes its assets and host names with it, and may begin anew`, async () => {
    await using stores = await open()
    const hosts = [host('a.test', 'acme'), host('b.test', 'bolt')]
    const all = { zones: [zone('acme'), zone('bolt')], assets: [asset('acme'), asset('bolt')] }
    const previews = [shown('acme', 'new'), shown('bolt', 'new')]
    await stores.replica.apply([{ ...step(1, all), hosts, previews }])
    await stores.replica.apply([step(2, { removedZones: ['acme'], zones: [zone('acme')] })])
    await stores.replica.apply([
      { ...step(3, {}), hosts: [{ hostname: 'b.test', zone: undefined }] },
    ])

    const contents = await contentsOf(stores)
    expect(contents?.zones.map((each) => each.name)).toEqual(['acme', 'bolt'])
    expect(contents?.assets).toEqual([asset('bolt')])
    expect(contents?.hosts).toEqual([])
  })

  test(`${name}: what was told of the past is kept by its key, and replaced`, async () => {
    await using stores = await open()
    await stores.past.keep(new Map([...texts('a', 'b'), ['c', 'ü'.repeat(5)]]))
    await stores.past.keep(new Map([['a', 'another']]))

    expect(await stores.past.read(['a', 'a', 'b', 'none'])).toEqual(
      new Map([['a', 'another'], ...texts('b')]),
    )
    expect(await stores.past.read([])).toEqual(new Map())
  })

  test(`${name}: what was used longest ago of the past makes room`, async () => {
    await using stores = await open()
    const kept = async () =>
      [...(await stores.past.read(['a', 'b', 'c', 'long'])).keys()].toSorted()
    await stores.past.keep(texts('a', 'b'))
    await stores.past.read(['a'])
    await stores.past.keep(texts('c'))
    expect(await kept()).toEqual(['a', 'c'])
    await stores.past.keep(texts('c'))
    await stores.past.keep(new Map([['long', 'x'.repeat(2_000)]]))

    expect(await kept()).toEqual(['a', 'c'])
  })

  test(`${name}: what is spooled comes out in its order until it is removed`, async () => {
    await using stores = await open()
    for (const number of [1, 2, 3]) expect(await stores.spool.add(flush(number))).toBe(true)
    const numbers = async (limit: number) =>
      (await stores.spool.oldest(limit)).map((each) => each.flush.number)
    const [first, second] = await stores.spool.oldest(2)

    expect(first?.flush).toEqual(flush(1))
    await stores.spool.removeTo(second?.place ?? 0)
    expect(await numbers(5)).toEqual([3])
    await stores.spool.add(flush(4))
    expect(await numbers(5)).toEqual([3, 4])
  })

  test(`${name}: a full spool takes nothing more until there is room again`, async () => {
    await using stores = await open()
    let added = 0
    while (added < 200 && (await stores.spool.add(flush(added + 1)))) added += 1

    expect(added).toBeGreaterThan(0)
    expect(added).toBeLessThan(200)
    const [first] = await stores.spool.oldest(1)
    await stores.spool.removeTo(first?.place ?? 0)
    expect(await stores.spool.add(flush(added + 1))).toBe(true)
    expect((await stores.spool.oldest(200)).at(-1)?.flush.number).toBe(added + 1)
  })
}

async function contentsOf({ replica }: EdgeStores) {
  const contents = await replica.load()
  return contents && { ...contents, assets: await Array.fromAsync(contents.assets) }
}

const edge = (name: string, seq: number): EdgeRecord => ({
  name,
  seq,
  since: new Date(1),
  firstSeenAt: new Date(2),
  lastSeenAt: new Date(3),
  via: undefined,
})

const zone = (name: string) => ({
  name,
  createdAt: new Date(5),
  enabled: true,
  suspended: false,
})

const asset = (zoneName: string) => ({
  path: `${zoneName}/v1/logos/a.svg`,
  zone: zoneName,
  category: 'logos',
  name: 'a.svg',
  format: 'svg',
  sizeBytes: 3,
  sha256: 'a'.repeat(64),
  contentType: 'image/svg+xml',
  createdAt: new Date(6),
  changedAt: new Date(7),
  commitId: 'c'.repeat(40),
})

const host = (hostname: string, zoneName: string, redirectsToHttps = true) => ({
  hostname,
  zone: zoneName,
  redirectsToHttps,
})

const nothing: ReplicaPublication = {
  removedZones: [],
  zones: [],
  removedAssets: [],
  assets: [],
  ruleFiles: [],
  erased: [],
  removedRuleFiles: [],
}

const step = (seq: number, publication: Partial<ReplicaPublication>): ReplicaStep => ({
  to: { seq, atMs: seq * 1000 },
  publication: { ...nothing, ...publication },
  hosts: [],
  previews: [],
})

const shown = (zoneName: string, name: string) => ({
  zone: zoneName,
  name,
  preview: previewAt(zoneName, name),
})

const flush = (number: number) => ({ process: 'p', number, hour: 1, rows: [], beacons: [] })

const texts = (...keys: readonly string[]): ReadonlyMap<string, string> =>
  new Map(keys.map((key) => [key, key.repeat(400)]))
