import { expect, test } from 'bun:test'

import { MemoryDatabase } from '../../adapters/memory/content/memory-database.ts'
import { MemoryDomainStore } from '../../adapters/memory/domains/memory-domain-store.ts'
import { MemoryPublicationStore } from '../../adapters/memory/content/memory-publication-store.ts'
import {
  assetAt,
  at,
  domainAt,
  entry,
  zoneOf,
} from '../../ports/content/publication-store.contract.ts'
import type { FeedEvent, NewFeedEntry } from '../../ports/records/feed.ts'
import { MemoryPreviewStore } from '../../adapters/memory/content/memory-preview-store.ts'
import { previewAt } from '../../ports/previews/preview-store.contract.ts'
import { openFollowedManifest } from './followed-manifest.ts'

const notice = (event: FeedEvent, given: Partial<NewFeedEntry> = {}): NewFeedEntry => ({
  ...entry(''),
  event,
  path: undefined,
  ...given,
})
const told = (path: string, event: FeedEvent = 'asset.created') => notice(event, { path })

async function setUp() {
  const database = new MemoryDatabase()
  const store = new MemoryPublicationStore(database)
  const domains = new MemoryDomainStore(database)
  const previews = new MemoryPreviewStore(database)
  await store.publish([
    {
      zones: [zoneOf('acme'), zoneOf('other')],
      assets: [assetAt('acme/v1/a'), assetAt('other/v1/a')],
      ruleFiles: [{ name: '_headers', content: 'first', changedAt: at(0) }],
      feed: [told('acme/v1/a'), told('other/v1/a')],
    },
  ])
  const heard: number[] = []
  let clockMs = 0
  async function open() {
    const manifest = await openFollowedManifest({
      store,
      domains,
      previews,
      monotonicMs: () => (clockMs += 1),
    })
    manifest.subscribe((entries) => heard.push(...entries.map(({ seq }) => seq)))
    return manifest
  }
  return { store, domains, previews, open, heard }
}

test('what was published before shows at once', async () => {
  const { open, heard } = await setUp()
  const manifest = await open()

  expect(manifest.asset('acme/v1/a')).toEqual(assetAt('acme/v1/a'))
  expect(manifest.zone('acme')).toEqual(zoneOf('acme'))
  expect(manifest.ruleFile('_headers')).toBe('first')
  expect(heard).toEqual([])
})

test('what is published while everything is read shows too', async () => {
  const { store, open } = await setUp()
  const assets = store.assets.bind(store)
  store.assets = async function* late() {
    yield* assets()
    const assetsNow = [assetAt('acme/v1/a', { sizeBytes: 7 }), assetAt('acme/v1/b')]
    await store.publish([{ assets: assetsNow, feed: assetsNow.map(({ path }) => told(path)) }])
  }
  const manifest = await open()

  expect(manifest.asset('acme/v1/a')?.sizeBytes).toBe(7)
  expect(manifest.asset('acme/v1/b')).toBeDefined()
})

test('assets, flags, rule files and domains follow the feed, and its listener hears of them after', async () => {
  const { store, domains, open, heard } = await setUp()
  const manifest = await open()
  await store.publish([
    {
      zones: [{ ...zoneOf('acme'), suspended: true }],
      assets: [assetAt('acme/v1/a', { sizeBytes: 7 })],
      removedAssets: ['other/v1/a'],
      removedRuleFiles: ['_headers'],
      feed: [
        notice('zone.updated', { zone: 'acme' }),
        told('acme/v1/a', 'asset.updated'),
        told('other/v1/a', 'asset.deleted'),
        notice('rules.updated'),
      ],
    },
  ])
  await domains.add(domainAt('acme.example'), {
    feed: notice('domain.updated', { data: { hostname: 'acme.example' } }),
  })
  await manifest.catchUp()

  expect(manifest.asset('acme/v1/a')?.sizeBytes).toBe(7)
  expect(manifest.asset('other/v1/a')).toBeUndefined()
  expect(manifest.zone('acme')?.suspended).toBe(true)
  expect(manifest.ruleFile('_headers')).toBeUndefined()
  expect(manifest.zoneOfHost('acme.example')).toBe('acme')
  expect(heard).toEqual([3, 4, 5, 6, 7])
})

test('what did not change stays the same object', async () => {
  const { store, open } = await setUp()
  const manifest = await open()
  const [zone, asset] = [manifest.zone('acme'), manifest.asset('acme/v1/a')]
  await store.publish([{ zones: [zoneOf('new')], feed: [notice('zone.created', { zone: 'new' })] }])
  await manifest.catchUp()

  expect(manifest.zone('new')).toBeDefined()
  expect(manifest.zone('acme')).toBe(zone)
  expect(manifest.asset('acme/v1/a')).toBe(asset)
})

