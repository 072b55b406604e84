import { expect, test } from 'bun:test'

import { MemoryPublicationStore } from '../../adapters/memory/content/memory-publication-store.ts'
import { assetWith } from '../../ports/records/asset.ts'
import { parseAssetPath } from '../content/asset-path.ts'
import { createPublishedOverlay } from './published-overlay.ts'

import { actor, events, setUp } from './publisher.fixture.ts'

test('what was answered is catalogued, announced and audited', async () => {
  const { open, database } = await setUp()
  const { zones, put, files, catalog, heard } = await open()
  await zones.create('acme', actor)
  await put('acme/v1/logos/a.svg', 'one')
  await put('acme/v1/logos/a.svg', 'two')
  await files.remove(parseAssetPath('acme/v1/logos/a.svg'), actor)

  expect(catalog.asset('acme/v1/logos/a.svg')).toBeUndefined()
  expect(events(heard).filter((event) => !event.startsWith('deploy'))).toEqual([
    'zone.created acme',
    'asset.created acme/v1/logos/a.svg',
    'asset.updated acme/v1/logos/a.svg',
    'asset.deleted acme/v1/logos/a.svg',
  ])
  expect(heard.map(({ seq }) => seq)).toEqual(heard.map((_, index) => index + 1))
  expect(database.audit.map(({ action, ip }) => [action, ip])).toEqual([
    ['zone.create', '192.0.2.1'],
    ['storage.put', '192.0.2.1'],
    ['storage.put', '192.0.2.1'],
    ['storage.delete', '192.0.2.1'],
  ])
})

test('the end of a zone is told of each of its files and domains, then of the zone', async () => {
  const { open } = await setUp()
  const { zones, domains, put, heard } = await open()
  for (const zone of ['acme', 'other']) {
    await zones.create(zone, actor)
    await put(`${zone}/v1/logos/a.svg`, 'one')
    await domains.add(zone, { hostname: `${zone}.example` }, actor)
  }
  await put('acme/v1/icons/b.svg', 'two')
  heard.length = 0
  await zones.remove('acme', actor)

  expect(heard.map(({ event, data }) => [event, data['path'] ?? data['hostname'] ?? ''])).toEqual([
    ['asset.deleted', 'clients/acme/v1/icons/b.svg'],
    ['asset.deleted', 'clients/acme/v1/logos/a.svg'],
    ['domain.updated', 'acme.example'],
    ['zone.deleted', ''],
    ['deploy.completed', ''],
  ])
  expect(heard[2]?.data).toMatchObject({ zone: 'acme', removed: true })
  expect([...domains.all()].map(({ hostname }) => hostname)).toEqual(['other.example'])
})

test('a file that is stored and gone with its zone within one group is told of too', async () => {
  const { open } = await setUp()
  const { catalog, zones, put } = await open()
  await zones.create('acme', actor)
  await put('acme/v1/logos/kept.svg', 'x')
  const kept = catalog.asset('acme/v1/logos/kept.svg')
  if (!kept) throw new Error('it was stored')
  const view = createPublishedOverlay(catalog)
  const paths = () => view.zoneFiles('acme').map(({ path }) => path)
  view.apply({ assets: [{ ...assetWith(kept, {}), path: 'acme/v1/icons/late.svg' }], feed: [] })
  expect(paths()).toEqual(['acme/v1/icons/late.svg', 'acme/v1/logos/kept.svg'])
  view.apply({ removedAssets: ['acme/v1/logos/kept.svg'], feed: [] })
  expect(paths()).toEqual(['acme/v1/icons/late.svg'])
  view.apply({ removedZones: ['acme'], feed: [] })
  expect(paths()).toEqual([])
})

test('a refused write changes, announces and audits nothing', async () => {
  const { open, database } = await setUp()
  const { zones, put, heard } = await open()
  await zones.create('acme', actor)
  const before = [heard.length, database.audit.length]

  expect(put('nobody/v1/logos/a.svg', 'x')).rejects.toMatchObject({ code: 'ZoneNotFound' })
  await expect(zones.create('acme', actor)).rejects.toMatchObject({ code: 'ZoneExists' })
  expect([heard.length, database.audit.length]).toEqual(before)
})

test('writes that are asked for at once are told apart as created and updated', async () => {
  const { open } = await setUp()
  const { zones, put, heard } = await open()
  await zones.create('acme', actor)
  const outcomes = await Promise.all(
    ['1', '2', '3'].map((text) => put('acme/v1/logos/a.svg', text)),
  )

  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['created', 'updated', 'updated'])
  expect(events(heard).filter((event) => event.startsWith('asset'))).toEqual([
    'asset.created acme/v1/logos/a.svg',
    'asset.updated acme/v1/logos/a.svg',
    'asset.updated acme/v1/logos/a.svg',
  ])
})

test('a write that cannot be published is refused, healed later, and told once', async () => {
  const { open, failing } = await setUp()
  const { zones, put, publisher, catalog, heard } = await open()
  await zones.create('acme', actor)
  failing.isOn = true
  await expect(put('acme/v1/logos/a.svg', 'x')).rejects.toMatchObject({ code: 'Unavailable' })
  expect(publisher.isCurrent).toBe(false)
  expect(catalog.asset('acme/v1/logos/a.svg')).toBeUndefined()

  failing.isOn = false
  await put('acme/v1/logos/b.svg', 'y')
  expect(publisher.isCurrent).toBe(true)
  expect(catalog.asset('acme/v1/logos/a.svg')).toBeDefined()
  const created = events(heard).filter((event) => event.startsWith('asset.created'))
  expect(created).toEqual([
    'asset.created acme/v1/logos/a.svg',
    'asset.created acme/v1/logos/b.svg',
  ])
})

