import { expect, test } from 'bun:test'

import { assetAt, at, everyMember, zoneOf } from '../../ports/content/publication-store.contract.ts'
import { MemoryReplicaStore } from '../../adapters/memory/edges/memory-edge-stores.ts'
import { previewAt } from '../../ports/previews/preview-store.contract.ts'
import { until } from '../../../test/support/until.ts'
import { plainAsset } from '../catalog/fixtures/plain-asset.ts'
import { assetOfRow, assetRow, type AssetRow } from './manifest/record-rows.ts'
import { openTestEdge, openTestOrigin, openTestWire, feedEntry } from './fixtures/edge-world.ts'

const assets = (zone: string, ...names: readonly string[]) =>
  names.map((name) => assetAt(`${zone}/v1/icons/${name}.svg`))
const created = (path: string) =>
  feedEntry('asset.created', { path, zone: path.split('/')[0] ?? '' })

async function setUp() {
  const origin = openTestOrigin()
  const wire = openTestWire(origin)
  const all = [...assets('acme', 'a', 'b'), ...assets('bolt', 'a')]
  await origin.publish({ zones: [zoneOf('acme'), zoneOf('bolt')], assets: all }, [
    feedEntry('zone.created', { zone: 'acme' }),
    feedEntry('zone.created', { zone: 'bolt' }),
    ...all.map(({ path }) => created(path)),
  ])
  return { origin, wire }
}

const isAt = (edge: Awaited<ReturnType<typeof openTestEdge>>, seq: number) =>
  until(() => edge.replica.position?.seq === seq)

test('a new edge fetches every part that it has not, once, and then what is published as it happens', async () => {
  const { origin, wire } = await setUp()
  await using edge = await openTestEdge(wire.origin)
  await edge.following.caughtUp

  expect(wire.asked.toSorted()).toEqual([
    expect.stringMatching(/^feed 5\./u),
    'manifest',
    'part acme',
    'part bolt',
  ])
  expect(plainAsset(edge.published.asset('acme/v1/icons/a.svg'))).toEqual(
    assetAt('acme/v1/icons/a.svg'),
  )
  expect(edge.published.zone('bolt')).toEqual(zoneOf('bolt'))
  const changed = assetAt('acme/v1/icons/a.svg', { sizeBytes: 7, sha256: 'b'.repeat(64) })
  await origin.publish({ assets: [changed], removedAssets: ['acme/v1/icons/b.svg'] }, [
    feedEntry('asset.updated', { path: changed.path, zone: 'acme' }),
    feedEntry('asset.deleted', { path: 'acme/v1/icons/b.svg', zone: 'acme' }),
  ])
  await isAt(edge, 7)
  expect(plainAsset(edge.published.asset('acme/v1/icons/a.svg'))).toEqual(changed)
  expect(edge.published.asset('acme/v1/icons/b.svg')).toBeUndefined()
})

test('what is known of an asset comes with it, by the feed and by a comparison', async () => {
  const { origin, wire } = await setUp()
  const [path, other] = ['acme/v1/icons/a.svg', 'acme/v1/icons/b.svg']
  await origin.publish({ assets: [assetAt(path, { metadata: everyMember })] }, [
    feedEntry('asset.updated', { path, zone: 'acme' }),
  ])
  await using edge = await openTestEdge(wire.origin)
  await edge.following.caughtUp
  expect(plainAsset(edge.published.asset(path))).toEqual(assetAt(path, { metadata: everyMember }))

  await origin.publish({ assets: [assetAt(other, { metadata: { title: 'B' } }), assetAt(path)] }, [
    feedEntry('asset.updated', { path: other, zone: 'acme' }),
    feedEntry('asset.updated', { path, zone: 'acme' }),
  ])
  await isAt(edge, 8)
  expect(edge.published.asset(other)?.metadata).toEqual({ title: 'B' })
  expect(plainAsset(edge.published.asset(path))).toEqual(assetAt(path))
})

test('an edge that knew nothing of metadata finds that it differs, and says the same from then on', async () => {
  const described = assetAt('acme/v1/icons/a.svg', { metadata: everyMember })
  const row = JSON.stringify(assetRow(described))
  const [, ...before] = (JSON.parse(row) as AssetRow).toReversed()
  expect(before.toReversed()).toEqual([...assetRow(assetAt(described.path))])
  expect(assetOfRow(JSON.parse(row) as AssetRow)).toEqual(described)
  expect(JSON.stringify(assetRow(assetOfRow(JSON.parse(row) as AssetRow)))).toBe(row)
})

