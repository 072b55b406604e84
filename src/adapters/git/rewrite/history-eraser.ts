import { rm } from 'node:fs/promises'

import type { BlobRef } from '../../../ports/content/blob-store.ts'
import type { ErasableHistory, ErasedContent } from '../../../ports/erasing/erasable-history.ts'
import type {
  FoundOutdated,
  OutdatedContent,
  RetainedHistory,
  WantedOutdated,
  ZoneRetention,
} from '../../../ports/erasing/retained-history.ts'
import { lfsObjectPath } from '../lfs/pointer.ts'
import { objectId } from '../objects/object-id.ts'
import type { ObjectReader } from '../objects/object-reader.ts'
import type { BranchTip } from '../write/branch-tip.ts'
import type { Committer } from '../write/committer.ts'
import type { Landing } from '../write/landing.ts'
import type { PackStore } from '../write/pack-store.ts'
import type { Housekeeping } from '../upkeep/housekeeping.ts'
import { clearUnindexedPacks } from '../upkeep/leftovers.ts'
import { packNames } from '../upkeep/verification.ts'
import { readCommitHead } from './commit-body.ts'
import { erasedObjectIds } from './erased-objects.ts'
import type { ErasedContents } from './erased-contents.ts'
import type { FormerCommits } from './former-commits.ts'
import { HistoryRewrite, UsedAgainError } from './history-rewrite.ts'
import { findOutdated, findReleased } from './outdated-contents.ts'
import { isPurgeOpen, notePurge, notePurged } from './open-purge.ts'
import { purgeObjects } from './purge-objects.ts'
import { moveRefs, movesOfRefs, type RefMove } from './rewritten-refs.ts'

interface Dependencies {
  readonly repository: string
  readonly objects: ObjectReader
  readonly packs: PackStore
  readonly tip: BranchTip
  readonly committer: Pick<Committer, 'alone'>
  readonly former: FormerCommits
  readonly erased: ErasedContents
  readonly landing: Landing
  readonly housekeeping: Housekeeping
  /** Forgets what is remembered of commits, and of the given contents. */
  readonly forget: (contentIds: ReadonlySet<string>) => void
}

const mainRef = 'refs/heads/main'

interface Replacement {
  readonly erasedIds: ReadonlySet<string>
  readonly marker: string
  /** Set where neither branches nor commits since may have it. */
  readonly onlyFormer?: {
    readonly unchangedSince: Date
    /** Called while nobody commits, once nothing leads to it. */
    readonly onTurned: () => Promise<void>
  }
}

/** Takes bytes out of the repository, beside whoever writes to it. */
export class HistoryEraser implements ErasableHistory, RetainedHistory {
  readonly #needs: Dependencies

  constructor(needs: Dependencies) {
    this.#needs = needs
  }

  async erase({ blobs, marker }: ErasedContent): Promise<{ readonly commits: number }> {
    const { repository, objects, housekeeping, erased } = this.#needs
    return await housekeeping.undisturbed(async () => {
      // Nobody lists what those hold.
      await clearUnindexedPacks(repository)
      const erasedIds = await erasedObjectIds(repository, objects, blobs)
      await this.#removeLarge(blobs)
      if (erasedIds.size === 0) return { commits: 0 }
      await erased.add(erasedIds)
      return await this.#replace({ erasedIds, marker })
    })
  }

