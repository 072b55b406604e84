import { expect, test } from 'bun:test'

import { assetAt, entry, zoneOf } from '../content/publication-store.contract.ts'
import type { Publication, PublicationStore } from '../content/publication-store.ts'
import type { AssetRecord } from '../records/asset.ts'
import { keptDays, type TrafficFlush, type TrafficStore } from './traffic-store.ts'
import type { UsageStore } from './usage-store.ts'

/** Stores that share one database. */
export interface UsageStores extends AsyncDisposable {
  readonly usage: UsageStore
  readonly traffic: TrafficStore
  /** Publications are of the time that the clock shows. */
  readonly publications: PublicationStore
}

type Open = (now: () => Date) => Promise<UsageStores>

const day = 20_000

/** What every UsageStore must do. The test of each adapter calls this once. */
export function usageStoreContract(name: string, open: Open): void {
  test(`${name}: what is stored grows and shrinks with what is published, and uploads are counted`, async () => {
    await using world = await setUp(open)
    await world.publish(storing(['acme/v1/a', 10], ['acme/v1/b', 5]))
    await world.publish(storing(['acme/v1/a', 7]))
    world.today = day + 2
    await world.publish({
      removedAssets: ['acme/v1/b'],
      feed: [entry('acme/v1/b')],
    })

    expect(await world.stored('acme')).toEqual([
      [day, 12, 2],
      [day + 2, -5, -1],
    ])
    expect(await world.uploads('acme')).toEqual([3, 22])
    expect((await world.between(day + 1, day + 9)).before).toEqual({ storedBytes: 12, files: 2 })
  })

  test(`${name}: what is moved, described or made anew silently is no upload`, async () => {
    await using world = await setUp(open)
    await world.publish(storing(['acme/v1/a/x', 10]))
    const at = new Date(0)
    await world.publish({
      ...storing(['acme/v1/b/x', 10]),
      removedAssets: ['acme/v1/a/x'],
      moves: [{ from: 'acme/v1/a', to: 'acme/v1/b', movedAt: at, commitId: 'c2' }],
    })
    await world.publish({ assets: [sized('acme/v1/b/x', 10)], feed: [entry('acme/v1/b/x')] })
    await world.publish({ ...storing(['acme/v1/c', 1]), feed: [] })

    expect(await world.uploads('acme')).toEqual([1, 10])
    expect(await world.stored('acme')).toEqual([[day, 11, 2]])
  })

  test(`${name}: what was used in a period is summed by zone, those that used nothing left out`, async () => {
    await using world = await setUp(open)
    await world.publish(storing(['acme/v1/a', 10], ['acme/v1/b', 5]))
    await world.publish(storing(['bolt/v1/a', 1]))
    world.today = day + 40
    await world.publish(storing(['acme/v1/a', 7]))
    const sumsOf = async (fromDay: number, toDay: number, zones?: ReadonlySet<string>) =>
      [...(await world.usage.sums({ fromDay, toDay, zones }))].map(
        ([zone, { uploads }]) => [zone, uploads] as const,
      )

    expect(new Map(await sumsOf(day, day + 40))).toEqual(
      new Map([
        ['acme', 3],
        ['bolt', 1],
      ]),
    )
    expect(await sumsOf(day + 1, day + 40)).toEqual([['acme', 1]])
    expect(await sumsOf(day, day, new Set(['bolt']))).toEqual([['bolt', 1]])
    expect(await sumsOf(day, day + 40, new Set())).toEqual([])
  })

  test(`${name}: projections that are made anew end where they were`, async () => {
    await using world = await setUp(open)
    await world.publish(storing(['acme/v1/a', 10], ['acme/v1/b', 5]))
    world.today = day + 1
    await world.publications.forgetProjections()
    await world.publish({ ...storing(['acme/v1/a', 10], ['acme/v1/b', 5]), feed: [] })

    expect(await world.stored('acme')).toEqual([
      [day, 15, 2],
      [day + 1, 0, 0],
    ])
    expect(await world.uploads('acme')).toEqual([2, 15])
  })

  test(`${name}: a zone that is made anew has nothing of the former, which keeps its own`, async () => {
    await using world = await setUp(open)
    await world.publish(storing(['acme/v1/a', 10]))
    await world.record({ calls: [{ zone: 'acme', kind: 'vision', calls: 2 }] })
    const created = {
      ...entry('acme'),
      event: 'zone.created' as const,
      zone: 'acme',
      path: undefined,
    }
    await world.publish(
      storing(['acme/v1/b', 3]),
      { removedZones: ['acme'], feed: [] },
      { ...storing(['acme/v1/c', 4]), zones: [zoneOf('acme')], feed: [created] },
    )

    expect(await world.stored('acme')).toEqual([[day, 4, 1]])
    expect(await world.uploads('acme')).toEqual([1, 4])
    const [, former = ''] = await world.usage.zones(everyDay)
    expect(former).toStartWith('acme~')
    expect(await world.stored(former)).toEqual([[day, 0, 0]])
    expect(await world.uploads(former)).toEqual([2, 13])
    expect((await world.between(day, day)).days).toMatchObject([
      { storedBytes: 4, files: 1, uploads: 3, uploadedBytes: 17, visionCalls: 2 },
    ])
  })

  test(`${name}: traffic and calls are those of the flushes, each counted once`, async () => {
    await using world = await setUp(open)
    const flush = {
      rows: [
        { ...row, zone: 'acme', requests: 3, bytes: 2 ** 40, isHit: true, isTransform: true },
        { ...row, zone: 'beta', requests: 1, bytes: 5, isTransform: true },
        { ...row, zone: '', requests: 1, bytes: 9 },
      ],
      calls: [
        { zone: 'acme', kind: 'vision' as const, calls: 2 },
        { zone: '', kind: 'chat' as const, calls: 4 },
        { zone: '', kind: 'embedding' as const, calls: 5 },
      ],
    }
    await world.record(flush)
    await world.record(flush, 1)

    expect(await world.usage.zones(everyDay)).toEqual(['', 'acme', 'beta'])
    const all = (await world.between(day, day)).days
    expect(all).toEqual([
      {
        day,
        requests: 5,
        bytes: 2 ** 40 + 14,
        hits: 3,
        transforms: 4,
        transformsMade: 1,
        uploads: 0,
        uploadedBytes: 0,
        visionCalls: 2,
        chatCalls: 4,
        embeddingCalls: 5,
        storedBytes: 0,
        files: 0,
      },
    ])
    const narrowed = { ...everyDay, zones: new Set(['beta', 'none']) }
    expect(await world.usage.zones(narrowed)).toEqual(['beta'])
    expect((await world.usage.days(narrowed)).days).toMatchObject([
      { requests: 1, visionCalls: 0, transformsMade: 1 },
    ])
    expect(await world.usage.zones({ ...everyDay, zones: new Set() })).toEqual([])
  })

  test(`${name}: what is older than is kept is forgotten, but not what is stored since then`, async () => {
    await using world = await setUp(open)
    await world.publish(storing(['acme/v1/a', 10]))
    await world.publish(storing(['beta/v1/a', 1]))
    await world.publish({ removedAssets: ['beta/v1/a'], feed: [] })
    world.today = day + 3
    await world.publish(storing(['acme/v1/b', 5]))
    const first = day + 5
    for (const _ of [1, 2]) await world.traffic.tidy(first + keptDays - 1)

    expect(await world.stored('acme')).toEqual([[first, 15, 2]])
    expect(await world.uploads('acme')).toEqual([0, 0])
    expect(await world.usage.zones({ ...everyDay, fromDay: first + 1 })).toEqual(['acme'])
  })
}

