import { join } from 'node:path'

import { openRepositoryCopy } from '../../adapters/git/remote/pack-exchange.ts'
import type { Database } from '../../adapters/sql/database.ts'
import { claimPostgres } from '../../adapters/sql/postgres/claim-postgres.ts'
import { openPostgresDatabase } from '../../adapters/sql/postgres/postgres-database.ts'
import { postgresFlavour } from '../../adapters/sql/postgres/postgres-flavour.ts'
import { SqlPackLedger } from '../../adapters/sql/content/sql-pack-ledger.ts'
import { SqlPublicationStore } from '../../adapters/sql/content/sql-publication-store.ts'
import { SqlWriterLease } from '../../adapters/sql/edges/sql-writer-lease.ts'
import { createRepositoryFollower } from '../../domain/cluster/repository-follower.ts'
import { keptCertificates } from './certificate-store.ts'
import { blobSettingsOf, openSharedBlobs } from './blob-stores.ts'
import type { World } from '../world.ts'

export type ClusterStores = Awaited<ReturnType<typeof openClusterStores>>

/**
 * A lease that nobody renews is over after this long: most of what a takeover takes. It is renewed four times in it,
 * so a node may miss two of them, or be away from the database for some three seconds.
 */
export const termMs = 4_000

/** Nothing that a node does beside writing may wait long. */
const limits = { connectMs: 2_000, statementMs: 4_000, idleMs: 3_000, turnMs: 4_000, readers: 2 }

/** Reports over many days take longer, and must not keep the rest waiting. */
const readLimits = { ...limits, statementMs: 15_000, readers: 4 }

/** The database for a node's own reads of the interface. */
export async function openReadDatabase({ config }: Pick<World, 'config'>): Promise<Database> {
  return await openPostgresDatabase({ url: config.databaseUrl?.reveal() ?? '', limits: readLimits })
}

/** What a node has open whether it writes or not. */
export async function openClusterStores(world: World, opening: AsyncDisposableStack) {
  const { config, log, onFatal } = world
  const url = config.databaseUrl?.reveal()
  if (url === undefined) throw new Error('A cluster needs DATABASE_URL')
  opening.use(await claimPostgres({ url, isShared: true, onLost: onFatal }))
  const database = opening.use(await openPostgresDatabase({ url, limits }))
  const lease = opening.use(
    new SqlWriterLease({
      database: await openPostgresDatabase({ url, limits }),
      flavour: postgresFlavour,
      termMs,
    }),
  )
  const { blobs, packs } = await openSharedBlobs(blobSettingsOf(config), world, opening)
  const copy = await openRepositoryCopy({
    directory: join(config.dataDirectory, 'repository.git'),
    onWarning: (message) => log.warn(message),
  })
  const follower = createRepositoryFollower({ ledger: new SqlPackLedger(database), packs, copy })
  const certificates = keptCertificates(world, database)
  const publications = new SqlPublicationStore(database)
  return { lease, blobs, certificates, packs, follower, publications }
}
