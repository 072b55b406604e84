import { Mutex } from '../../lib/async/mutex.ts'
import type { BlobBytes, BlobStore } from '../../ports/content/blob-store.ts'
import type { PackLedger, PackRecord } from '../../ports/content/pack-ledger.ts'
import type { RepositoryCopy } from '../../ports/content/repository-copy.ts'

interface Dependencies {
  readonly ledger: Pick<PackLedger, 'after'>
  readonly packs: Pick<BlobStore, 'open'> & {
    /** Removes what this machine has of packs; left out where it keeps nothing. */
    dropCopies?(): Promise<void>
  }
  readonly copy: RepositoryCopy
}

/** What a node's repository has by now. */
export interface RepositoryState {
  /** Everything that leads to it is there; `undefined` where nothing is known to be. */
  readonly commitId: string | undefined
  /** So often commits were written anew here, and what they had before was dropped. */
  readonly renewals: number
}

/** Keeps a node's repository to that of whoever writes. */
export interface RepositoryFollower {
  readonly state: RepositoryState
  /** Takes up what was recorded since. */
  catchUp(): Promise<void>
  /** Takes up everything, and stands where the published state stands. */
  resetTo(commitId: string | undefined): Promise<void>
}

export function createRepositoryFollower(dependencies: Dependencies): RepositoryFollower {
  const { ledger, copy, packs } = dependencies
  const turns = new Mutex()
  let place: number | undefined
  let state: RepositoryState = { commitId: undefined, renewals: 0 }

  async function take(record: PackRecord): Promise<void> {
    for (const ref of record.packs) await copy.add(await packOf(dependencies, ref.sha256))
    if (!(await copy.has(record.commitId)))
      throw new Error(`The packs of commit ${record.commitId} do not have it`)
    await copy.resetTo(record.commitId)
    // Commits were written anew: what they had before is not to be kept anywhere.
    const isAnew = record.after === undefined
    if (isAnew) {
      await copy.dropOthers()
      await packs.dropCopies?.()
    }
    place = record.place
    state = { commitId: record.commitId, renewals: state.renewals + (isAnew ? 1 : 0) }
  }

  async function catchUp(): Promise<void> {
    using _turn = await turns.acquire()
    const records = await ledger.after(place ?? 0)
    const known = place === undefined ? await lastKnown(records, copy) : -1
    if (place === undefined) {
      place = records[known]?.place
      state = { ...state, commitId: records[known]?.commitId }
    }
    for (const record of records.slice(known + 1)) await take(record)
  }

  return {
    get state() {
      return state
    },
    catchUp,
    async resetTo(commitId) {
      await catchUp()
      if (commitId === undefined) return
      if (!(await copy.has(commitId)))
        throw new Error(
          `This node cannot have the repository: commit ${commitId} is in none of its packs`,
        )
      await copy.resetTo(commitId)
      state = { ...state, commitId }
    },
  }
}

/** The newest record whose commit is there already: by its place, or -1. */
async function lastKnown(records: readonly PackRecord[], copy: RepositoryCopy): Promise<number> {
  for (let place = records.length - 1; place >= 0; place -= 1) {
    const record = records[place]
    if (record !== undefined && (await copy.has(record.commitId))) return place
  }
  return -1
}

async function packOf({ packs }: Dependencies, sha256: string): Promise<BlobBytes> {
  const pack = await packs.open(sha256)
  if (pack === undefined) throw new Error(`The pack ${sha256} is not in the store`)
  return pack
}
