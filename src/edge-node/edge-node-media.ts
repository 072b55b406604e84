import { standardLimits } from '../config/limit-settings.ts'
import { createLimits } from '../wiring/access/limits.ts'
import { SqlMediaFactsStore } from '../adapters/sql/media/sql-media-facts-store.ts'
import { createFollowedIndexes } from '../domain/edges/followed-indexes.ts'
import { createFollowedFacts } from '../domain/edges/images/followed-facts.ts'
import { createLeasedQuota } from '../domain/edges/leased-quota.ts'
import { EdgeOriginError } from '../ports/edges/edge-origin.ts'
import { type MediaDelivery, openMediaParts } from '../wiring/media.ts'
import { unguessable } from './edge-api.ts'
import type { RefusingBlobs } from './edge-node-blobs.ts'
import type { EdgeNodeSettings, EdgeNodeWorld } from './edge-node-settings.ts'
import type { Replicated } from './replicated-manifest.ts'

interface Opened {
  readonly replicated: Replicated
  readonly blobs: RefusingBlobs
  readonly isConnected: () => boolean
  readonly opening: AsyncDisposableStack
}

/** Pictures and films, made here of what the origin knows of them. */
export async function openEdgeNodeMedia(
  { settings, ...world }: EdgeNodeWorld,
  { replicated, blobs, isConnected, opening }: Opened,
): Promise<MediaDelivery> {
  const { origin, database, catalog, replica } = replicated
  const { feed } = replica
  const facts = createFollowedFacts({
    origin,
    kept: new SqlMediaFactsStore(database),
    feed,
    isConnected,
    log: world.log,
  })
  async function fetchCopy(key: string): Promise<Uint8Array | undefined> {
    if (!isConnected()) return undefined
    return (await origin.copy(key).catch(withoutOrigin))?.bytes
  }
  const media = await openMediaParts(
    {
      ...world,
      config: {
        dataDirectory: settings.directory,
        idleWork: ['denser', 'siblings'],
        transformMode: settings.transformMode,
        transformMaxMs: settings.transformMaxMs,
        keys: { signedUrlSecret: settings.signedUrlSecret ?? unguessable() },
      },
    },
    {
      stores: { database, blobs },
      encodes: createLimits(
        { config: standardLimits(), log: world.log, now: world.now },
        {
          quotas: createLeasedQuota(origin),
          zoneCount: () => catalog.zones().length,
          deliveryOf: (zone) => catalog.zone(zone)?.delivery,
        },
      ).encodes,
      catalog,
      erased: replica.published,
      elsewhere: {
        facts: facts.store,
        fetchCopy,
        indexes: (kept) => createFollowedIndexes({ kept, origin, isConnected }),
      },
      opening,
      room: roomOf(settings),
    },
  )
  opening.use(facts.follow(media.media))
  return media
}

/** The original serves as well. */
function withoutOrigin(error: unknown): undefined {
  if (!(error instanceof EdgeOriginError)) throw error
}

const roomOf = ({ diskBytes, memoryBytes }: EdgeNodeSettings) => ({
  variantBytes: Math.floor(diskBytes / 4),
  copyBytes: Math.floor(diskBytes / 16),
  // The rest is for prepared assets (1/2), transforms and streams (1/4), and the origin's responses (1/8).
  memoryBytes: memoryBytes / 8,
})
