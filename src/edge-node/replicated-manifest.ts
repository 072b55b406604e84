import { join } from 'node:path'

import { HttpEdgeOrigin } from '../adapters/edge-http/http-edge-origin.ts'
import { SqlPastStore } from '../adapters/sql/edges/sql-past-store.ts'
import { SqlReplicaStore } from '../adapters/sql/edges/sql-replica-store.ts'
import { openSqliteDatabase } from '../adapters/sql/sqlite/sqlite-database.ts'
import { createCatalog } from '../domain/catalog/catalog.ts'
import { createAcknowledger } from '../domain/edges/feed/acknowledger.ts'
import { type ChangeFeed, createChangeFeed } from '../domain/edges/feed/change-feed.ts'
import { beginning } from '../domain/edges/manifest/manifest-root.ts'
import { followOrigin } from '../domain/edges/feed/follow-origin.ts'
import { createManifestParts } from '../domain/edges/manifest/manifest-parts.ts'
import { createPins } from '../domain/content/past/pins.ts'
import { createFollowedPast } from '../domain/edges/past/followed-past.ts'
import { createMemoryRateWindows, createRateLimits } from '../http/access/rate-limits.ts'
import { openReplica } from '../domain/edges/feed/replica.ts'
import type { ForgettingErased } from '../domain/edges/forget-erased.ts'
import type { EdgeNodeWorld } from './edge-node-settings.ts'

export type Replicated = Awaited<ReturnType<typeof openReplicated>>

/** Room for some 50,000 files of former commits. */
const pastCharacters = 2 ** 25

/** What is published, as this edge knows it; nothing is followed yet. */
export async function openReplicated(world: EdgeNodeWorld, opening: AsyncDisposableStack) {
  const { settings, log, now, newId, monotonicMs, onFatal } = world
  const { origin: url, token, directory, version } = settings
  const userAgent = `Sedge/${version} (edge)`
  const origin = new HttpEdgeOrigin({
    url,
    token,
    userAgent,
    monotonicMs,
    keysOverHttp: settings.edgeKeysOverHttp,
  })
  const database = opening.use(
    await openSqliteDatabase({
      file: join(directory, 'edge.db'),
      survivesPowerCut: false,
      onFatal,
    }),
  )
  const catalog = createCatalog({ schedule: (slice) => void setTimeout(slice, 5), runId: newId() })
  const onSubscriberFault = (error: unknown) => log.error('a feed subscriber failed', { error })
  let changes: ChangeFeed | undefined
  const replica = await openReplica({
    catalog,
    store: new SqlReplicaStore(database),
    onReplaced: (position) => changes?.reset(position),
    onSubscriberFault,
  })
  const { published, feed } = replica
  changes = opening.use(
    createChangeFeed({
      feed: replica.relayed,
      published,
      position: replica.position ?? beginning,
      recent: [],
      onFault: onSubscriberFault,
    }),
  )
  const parts = opening.use(createManifestParts({ published, feed }))
  const past = createFollowedPast({
    origin,
    published,
    store: new SqlPastStore(database, { maxCharacters: pastCharacters }),
    onFault: (error) => log.warn('what a former commit has cannot be kept', { error }),
  })
  const rates = createRateLimits({
    rows: [{ name: 'history', quota: settings.historyPerMinute, window: 60, per: 'client' }],
    windows: createMemoryRateWindows(),
    now,
  })
  const pins = createPins({
    source: past,
    charge: (address) => void rates.charge('history', address),
    now,
  })
  return { origin, database, catalog, replica, changes, parts, past, pins }
}

/** Follows the origin from now on. To be called once all parts of the edge listen. */
export function startFollowing(
  { settings, log }: EdgeNodeWorld,
  { origin, replica, parts }: Replicated,
  {
    forgetting,
    opening,
  }: { readonly forgetting: ForgettingErased; readonly opening: AsyncDisposableStack },
) {
  const { name, maxPauseMs } = settings
  const acknowledger = opening.use(createAcknowledger({ origin, log }))
  const following = opening.use(
    followOrigin({
      origin,
      replica,
      parts,
      // Who says that it serves a number has forgotten what was erased up to it.
      onPosition: ({ seq }) =>
        void forgetting.settled().then(() => acknowledger.note({ name, seq, via: undefined })),
      maxPauseMs,
      random: Math.random,
      log,
    }),
  )
  return { following, acknowledger }
}
