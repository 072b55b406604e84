import type { Commit } from '../../../ports/content/content-store.ts'
import type { CommitLog } from '../read/commit-log.ts'
import type { DirectoryCache } from '../tree/directory-source.ts'
import type { Group, Head } from './commit-group.ts'
import type { MainRef } from './main-ref.ts'
import { emptyTreeId } from '../objects/object-id.ts'
import type { PackStore, UnfinishedPack } from './pack-store.ts'
import { passingFault } from '../objects/storage-fault.ts'

interface Dependencies {
  readonly ref: MainRef
  readonly packs: PackStore
  readonly log: CommitLog
  readonly directories: DirectoryCache
  readonly createGroup: (head: Head) => Group
  readonly onPackAdded: () => void
}

const noCommits: Head = { commitId: undefined, rootId: emptyTreeId, seconds: 0 }
const foreignBatch = 500

/** The newest durable commit, as far as it is known here, and the two ways it moves on. */
export class BranchTip {
  readonly #needs: Dependencies
  #head: Head = noCommits

  private constructor(needs: Dependencies) {
    this.#needs = needs
  }

  /** Fails where the branch points to what the repository does not have. */
  static async open(needs: Dependencies): Promise<BranchTip> {
    const tip = new BranchTip(needs)
    const id = await needs.ref.read()
    if (id === undefined) return tip
    const { treeId, seconds } = await needs.log.describe(id)
    await needs.directories.load(treeId)
    tip.#head = { commitId: id, rootId: treeId, seconds }
    return tip
  }

  get head(): Head {
    return this.#head
  }

  startGroup(): Group {
    return this.#needs.createGroup(this.#head)
  }

  /** Takes up commits made by other means; `tell` hears of them in order, some at a time. */
  async catchUp(tell: (commits: readonly Commit[]) => Promise<void>): Promise<void> {
    const id = await this.#needs.ref.read()
    if (id === this.#head.commitId) return
    if (id === undefined)
      throw passingFault(
        'Reading the branch main',
        new Error('It is gone; set it again with git update-ref'),
      )
    let batch: Commit[] = []
    const take = async (head: Head) => {
      this.#head = head
      const commits = batch
      batch = []
      await tell(commits)
    }
    let head = this.#head
    for await (const { commit, rootId, seconds } of this.#needs.log.between(head.commitId, id)) {
      batch.push(commit)
      head = { commitId: commit.id, rootId, seconds }
      if (batch.length >= foreignBatch) await take(head)
    }
    if (batch.length > 0) await take(head)
  }

  /**
   * Makes a group durable and the branch point to its last commit. `false`, and nothing has changed,
   * where the branch is not where the group began.
   */
  async advance(group: Group): Promise<boolean> {
    const { packs, ref, directories } = this.#needs
    const commitId = group.head.commitId ?? ''
    const [written, prepared] = await Promise.allSettled([
      packs.write(group.objects),
      ref.prepare(commitId),
    ])
    if (written.status === 'rejected' || prepared.status === 'rejected') {
      if (written.status === 'fulfilled') await packs.discard(written.value)
      if (prepared.status === 'fulfilled') await ref.discard(prepared.value)
      throw firstReason(written, prepared)
    }
    if (!(await this.#move(written.value, prepared.value))) return false
    // Not all that belongs to a group with fetched objects came in packs of ours, so it is packed anew; what
    // waits for a later group still does.
    if (!group.hasFetched) packs.recent.stepped(this.#head.commitId, commitId)
    this.#head = group.head
    directories.replace(group.addedDirectories, group.replacedIds)
    this.#needs.onPackAdded()
    return true
  }

  /**
   * Makes the branch point to a commit that the repository has, with all that it leads to. `false`, and
   * nothing has changed, where the branch is not at `after`.
   */
  async moveOn(after: string | undefined, head: Head): Promise<boolean> {
    const { ref } = this.#needs
    if (this.#head.commitId !== after) return false
    const prepared = await ref.prepare(head.commitId ?? '')
    let isInPlace = false
    try {
      isInPlace = await ref.move(after, prepared)
    } finally {
      if (!isInPlace) await ref.discard(prepared)
    }
    if (!isInPlace) return false
    this.#head = { ...head, seconds: Math.max(head.seconds, this.#head.seconds) }
    this.#needs.onPackAdded()
    return true
  }

  /** Until the branch has moved, nothing points to the pack, so it can go again. */
  async #move(pack: UnfinishedPack, prepared: string): Promise<boolean> {
    const { packs, ref } = this.#needs
    let mayBeInPlace = false
    try {
      await packs.install(pack)
      mayBeInPlace = await ref.move(this.#head.commitId, prepared)
      return mayBeInPlace
    } catch (error) {
      const fault = passingFault('Moving the branch main', error)
      mayBeInPlace = fault.final
      throw fault
    } finally {
      if (!mayBeInPlace) await Promise.all([ref.discard(prepared), packs.uninstall(pack)])
    }
  }
}

function firstReason(...results: readonly PromiseSettledResult<unknown>[]): unknown {
  const rejected = results.filter((result) => result.status === 'rejected')
  const final = rejected.find(({ reason }) => passingFault('', reason).final)
  return (final ?? rejected[0])?.reason
}
