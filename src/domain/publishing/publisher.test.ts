import { expect, test } from 'bun:test'

import { MemoryBlobStore } from '../../adapters/memory/content/memory-blob-store.ts'
import { MemoryContentStore } from '../../adapters/memory/content/memory-content-store.ts'
import { MemoryDatabase } from '../../adapters/memory/content/memory-database.ts'
import { MemoryDomainStore } from '../../adapters/memory/domains/memory-domain-store.ts'
import { MemoryNameResolver } from '../../adapters/memory/domains/memory-name-resolver.ts'
import { MemoryPublicationStore } from '../../adapters/memory/content/memory-publication-store.ts'
import type { FeedEntry } from '../../ports/records/feed.ts'
import type { Actor } from '../access/actor.ts'
import { createCatalog } from '../catalog/catalog.ts'
import { openDomains } from '../content/domains/domains.ts'
import { createOwnHosts } from '../content/domains/own-hosts.ts'
import { createFiles } from '../content/files/files.ts'
import { createZones } from '../content/zones.ts'
import { parseAssetPath } from '../content/asset-path.ts'
import { createFeed } from '../feed.ts'
import { createPublishedOverlay } from './published-overlay.ts'
import { createPublisher } from './publisher.ts'

const actor: Actor = {
  credentialId: 'access-key',
  zones: undefined,
  ip: '192.0.2.1',
  userAgent: 'test',
  requestId: 'request-1',
}

/** A service's heart over memory. `reopen` starts anew on what is stored, as a restart does. */
async function setUp() {
  const blobs = new MemoryBlobStore()
  const content = new MemoryContentStore({ blobs })
  const database = new MemoryDatabase()
  const failing = { isOn: false, isLate: false }
  const store = new MemoryPublicationStore(database)
  const publish = store.publish.bind(store)
  store.publish = async (publications) => {
    if (failing.isOn) throw new Error('disk full')
    const entries = await publish(publications)
    if (failing.isLate) throw new Error('the line went dead')
    return entries
  }
  const warnings: string[] = []

  async function open({ isShared = false } = {}) {
    const catalog = createCatalog({ schedule: (slice) => queueMicrotask(slice), runId: 'test' })
    await catalog.load({
      assets: store.assets(),
      zones: await store.zones(),
      ruleFiles: await store.ruleFiles(),
    })
    const heard: FeedEntry[] = []
    const feed = createFeed({ store, onSubscriberFault: (fault) => warnings.push(String(fault)) })
    feed.subscribe((entries) => heard.push(...entries))
    const now = () => new Date('2026-11-20T12:00:00Z')
    const log = { warn: (message: string) => void warnings.push(message) }
    const domainStore = new MemoryDomainStore(database)
    const parts = { content, blobs, store, domains: domainStore, catalog, feed, now, log }
    const publisher = createPublisher({ ...parts, isShared })
    await publisher.start()
    const head = () => content.head()
    const files = createFiles({ blobs, published: catalog, publisher, head })
    const zones = createZones({ blobs, published: catalog, publisher, settle: async () => {} })
    const put = (path: string, text: string) =>
      files.put({ path: parseAssetPath(path), source: new TextEncoder().encode(text) }, actor)
    const domains = await openDomains({
      store: domainStore,
      published: catalog,
      feed,
      resolver: new MemoryNameResolver(),
      ownHosts: createOwnHosts({ baseUrl: undefined, cnameTarget: undefined }),
      maxPerZone: 50,
      additionsTo: () => ({ take: async () => ({ limit: 99, remaining: 99 }) }),
      now,
    })
    return { catalog, heard, publisher, files, zones, domains, put }
  }
  return { content, blobs, database, failing, warnings, open }
}

const events = (entries: readonly FeedEntry[]) =>
  entries.map(({ event, path, zone }) => [event, path ?? zone ?? ''].join(' ').trim())

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
  view.apply({ assets: [{ ...kept, path: 'acme/v1/icons/late.svg' }], feed: [] })
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