const everyDay = { fromDay: 0, toDay: 99_999, zones: undefined }

async function setUp(open: Open) {
  let today = day
  const stores = await open(() => new Date((today + 0.5) * 86_400_000))
  let flushes = 0
  const zoneDays = async (zone: string) =>
    (await stores.usage.zoneDays({ ...everyDay, zones: new Set([zone]) })).get(zone)?.days ?? []
  return {
    ...stores,
    get today() {
      return today
    },
    set today(value: number) {
      today = value
    },
    publish: async (...publications: readonly Publication[]) =>
      void (await stores.publications.publish(publications)),
    async record(counted: Partial<TrafficFlush>, number = (flushes += 1)) {
      const flush = { process: 'p', number, hour: day * 24, rows: [], beacons: [], ...counted }
      await stores.traffic.record(flush)
    },
    between: (fromDay: number, toDay: number) =>
      stores.usage.days({ fromDay, toDay, zones: undefined }),
    stored: async (zone: string) =>
      (await zoneDays(zone)).map((each) => [each.day, each.storedBytes, each.files]),
    async uploads(zone: string) {
      const days = await zoneDays(zone)
      return [
        days.reduce((sum, { uploads }) => sum + uploads, 0),
        days.reduce((sum, { uploadedBytes }) => sum + uploadedBytes, 0),
      ]
    },
  }
}

const sized = (path: string, sizeBytes: number): AssetRecord => assetAt(path, { sizeBytes })

function storing(...files: readonly (readonly [path: string, sizeBytes: number])[]): Publication {
  const assets = files.map(([path, sizeBytes]) => sized(path, sizeBytes))
  return {
    assets,
    versions: assets.map(({ path, sha256, sizeBytes, contentType }) => ({
      path,
      commitId: 'c1',
      committedAt: new Date(0),
      content: { sha256, sizeBytes, contentType },
    })),
    feed: assets.map(({ path }) => entry(path)),
  }
}

const row = {
  path: '',
  isAsset: true,
  status: 200,
  isHit: false,
  country: 'DE',
} as const