test('rules, flags, host names and removed zones follow', async () => {
  const { origin, wire } = await setUp()
  await using edge = await openTestEdge(wire.origin)
  await edge.following.caughtUp
  const rules = { name: '_headers', content: '/*\n  X: y\n', changedAt: at(1) } as const
  await origin.publish({ ruleFiles: [rules] }, [feedEntry('rules.updated')])
  origin.zoneByHost.set('cdn.acme.test', 'acme')
  origin.plainHosts.add('cdn.acme.test')
  await origin.publish({}, [
    feedEntry('domain.updated', { zone: 'acme', data: { hostname: 'cdn.acme.test' } }),
  ])
  const suspended = { ...zoneOf('acme'), suspended: true }
  await origin.publish({ zones: [suspended] }, [feedEntry('zone.updated', { zone: 'acme' })])
  await isAt(edge, 8)

  expect(edge.published.ruleFile('_headers')).toBe(rules.content)
  expect(edge.published.zoneOfHost('cdn.acme.test')).toBe('acme')
  expect(edge.published.host('cdn.acme.test')?.redirectsToHttps).toBe(false)
  expect(edge.published.zone('acme')).toEqual(suspended)
  origin.zoneByHost.clear()
  await origin.publish({ removedZones: ['acme'], removedRuleFiles: ['_headers'] }, [
    feedEntry('zone.deleted', { zone: 'acme' }),
    feedEntry('rules.updated'),
  ])
  await isAt(edge, 10)
  expect(edge.published.asset('acme/v1/icons/a.svg')).toBeUndefined()
  expect(edge.published.zoneOfHost('cdn.acme.test')).toBeUndefined()
  expect(edge.published.ruleFile('_headers')).toBeUndefined()
  expect(edge.published.asset('bolt/v1/icons/a.svg')).toBeDefined()
})

test('previews follow, over a restart and a comparison too, and go with their zone', async () => {
  const { origin, wire } = await setUp()
  const store = new MemoryReplicaStore()
  const told = (name: string) => feedEntry('preview.updated', { zone: 'acme', data: { name } })
  const spring = previewAt('acme', 'spring', { isSigned: true, hasOwnExpiry: true })
  {
    await using edge = await openTestEdge(wire.origin, store)
    await edge.following.caughtUp
    for (const preview of [spring, previewAt('acme', 'autumn')]) {
      origin.previews.set(preview)
      await origin.publish({}, [told(preview.name)])
    }
    origin.previews.delete({ zone: 'acme', name: 'autumn' })
    await origin.publish({}, [told('autumn')])
    await isAt(edge, 8)
    expect(edge.published.previewsOf('acme')).toEqual([spring])
  }
  const moved = { ...spring, headCommitId: 'c2', changedAt: at(3) }
  origin.previews.set(moved)
  origin.previews.set(previewAt('bolt', 'other'))
  await origin.publish({}, [
    told('spring'),
    feedEntry('preview.updated', { zone: 'bolt', data: { name: 'other' } }),
  ])
  origin.changes.reset({ seq: 10, atMs: 1 })
  await using edge = await openTestEdge(wire.origin, store)
  expect(edge.published.preview('acme', 'spring')).toEqual(spring)
  await edge.following.caughtUp
  expect(edge.published.preview('acme', 'spring')).toEqual(moved)
  expect(edge.published.preview('bolt', 'other')).toEqual(previewAt('bolt', 'other'))

  origin.previews.deleteZone('acme')
  await origin.publish({ removedZones: ['acme'] }, [feedEntry('zone.deleted', { zone: 'acme' })])
  await isAt(edge, 11)
  expect(edge.published.previewsOf('acme')).toEqual([])
})

test('an edge that was away for a while is told what it missed in one change', async () => {
  const { origin, wire } = await setUp()
  await using edge = await openTestEdge(wire.origin)
  await edge.following.caughtUp
  wire.cut()
  for (const asset of assets('acme', 'c', 'd'))
    await origin.publish({ assets: [asset] }, [created(asset.path)])
  wire.asked.length = 0
  wire.mend()
  await isAt(edge, 7)

  expect(wire.asked.filter((each) => !each.startsWith('feed'))).toEqual([])
  expect(edge.published.asset('acme/v1/icons/d.svg')).toBeDefined()
})

