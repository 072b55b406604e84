import type { GitContentStore } from '../../adapters/git/git-content-store.ts'
import type { Database } from '../../adapters/sql/database.ts'
import { SqlPackLedger } from '../../adapters/sql/content/sql-pack-ledger.ts'
import { createPackReplication, replicatedWith } from '../../domain/cluster/pack-replication.ts'
import { collectBlobs } from '../../domain/publishing/blob-gc.ts'
import type { BlobStore } from '../../ports/content/blob-store.ts'
import type { PublicationStore } from '../../ports/content/publication-store.ts'
import type { PreviewStore } from '../../ports/previews/preview-store.ts'
import type { World } from '../world.ts'

interface Opened {
  readonly publications: PublicationStore
  readonly content: GitContentStore
  readonly database: Database
  readonly previews: Pick<PreviewStore, 'packs'>
  /** Where packs lie. */
  readonly packs: BlobStore
  readonly opening: AsyncDisposableStack
}

const joinEveryMs = 60_000
const sweepEveryMs = 3_600_000
/** Whoever has read the ledger is through with its packs by then. */
const graceMs = 86_400_000

/** Publications that other nodes can go on from: what they need of the repository is there first. */
export async function openReplicatedPublications(
  { log, now }: World,
  opened: Opened,
): Promise<PublicationStore> {
  const { publications, content, database, previews, packs, opening } = opened
  const ledger = new SqlPackLedger(database)
  const replication = createPackReplication({
    source: content.source,
    packs,
    ledger,
    alsoNamed: async () => (await previews.packs()).flatMap((preview) => preview.packs),
  })
  await replication.begin((await publications.position()).commitId)

  async function sweep(): Promise<void> {
    const records = [...(await ledger.after(0)), ...(await previews.packs())]
    const inUse = new Set(records.flatMap((record) => record.packs.map(({ sha256 }) => sha256)))
    const isInUse = (sha256: string) => inUse.has(sha256)
    await collectBlobs({ blobs: packs, isInUse, onRemoved: async () => {}, now, graceMs })
  }

  const work = (what: string, task: () => Promise<void>) => () =>
    void task().catch((error: unknown) => log.warn(`${what} failed`, { error }))
  const timers = [
    setInterval(
      work('joining packs', () => replication.join()),
      joinEveryMs,
    ),
    setInterval(work('the sweep of packs', sweep), sweepEveryMs),
  ]
  opening.defer(() => timers.forEach((timer) => clearInterval(timer)))
  return replicatedWith(publications, replication)
}
