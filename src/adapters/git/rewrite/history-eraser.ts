import { rm } from 'node:fs/promises'

import type { ErasableHistory, ErasedContent } from '../../../ports/erasing/erasable-history.ts'
import { lfsObjectPath } from '../lfs/pointer.ts'
import type { ObjectReader } from '../objects/object-reader.ts'
import type { BranchTip } from '../write/branch-tip.ts'
import type { Committer } from '../write/committer.ts'
import type { Landing } from '../write/landing.ts'
import type { PackStore } from '../write/pack-store.ts'
import type { Housekeeping } from '../upkeep/housekeeping.ts'
import { packNames } from '../upkeep/verification.ts'
import { readCommitHead } from './commit-body.ts'
import { erasedObjectIds } from './erased-objects.ts'
import type { ErasedContents } from './erased-contents.ts'
import type { FormerCommits } from './former-commits.ts'
import { HistoryRewrite } from './history-rewrite.ts'
import { purgeObjects } from './purge-objects.ts'
import { moveRefs, movesOfRefs } from './rewritten-refs.ts'

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

/** Takes bytes out of the repository, beside whoever writes to it. */
export class HistoryEraser implements ErasableHistory {
  readonly #needs: Dependencies

  constructor(needs: Dependencies) {
    this.#needs = needs
  }

  async erase({ blobs, marker }: ErasedContent): Promise<{ readonly commits: number }> {
    const { repository, objects, housekeeping, forget, landing, committer, erased } = this.#needs
    return await housekeeping.undisturbed(async () => {
      const erasedIds = await erasedObjectIds(repository, objects, blobs)
      for (const { sha256 } of blobs) await rm(lfsObjectPath(repository, sha256), { force: true })
      if (erasedIds.size === 0) return { commits: 0 }
      await erased.add(erasedIds)
      const rewrite = new HistoryRewrite({
        ...this.#needs,
        erasedIds,
        marker: Buffer.from(marker),
      })
      // Most of the work, while others go on to write.
      await rewrite.run()
      const formerIndexes = await landing.alone(() =>
        committer.alone(() => this.#turn(rewrite, erasedIds)),
      )
      await purgeObjects(repository, formerIndexes, (args) => housekeeping.run(args))
      // What is held open would still be there to be read, and on the disk.
      await objects.restart()
      forget(erasedIds)
      return { commits: rewrite.affected }
    })
  }

  /** Moves every ref at once, while nobody commits. Answers the packs that there are. */
  async #turn(rewrite: HistoryRewrite, erasedIds: ReadonlySet<string>): Promise<readonly string[]> {
    const { repository, tip, former, forget } = this.#needs
    await rewrite.run()
    const { newByFormer } = rewrite
    const head = tip.head.commitId ?? ''
    const newHead = newByFormer.get(head) ?? head
    await this.#requireSameFiles(newHead)
    const moves = await movesOfRefs(newByFormer, this.#needs)
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
    return await packNames(repository)
  }

  /** What is published is another matter: it is taken away first. */
  async #requireSameFiles(newHead: string): Promise<void> {
    const { objects, tip } = this.#needs
    const commit = newHead === '' ? undefined : await objects.read(newHead)
    if (commit !== undefined && readCommitHead(commit.body).treeId !== tip.head.rootId)
      throw new Error('The newest commit has bytes that are to be erased')
  }
}
