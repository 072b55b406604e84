import type { Commit } from '../../../ports/content/content-store.ts'
import type { CommitLog } from '../read/commit-log.ts'
import type { DirectoryCache } from '../tree/directory-source.ts'
import type { Group, Head } from './commit-group.ts'
import type { BranchRef } from './branch-ref.ts'
import { emptyTreeId } from '../objects/object-id.ts'
import type { FormerCommits } from '../rewrite/former-commits.ts'
import type { Landing } from './landing.ts'
import type { PackStore, UnfinishedPack } from './pack-store.ts'
import type { RecentPacks } from './recent-packs.ts'
import { passingFault } from '../objects/storage-fault.ts'

interface Dependencies {
  readonly ref: BranchRef
  readonly packs: PackStore
  /** What the packs are noted in that lead along this branch; left out where nobody asks. */
  readonly recent?: RecentPacks | undefined
  readonly log: CommitLog
  readonly former: Pick<FormerCommits, 'resolve'>
  /** Of branches whose groups may be written while another one's committer waits. */
  readonly landing?: Landing | undefined
  readonly directories: DirectoryCache
  readonly createGroup: (head: Head) => Group
  readonly onPackAdded: () => void
  /** Where the branch may be taken away: what to reject with then. */
  readonly whenGone?: () => Error
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
    // It has another id, and is otherwise what it was: nothing is told of that.
    if (id !== undefined && this.#needs.former.resolve(this.#head.commitId) === id) {
      const { treeId, seconds } = await this.#needs.log.describe(id)
      this.#head = { commitId: id, rootId: treeId, seconds }
      return
    }
    if (id === undefined) throw this.#gone()
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
    const { landing } = this.#needs
    return landing === undefined
      ? await this.#advance(group)
      : await landing.share(() => this.#advance(group))
  }

  async #advance(group: Group): Promise<boolean> {
    const { packs, ref } = this.#needs
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
    this.#stepTo(group)
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

  #stepTo(group: Group): void {
    const { recent, directories } = this.#needs
    const before = this.#head.commitId
    this.#head = group.head
    // Not all that belongs to a group with fetched objects came in packs of ours, so it is packed anew; what
    // waits for a later group still does.
    if (!group.hasFetched) recent?.stepped(before, group.head.commitId ?? '')
    // What a branch beside main has in another place, main has there still.
    directories.replace(group.addedDirectories, recent === undefined ? [] : group.replacedIds)
  }

  /** Until the branch has moved, nothing points to the pack, so it can go again. */
  async #move(pack: UnfinishedPack, prepared: string): Promise<boolean> {
    const { packs, ref, recent } = this.#needs
    let mayBeInPlace = false
    try {
      await packs.install(pack, recent)
      mayBeInPlace = await ref.move(this.#head.commitId, prepared)
      return mayBeInPlace
    } catch (error) {
      const fault = passingFault(`Moving the branch ${ref.branch}`, error)
      mayBeInPlace = fault.final
      throw fault
    } finally {
      if (!mayBeInPlace) await Promise.all([ref.discard(prepared), packs.uninstall(pack, recent)])
    }
  }

  #gone(): Error {
    const { ref, whenGone } = this.#needs
    if (whenGone !== undefined) return whenGone()
    const cause = new Error('It is gone; set it again with git update-ref')
    return passingFault(`Reading the branch ${ref.branch}`, cause)
  }
}

function firstReason(...results: readonly PromiseSettledResult<unknown>[]): unknown {
  const rejected = results.filter((result) => result.status === 'rejected')
  const final = rejected.find(({ reason }) => passingFault('', reason).final)
  return (final ?? rejected[0])?.reason
}