  async outdated(
    retentions: readonly ZoneRetention[],
    { released, ...wanted }: WantedOutdated,
  ): Promise<FoundOutdated> {
    const { repository, housekeeping } = this.#needs
    if (await isPurgeOpen(repository))
      await housekeeping.undisturbed(async () => await this.#purge(await this.#packsNow()))
    const markerId = objectId('blob', Buffer.from(wanted.marker))
    const found = await findOutdated(retentions, { ...this.#needs, markerId })
    const blobs = await findReleased(released, this.#needs)
    return { ...wanted, ...found, blobs: [...found.blobs, ...blobs] }
  }

  /** Unlike what is erased it may be stored again, and branches have none of it. */
  async letGo({ blobs, marker, askedAt }: OutdatedContent): Promise<{ readonly commits: number }> {
    if (blobs.length === 0) return { commits: 0 }
    const erasedIds = new Set(blobs.map(({ contentId }) => contentId))
    const onlyFormer = { unchangedSince: askedAt, onTurned: () => this.#removeLarge(blobs) }
    return await this.#needs.housekeeping.undisturbed(async () => {
      await notePurge(this.#needs.repository)
      return await this.#replace({ erasedIds, marker, onlyFormer })
    })
  }

  /** Where git-lfs has them. */
  async #removeLarge(blobs: readonly BlobRef[]): Promise<void> {
    for (const { sha256 } of blobs)
      await rm(lfsObjectPath(this.#needs.repository, sha256), { force: true })
  }

  async #replace(replacement: Replacement): Promise<{ readonly commits: number }> {
    const { forget, landing, committer } = this.#needs
    const { erasedIds, marker, onlyFormer } = replacement
    const rewrite = new HistoryRewrite({
      ...this.#needs,
      erasedIds,
      marker: Buffer.from(marker),
      unchangedSince: onlyFormer?.unchangedSince,
    })
    // Most of the work, while others go on to write.
    await rewrite.run()
    const formerIndexes = await landing.alone(() =>
      committer.alone(() => this.#turn(rewrite, replacement)),
    )
    await this.#purge(formerIndexes)
    forget(erasedIds)
    return { commits: rewrite.affected }
  }

  /** Leaves nothing that no ref leads to in these packs, nor beside packs. */
  async #purge(formerIndexes: readonly string[]): Promise<void> {
    const { repository, objects, housekeeping } = this.#needs
    await purgeObjects(repository, formerIndexes, (args) => housekeeping.run(args))
    // What is held open would still be there to be read, and on the disk.
    await objects.restart()
    await notePurged(repository)
  }

  /** At a moment when refs lead to all that is to stay. */
  async #packsNow(): Promise<readonly string[]> {
    const { repository, landing, committer } = this.#needs
    return await landing.alone(() => committer.alone(() => packNames(repository)))
  }

  /** Moves every ref at once, while nobody commits. Answers the packs that there are. */
  async #turn(
    rewrite: HistoryRewrite,
    { erasedIds, onlyFormer }: Replacement,
  ): Promise<readonly string[]> {
    const { repository, tip, former, forget } = this.#needs
    await rewrite.run()
    const { newByFormer } = rewrite
    const head = tip.head.commitId ?? ''
    const newHead = newByFormer.get(head) ?? head
    await this.#requireSameFiles(newHead)
    const moves = await movesOfRefs(newByFormer, this.#needs)
    if (onlyFormer !== undefined) await this.#requireSameBranches(moves)
    if (moves.length > 0) {
      await former.prepare(newByFormer, newHead)
      // The newest commit's files stay what they are: the bytes were taken away before.
      await moveRefs(
        repository,
        moves.toSorted(
          (one, other) => Number(other.name === mainRef) - Number(one.name === mainRef),
        ),
      )
      await former.commit(newHead)
      await tip.catchUp(async () => {})
      forget(erasedIds)
    }
    await onlyFormer?.onTurned()
    return await packNames(repository)
  }

  async #requireSameBranches(moves: readonly RefMove[]): Promise<void> {
    const { objects } = this.#needs
    for (const { from, to } of moves) {
      const [before, after] = await Promise.all([objects.read(from), objects.read(to)])
      if (before?.kind !== 'commit' || after?.kind !== 'commit') continue
      if (readCommitHead(before.body).treeId !== readCommitHead(after.body).treeId)
        throw new UsedAgainError()
    }
  }

  /** What is published is another matter: it is taken away first. */
  async #requireSameFiles(newHead: string): Promise<void> {
    const { objects, tip } = this.#needs
    const commit = newHead === '' ? undefined : await objects.read(newHead)
    if (commit !== undefined && readCommitHead(commit.body).treeId !== tip.head.rootId)
      throw new Error('The newest commit has bytes that are to be erased')
  }
}