test('a write that was published although the response got lost is shown and told once', async () => {
  const { open, failing, database } = await setUp()
  const { zones, put, catalog, publisher, heard } = await open()
  await zones.create('acme', actor)
  failing.isLate = true
  expect(await put('acme/v1/a', 'one').catch((error: unknown) => error)).toMatchObject({
    code: 'Unavailable',
  })
  expect(catalog.asset('acme/v1/a')).toBeUndefined()
  failing.isLate = false
  await publisher.catchUp()
  await put('acme/v1/b', 'two')

  expect(catalog.asset('acme/v1/a')).toBeDefined()
  expect(events(heard).filter((event) => event.startsWith('asset'))).toEqual([
    'asset.created acme/v1/a',
    'asset.created acme/v1/b',
  ])
  const feed = await new MemoryPublicationStore(database).feedAfter(0, 100)
  expect(feed).toEqual(heard)
})

test('a database elsewhere that knows another repository’s commits is left as it is', async () => {
  const { open, database } = await setUp()
  const store = new MemoryPublicationStore(database)
  await store.publish([{ commitId: 'f'.repeat(40), feed: [] }])

  await expect(open({ isShared: true })).rejects.toThrow('put the repository back')
  expect((await store.position()).commitId).toBe('f'.repeat(40))
})

test('what was committed but not published is published at the next start', async () => {
  const { open, failing } = await setUp()
  const first = await open()
  await first.zones.create('acme', actor)
  failing.isOn = true
  await expect(first.put('acme/v1/logos/a.svg', 'x')).rejects.toThrow()
  failing.isOn = false

  const second = await open()
  expect(second.catalog.asset('acme/v1/logos/a.svg')).toBeDefined()
  expect(events(second.heard)).toContain('asset.created acme/v1/logos/a.svg')
})

test('a rebuild makes the same catalogue and announces nothing', async () => {
  const { open } = await setUp()
  const { zones, put, files, publisher, catalog, heard } = await open()
  await zones.create('acme', actor)
  await zones.create('gone', actor)
  await put('acme/v1/logos/a.svg', 'one')
  await put('acme/v1/logos/b.svg', 'two')
  await put('gone/v1/logos/c.svg', 'three')
  await files.remove(parseAssetPath('acme/v1/logos/b.svg'), actor)
  await zones.remove('gone', actor)
  await zones.update('acme', { suspended: true }, actor)
  const before = { asset: catalog.asset('acme/v1/logos/a.svg'), zones: catalog.zones() }
  const told = heard.length

  await publisher.rebuild()
  expect({ asset: catalog.asset('acme/v1/logos/a.svg'), zones: catalog.zones() }).toEqual(before)
  expect(catalog.asset('acme/v1/logos/b.svg')).toBeUndefined()
  expect(heard).toHaveLength(told)
})

test('a commit made by other means is published; what it holds besides assets is left out', async () => {
  const { open, content, blobs, warnings } = await setUp()
  const { catalog } = await open()
  await using incoming = await blobs.receive(new TextEncoder().encode('by hand'))
  const blob = await incoming.keep()
  await content.commit({ subject: 'by hand', author: 'somebody' }, async () => [
    { kind: 'put', path: 'clients/acme/v1/logos/a.svg', blob },
    { kind: 'put', path: 'README.md', blob },
    { kind: 'put', path: 'clients/acme/v1/.gitignore', blob },
  ])

  expect(catalog.zone('acme')).toBeDefined()
  expect(catalog.zoneFiles('acme').map(({ path }) => path)).toEqual(['acme/v1/logos/a.svg'])
  expect(warnings).toHaveLength(2)
})

test('a commit of thousands lets others have their turn, and is told once all of it is there', async () => {
  const { open, content, blobs } = await setUp()
  const { zones, catalog, feed, heard } = await open()
  await zones.create('acme', actor)
  await using incoming = await blobs.receive(new TextEncoder().encode('x'))
  const blob = await incoming.keep()
  const paths = Array.from({ length: 2_500 }, (_, index) => `acme/v1/icons/${index}.txt`)
  const isShown = (index: number) => catalog.asset(paths.at(index) ?? '') !== undefined
  let sawSome = false
  let isWholeWhenTold: boolean | undefined
  using _told = feed.subscribe(() => (isWholeWhenTold ??= isShown(-1)))
  const formerSeq = heard.at(-1)?.seq ?? 0
  const wholeAt = new Set<number>()
  const watching = setInterval(() => {
    if (!isShown(0) || isShown(-1)) return
    sawSome = true
    wholeAt.add(feed.wholeAt)
  }, 0)
  using _turns = { [Symbol.dispose]: () => clearInterval(watching) }
  heard.length = 0
  const puts = paths.map((path) => ({ kind: 'put' as const, path: `clients/${path}`, blob }))
  await content.commit({ subject: 'many', author: 'somebody' }, async () => puts)

  expect(isWholeWhenTold).toBe(true)
  expect(sawSome).toBe(true)
  // Whoever looked meanwhile was told that it was a part.
  expect([...wholeAt]).toEqual([formerSeq + paths.length + 1])
  expect(events(heard)).toEqual([
    ...paths.map((path) => `asset.created ${path}`),
    'deploy.completed',
  ])
  expect(heard.map(({ seq }) => seq)).toEqual(heard.map((_, place) => (heard[0]?.seq ?? 0) + place))
}, 30_000)