test('an edge that was away for long fetches the parts that changed, and no others', async () => {
  const { origin, wire } = await setUp()
  await using edge = await openTestEdge(wire.origin)
  await edge.following.caughtUp
  const same = edge.published.asset('acme/v1/icons/a.svg')
  wire.cut()
  const many = Array.from({ length: 21_000 }, (_, number) => assetAt(`acme/v1/icons/${number}.svg`))
  await origin.publish(
    { assets: many },
    many.map(({ path }) => created(path)),
  )
  await origin.publish({ removedAssets: ['acme/v1/icons/b.svg'] }, [
    feedEntry('asset.deleted', { path: 'acme/v1/icons/b.svg', zone: 'acme' }),
  ])
  await origin.publish({}, [feedEntry('purge.completed', { data: { tags: ['x'] } })])
  wire.asked.length = 0
  edge.heard.length = 0
  wire.mend()
  await isAt(edge, 21_007)

  expect(wire.asked.filter((each) => each.startsWith('part'))).toEqual(['part acme'])
  expect(edge.published.asset('acme/v1/icons/20999.svg')).toBeDefined()
  expect(edge.published.asset('acme/v1/icons/b.svg')).toBeUndefined()
  // What did not change is the same object: what was prepared with it stays good.
  expect(edge.published.asset('acme/v1/icons/a.svg')).toBe(same)
  expect(edge.heard.some(({ data }) => data['everything'] === true)).toBe(true)
  expect(edge.replaced).toEqual([5, 21_007])
}, 30_000)

test('a feed that has given the same numbers to something else is not followed from there', async () => {
  const first = await setUp()
  await using edge = await openTestEdge(first.wire.origin)
  await edge.following.caughtUp
  const restored = openTestOrigin()
  const other = assetAt('acme/v1/icons/z.svg')
  await restored.publish({ zones: [zoneOf('acme')], assets: [other] }, [
    feedEntry('zone.created', { zone: 'acme', at: at(99) }),
    ...Array.from({ length: 6 }, () =>
      feedEntry('asset.created', { path: other.path, zone: 'acme', at: at(99) }),
    ),
  ])
  await edge[Symbol.asyncDispose]()
  await using again = await openTestEdge(openTestWire(restored).origin, edge.store)
  await isAt(again, 7)

  expect(again.published.asset('acme/v1/icons/z.svg')).toBeDefined()
  expect(again.published.asset('acme/v1/icons/a.svg')).toBeUndefined()
  expect(again.published.zone('bolt')).toBeUndefined()
})

test('an edge starts with what it knew, and never takes less from one that has lost the origin', async () => {
  const { origin, wire } = await setUp()
  const edge = await openTestEdge(wire.origin)
  await edge.following.caughtUp
  await edge[Symbol.asyncDispose]()
  const behind = openTestOrigin()
  await behind.publish({ zones: [zoneOf('acme')] }, [feedEntry('zone.created', { zone: 'acme' })])
  const staleWire = openTestWire(behind)
  staleWire.setCurrent(false)
  await using again = await openTestEdge(staleWire.origin, edge.store)
  await until(() => again.warnings.length > 1)

  expect(again.replica.position).toEqual(edge.replica.position)
  expect(again.published.asset('acme/v1/icons/a.svg')).toBeDefined()
  expect(origin.changes.position.seq).toBe(5)
})

test('entries that are announced out of order are told in order, each once', async () => {
  const { origin } = await setUp()
  const placed: number[][] = []
  origin.changes.subscribe(({ to, message }) => {
    expect(message.kind).toBe('change')
    placed.push([to.seq])
  })
  const [asset] = assets('acme', 'late')
  if (asset === undefined) throw new Error('there is none')
  const [one, two] = await origin.store.publish([
    { assets: [asset], feed: [created(asset.path), feedEntry('purge.completed')] },
  ])
  if (one === undefined || two === undefined) throw new Error('there are none')
  origin.announce([two])
  expect(placed).toEqual([])
  origin.apply({ assets: [asset], feed: [] })
  origin.announce([one])
  origin.announce([one, two])

  expect(placed).toEqual([[7]])
})

test('what another process wrote is read where a number is missing', async () => {
  const { origin } = await setUp()
  const numbers: number[] = []
  origin.changes.subscribe(({ to }) => numbers.push(to.seq))
  const [, second] = await origin.store.publish([
    { feed: [feedEntry('purge.completed'), feedEntry('purge.completed')] },
  ])
  if (second === undefined) throw new Error('there is none')
  origin.announce([second])
  await until(() => numbers.length > 0)

  expect(numbers).toEqual([7])
})
