import { MemoryBlobStore } from '../../adapters/memory/content/memory-blob-store.ts'
import { MemoryContentStore } from '../../adapters/memory/repository/memory-content-store.ts'
import { MemoryDatabase } from '../../adapters/memory/content/memory-database.ts'
import { MemoryPublicationStore } from '../../adapters/memory/content/memory-publication-store.ts'
import { MemoryStagedBytes } from '../../adapters/memory/content/memory-staged-bytes.ts'
import { MemoryStagedUploadStore } from '../../adapters/memory/content/memory-staged-upload-store.ts'
import { MemoryUploadPartStore } from '../../adapters/memory/content/memory-upload-part-store.ts'
import { MemoryDomainStore } from '../../adapters/memory/domains/memory-domain-store.ts'
import type { Actor } from '../access/actor.ts'
import { createCatalog } from '../catalog/catalog.ts'
import { createFiles } from '../content/files/files.ts'
import { createZones } from '../content/zones.ts'
import { createFeed } from '../feed.ts'
import { createPublisher } from '../publishing/publisher.ts'
import { createUploads } from './staged-uploads.ts'
import type { UploadDependencies, UploadSettings } from './uploads.ts'

/** The zones `acme` and `other` over memory, and uploads into them. */
export async function openUploads(given: Partial<UploadDependencies> = {}) {
  const heart = await openHeart()
  const { blobs, catalog } = heart
  const timers = new Set<() => void>()
  const dependencies: UploadDependencies = {
    ...heart,
    staged: new MemoryStagedBytes(blobs),
    store: new MemoryStagedUploadStore(),
    partStore: new MemoryUploadPartStore(),
    published: catalog,
    settings,
    newId: () => crypto.randomUUID(),
    after: (_, run) => {
      timers.add(run)
      return () => void timers.delete(run)
    },
    ...given,
  }
  return {
    ...heart,
    uploads: createUploads(dependencies),
    dependencies,
    actor,
    /** What a process that takes over from a killed one works with. */
    restart: (changed: Partial<UploadDependencies> = {}) =>
      createUploads({ ...dependencies, ...changed }),
    /** Lets all that was to happen later happen now. */
    passTime() {
      const due = [...timers]
      timers.clear()
      for (const run of due) run()
    },
    contentOf: async (path: string) => {
      const asset = catalog.asset(path)
      return asset && Buffer.from((await blobs.read(asset.sha256)) ?? []).toString()
    },
  }
}

const settings: UploadSettings = {
  ttlMs: 3_600_000,
  maxFileBytes: 1000,
  maxStagedBytes: 2000,
  maxOpenPerZone: 10,
  maxOpenPerNetwork: 8,
}

export const actor: Actor = {
  credentialId: 'access-key',
  zones: undefined,
  ip: '192.0.2.1',
  userAgent: 'test',
  requestId: 'request-1',
}

/** What uploads stand on. */
async function openHeart() {
  const blobs = new MemoryBlobStore()
  const content = new MemoryContentStore({ blobs })
  const database = new MemoryDatabase()
  const store = new MemoryPublicationStore(database)
  const clock = { time: new Date('2026-11-20T12:00:00Z') }
  const now = () => clock.time
  const catalog = createCatalog({ schedule: (slice) => queueMicrotask(slice), runId: 'test' })
  const publisher = createPublisher({
    content,
    blobs,
    store,
    domains: new MemoryDomainStore(database),
    catalog,
    feed: createFeed({ store, onSubscriberFault: () => {} }),
    now,
    log: { warn: () => {} },
  })
  await publisher.start()
  const shared = { blobs, published: catalog, publisher }
  const zones = createZones({ ...shared, settle: async () => {} })
  for (const zone of ['acme', 'other']) await zones.create(zone, actor)
  const files = createFiles({ ...shared, head: () => content.head() })
  return { blobs, content, database, catalog, files, zones, clock, now }
}