test('a zone that is removed and made again has only what came after', async () => {
  const { store, open } = await setUp()
  const manifest = await open()
  await store.publish([
    { removedZones: ['acme'], feed: [notice('zone.deleted', { zone: 'acme' })] },
    {
      zones: [zoneOf('acme')],
      assets: [assetAt('acme/v1/new')],
      feed: [notice('zone.created', { zone: 'acme' }), told('acme/v1/new')],
    },
  ])
  await manifest.catchUp()

  expect(manifest.asset('acme/v1/a')).toBeUndefined()
  expect(manifest.asset('acme/v1/new')).toBeDefined()
  expect(manifest.asset('other/v1/a')).toBeDefined()
})

test('after any number of missed entries one catching up is enough', async () => {
  const { store, open, heard } = await setUp()
  const manifest = await open()
  const assets = Array.from({ length: 2500 }, (_, place) => assetAt(`acme/v1/n${place}`))
  await store.publish([{ assets, feed: assets.map(({ path }) => told(path)) }])
  await manifest.catchUp()

  expect(assets.every(({ path }) => manifest.asset(path) !== undefined)).toBe(true)
  expect(heard).toEqual(Array.from({ length: 2500 }, (_, place) => place + 3))
})

test('who asks while a reading is under way is answered by one that began after the question', async () => {
  const { store, open } = await setUp()
  const manifest = await open()
  const feedAfter = store.feedAfter.bind(store)
  const gate = Promise.withResolvers<void>()
  store.feedAfter = async (seq, limit) => {
    const entries = await feedAfter(seq, limit)
    await gate.promise
    return entries
  }
  const early = manifest.catchUp()
  await store.publish([{ assets: [assetAt('acme/v1/b')], feed: [told('acme/v1/b')] }])
  const late = manifest.catchUp()
  gate.resolve()
  await early
  await late

  expect(manifest.asset('acme/v1/b')).toBeDefined()
})

test('a store that fails leaves the manifest as it was, and its age tells', async () => {
  const { store, open } = await setUp()
  const manifest = await open()
  const { confirmedAtMs } = manifest
  const feedAfter = store.feedAfter.bind(store)
  store.feedAfter = async () => {
    throw new Error('busy')
  }
  const failure = await manifest.catchUp().catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(Error)
  expect(manifest.confirmedAtMs).toBe(confirmedAtMs)
  expect(manifest.asset('acme/v1/a')).toBeDefined()

  store.feedAfter = feedAfter
  await manifest.catchUp()
  expect(manifest.confirmedAtMs).toBeGreaterThan(confirmedAtMs)
})

test('what was away for longer than the feed reaches back reads everything anew', async () => {
  const { open, store } = await setUp()
  const manifest = await open()
  await store.publish([
    { assets: [assetAt('acme/v1/b')], feed: [told('acme/v1/b')] },
    { removedAssets: ['acme/v1/a'], feed: [told('acme/v1/a', 'asset.deleted')] },
  ])
  await store.forgetFeedBefore(at(1e6), 1)
  await manifest.catchUp()

  expect(manifest.asset('acme/v1/a')).toBeUndefined()
  expect(manifest.asset('acme/v1/b')).toEqual(assetAt('acme/v1/b'))
  expect(manifest.zone('acme')).toEqual(zoneOf('acme'))
})

test('previews show as they are now, and go with their zone', async () => {
  const { store, previews, open } = await setUp()
  const [own, other] = [previewAt('acme', 'spring'), previewAt('other', 'spring')]
  for (const preview of [own, other])
    await previews.add(preview, {
      audit: [],
      feed: notice('preview.updated', { zone: preview.zone }),
    })
  const manifest = await open()
  expect(manifest.preview('acme', 'spring')).toEqual(own)

  const moved = { ...own, headCommitId: 'c2' }
  await previews.replace(moved, { audit: [], feed: notice('preview.updated', { zone: 'acme' }) })
  await manifest.catchUp()
  expect(manifest.preview('acme', 'spring')).toEqual(moved)
  expect(manifest.preview('acme', 'autumn')).toBeUndefined()

  await store.publish([
    { removedZones: ['acme'], feed: [notice('zone.deleted', { zone: 'acme' })] },
  ])
  await manifest.catchUp()
  expect(manifest.preview('acme', 'spring')).toBeUndefined()
  expect(manifest.preview('other', 'spring')).toEqual(other)
})
