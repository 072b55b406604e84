import type { BlobRef } from '../../../ports/content/blob-store.ts'
import {
  type Change,
  type Commit,
  type CommitRequest,
  type Plan,
  UnfittingChangeError,
} from '../../../ports/content/content-store.ts'
import { type CommittedBytes, isWithin, MemoryTree, sha1, touches } from './memory-tree.ts'

/** A commit, and the files as it left them. */
export interface KeptCommit {
  readonly commit: Commit
  readonly parentIds: readonly (string | undefined)[]
  readonly tree: MemoryTree
}

/** What a commit is made on. */
interface Ground {
  readonly tree: MemoryTree
  readonly parentId: string | undefined
}

interface Dependencies {
  readonly bytes: CommittedBytes
  readonly now: () => Date
  /** All commits that there are, of all branches. */
  readonly commitById: Map<string, KeptCommit>
  readonly newest?: KeptCommit | undefined
}

/** Commits that follow each other, one at a time. */
export class MemoryBranch {
  readonly #needs: Dependencies
  readonly #nothing: MemoryTree
  #newest: KeptCommit | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(needs: Dependencies) {
    this.#needs = needs
    this.#newest = needs.newest
    this.#nothing = new MemoryTree(new Map(), needs.bytes)
  }

  get tree(): MemoryTree {
    return this.#newest?.tree ?? this.#nothing
  }

  get head(): string | undefined {
    return this.#newest?.commit.id
  }

  commit(
    request: CommitRequest,
    plan: Plan,
    tell: (commit: Commit) => Promise<void>,
  ): Promise<Commit | undefined> {
    const mine = this.#last.then(async () => {
      const ground = this.#groundOf(request)
      const changes = (await plan(ground.tree)) ?? []
      if (changes.length === 0 && request.mergedId === undefined) return undefined
      const commit = await this.#apply(request, changes, ground)
      await tell(commit)
      return commit
    })
    this.#last = mine.catch(() => {})
    return mine
  }

  async idle(): Promise<void> {
    await this.#last
  }

  #groundOf({ mergedId, isOntoMerged = false }: CommitRequest): Ground {
    const merged = isOntoMerged ? this.#needs.commitById.get(mergedId ?? '') : undefined
    return { tree: merged?.tree ?? this.tree, parentId: merged?.commit.id ?? this.head }
  }

  async #apply(
    request: CommitRequest,
    changes: readonly Change[],
    { tree, parentId }: Ground,
  ): Promise<Commit> {
    const { bytes, commitById, now } = this.#needs
    const files = new Map(tree.files)
    for (const change of changes) await this.#change(files, change)
    const id = sha1(`${parentId} ${commitById.size}`)
    const seconds = Math.floor(now().getTime() / 1000)
    const earliest = this.#newest?.commit.committedAt.getTime() ?? 0
    const committedAt = new Date(Math.max(seconds * 1000, earliest))
    const commit = { id, request, parentId, committedAt, changes }
    const parentIds = [parentId, this.head, request.mergedId]
    this.#newest = { commit, parentIds, tree: new MemoryTree(files, bytes) }
    commitById.set(id, this.#newest)
    return commit
  }

  async #change(files: Map<string, BlobRef>, change: Change): Promise<void> {
    const paths = [...files.keys()]
    if (change.kind === 'delete') {
      for (const path of paths) if (isWithin(path, change.path)) files.delete(path)
      return
    }
    if (paths.some((path) => path !== change.path && touches(path, change.path)))
      throw new UnfittingChangeError(change, 'a file would be a directory')
    await this.#needs.bytes.take(change)
    files.set(change.path, change.blob)
  }
}
