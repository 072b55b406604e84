import { Mutex } from '../../lib/async/mutex.ts'
import type { BlobRef, BlobStore } from '../../ports/content/blob-store.ts'
import type { PackedCommits, PackLedger, PackRecord } from '../../ports/content/pack-ledger.ts'
import type { PublicationStore } from '../../ports/content/publication-store.ts'
import type { RepositorySource } from '../../ports/content/repository-copy.ts'

interface Dependencies {
  readonly source: RepositorySource
  /** Where packs lie; apart from the blobs of what is published. */
  readonly packs: Pick<BlobStore, 'receive' | 'list' | 'remove'>
  readonly ledger: PackLedger
  /** What others than the ledger name; nothing where left out. */
  readonly alsoNamed?: () => Promise<readonly BlobRef[]>
}

/** Lets other nodes have every commit before anybody is told that it is written. */
export interface PackReplication {
  /** Sees to it that the packs of everything up to a published commit are there. */
  begin(commitId: string | undefined): Promise<void>
  /** The packs that lead from what the ledger has to a commit; they count once they are recorded. */
  ship(commitId: string): Promise<PackedCommits>
  /** All that leads to a commit, for a ledger that begins with it. */
  packAnew(commitId: string): Promise<PackedCommits>
  /** Removes every pack but these, at once: nobody may publish or read the ledger's former packs meanwhile. */
  dropOthers(commits: PackedCommits): Promise<void>
  /** What was shipped is recorded now. */
  recorded(commits: PackedCommits): void
  /** Whether anything was recorded is not known. */
  forget(): void
  /** Puts few large records in the place of many small ones. */
  join(): Promise<void>
}

export function createPackReplication({
  source,
  packs,
  ledger,
  alsoNamed = async () => [],
}: Dependencies): PackReplication {
  let known: { readonly commitId: string | undefined } | undefined

  const joining = new Mutex()

  async function pack(after: string | undefined, commitId: string): Promise<PackedCommits> {
    const streams = await source.packs(after, commitId)
    return { after, commitId, packs: await keepAll(streams) }
  }

  /** One after another: each is read to its end. */
  async function keepAll(
    streams: readonly ReadableStream<Uint8Array>[],
  ): Promise<readonly BlobRef[]> {
    const kept: BlobRef[] = []
    for (const stream of streams) {
      await using incoming = await packs.receive(stream)
      kept.push(await incoming.keep())
    }
    return kept
  }

  const lastCommit = async () => {
    known ??= { commitId: (await ledger.last())?.commitId }
    return known.commitId
  }

  return {
    async begin(commitId) {
      const last = await lastCommit()
      if (commitId === undefined || commitId === last) return
      await ledger.append(await pack(last, commitId))
      known = { commitId }
    },
    ship: async (commitId) => await pack(await lastCommit(), commitId),
    async packAnew(commitId) {
      const streams = await source.packsAnew(undefined, commitId)
      return { after: undefined, commitId, packs: await keepAll(streams) }
    },
    async dropOthers({ packs: kept }) {
      using _turn = await joining.acquire()
      const sha256s = new Set([...kept, ...(await alsoNamed())].map(({ sha256 }) => sha256))
      for await (const { sha256 } of packs.list())
        if (!sha256s.has(sha256)) await packs.remove(sha256)
    },
    recorded: ({ commitId }) => void (known = { commitId }),
    forget: () => void (known = undefined),
    async join() {
      using _turn = await joining.acquire()
      const range = joinable(await ledger.after(0))
      const [first, last] = [range[0], range.at(-1)]
      if (first === undefined || last === undefined) return
      const streams = await source.packsAnew(first.after, last.commitId)
      await ledger.join(first.place, last.place, await keepAll(streams))
    },
  }
}

/** Fewer than this are read in no time. */
const fewRecords = 64

const bytesOf = ({ packs }: PackRecord): number =>
  packs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)

/**
 * The newest records, as far back as each is smaller than twice all after it: so sizes grow at least
 * twofold towards the oldest, and whoever needs all of them reads few. Empty where they are few already.
 */
export function joinable(records: readonly PackRecord[]): readonly PackRecord[] {
  if (records.length < fewRecords) return []
  let bytes = 0
  const kept = records.findLastIndex((record, place) => {
    const isLarge = place < records.length - fewRecords / 2 && bytesOf(record) > 2 * bytes
    bytes += bytesOf(record)
    return isLarge
  })
  return records.slice(kept + 1)
}

/** The same store, whose publications bring along what other nodes need. */
export function replicatedWith(
  store: PublicationStore,
  replication: Pick<PackReplication, 'ship' | 'packAnew' | 'dropOthers' | 'recorded' | 'forget'>,
): PublicationStore {
  return {
    position: () => store.position(),
    assets: () => store.assets(),
    expiries: () => store.expiries(),
    assetsAt: (paths) => store.assetsAt(paths),
    zones: () => store.zones(),
    ruleFiles: () => store.ruleFiles(),
    erased: () => store.erased(),
    markers: () => store.markers(),
    feedAfter: (seq, limit) => store.feedAfter(seq, limit),
    forgetFeedBefore: (time, kept) => store.forgetFeedBefore(time, kept),
    lastOfCommit: (commitId) => store.lastOfCommit(commitId),
    forgetProjections: () => store.forgetProjections(),
    async publish(publications) {
      const place = publications.findLastIndex(({ commitId }) => commitId !== undefined)
      const publication = publications[place]
      if (publication?.commitId === undefined) return await store.publish(publications)
      const { commitId, isAnew = false } = publication
      const packs = await (isAnew ? replication.packAnew(commitId) : replication.ship(commitId))
      try {
        const entries = await store.publish(publications.with(place, { ...publication, packs }))
        replication.recorded(packs)
        if (isAnew) await replication.dropOthers(packs)
        return entries
      } catch (error) {
        replication.forget()
        throw error
      }
    },
  }
}
