import { MemoryBlobStore } from '../../adapters/memory/content/memory-blob-store.ts'
import { MemoryContentStore } from '../../adapters/memory/repository/memory-content-store.ts'
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
import { createPublisher } from './publisher.ts'

export const actor: Actor = {
  credentialId: 'access-key',
  zones: undefined,
  ip: '192.0.2.1',
  userAgent: 'test',
  requestId: 'request-1',
}

const now = () => new Date('2026-11-20T12:00:00Z')

/** A service's heart over memory. `reopen` starts anew on what is stored, as a restart does. */
export async function setUp() {
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
      markers: await store.markers(),
    })
    const heard: FeedEntry[] = []
    const feed = createFeed({ store, onSubscriberFault: (fault) => warnings.push(String(fault)) })
    feed.subscribe((entries) => heard.push(...entries))
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
      maxPerZone: () => 50,
      additionsTo: () => ({ take: async () => ({ limit: 99, remaining: 99 }) }),
      now,
    })
    return { catalog, feed, heard, publisher, files, zones, domains, put }
  }
  return { content, blobs, store, database, failing, warnings, open }
}

export const events = (entries: readonly FeedEntry[]) =>
  entries.map(({ event, path, zone }) => [event, path ?? zone ?? ''].join(' ').trim())
