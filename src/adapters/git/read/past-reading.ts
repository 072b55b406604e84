import type {
  Commit,
  HistorySpan,
  Tree,
  TreeDifference,
  Version,
} from '../../../ports/content/content-store.ts'
import type { CommitPoint, PastCommits } from '../../../ports/content/past-commits.ts'
import type { FormerCommits } from '../rewrite/former-commits.ts'
import { SnapshotTree } from '../tree/snapshot-tree.ts'
import { treeDifference } from '../tree/tree-difference.ts'
import type { CommitLog } from './commit-log.ts'

interface Dependencies {
  readonly log: CommitLog
  readonly former: Pick<FormerCommits, 'resolve' | 'beginningWith'>
  /** The newest commit, as it is when it is asked for. */
  readonly head: () => string | undefined
}

/** More of them mean several commits. */
const maxFormerNames = 2

/** What commits had that lead to the newest one. Of what was written anew, former ids mean the present commits. */
export class PastReading implements PastCommits {
  readonly #log: CommitLog
  readonly #former: Dependencies['former']
  readonly #head: Dependencies['head']

  constructor({ log, former, head }: Dependencies) {
    this.#log = log
    this.#former = former
    this.#head = head
  }

  async history(
    path: string,
    limit: number,
    span: Omit<HistorySpan, 'limit'> = {},
  ): Promise<readonly Omit<Commit, 'changes'>[]> {
    const head = this.#head()
    return head === undefined
      ? []
      : await this.#log.history({ ...this.#resolved(span), head }, path, limit)
  }

  async versions(path: string, { limit, ...span }: HistorySpan): Promise<readonly Version[]> {
    const head = this.#head()
    return head === undefined
      ? []
      : await this.#log.versions({ ...this.#resolved(span), head }, path, limit)
  }

  async at(id: string): Promise<Tree | undefined> {
    const head = this.#head()
    return head === undefined ? undefined : await this.#log.treeAt(this.#former.resolve(id), head)
  }

  async differing(tree: Tree, id: string, directory: string): Promise<readonly TreeDifference[]> {
    const former = await this.at(id)
    if (!(former instanceof SnapshotTree) || !(tree instanceof SnapshotTree))
      throw new Error(`Nothing can be compared with the commit ${JSON.stringify(id)}`)
    return await treeDifference(tree, former, directory)
  }

  async commitNamed(text: string): Promise<CommitPoint | 'ambiguous' | undefined> {
    const head = this.#head()
    if (head === undefined) return undefined
    const others = this.#former.beginningWith(text, maxFormerNames)
    return await this.#log.names.named(this.#former.resolve(text), head, others)
  }

  async commitAsOf(moment: Date): Promise<CommitPoint | undefined> {
    const head = this.#head()
    return head === undefined ? undefined : await this.#log.names.asOf(moment, head)
  }

  async buildsOn(id: string, formerId: string): Promise<boolean> {
    return await this.#log.names.buildsOn(this.#former.resolve(id), this.#former.resolve(formerId))
  }

  async declaredType(id: string, path: string): Promise<string | undefined> {
    const head = this.#head()
    return head === undefined
      ? undefined
      : await this.#log.declaredType(this.#former.resolve(id), path, head)
  }

  async declaredTypes(id: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const head = this.#head()
    return head === undefined
      ? new Map()
      : await this.#log.declaredTypes(this.#former.resolve(id), paths, head)
  }

  async declaredPaths(): Promise<ReadonlySet<string> | undefined> {
    const head = this.#head()
    return head === undefined ? new Set() : await this.#log.declaredPaths(head)
  }

  #resolved({ since, until }: Omit<HistorySpan, 'limit'>) {
    return { since: this.#former.resolve(since), until: this.#former.resolve(until) }
  }
}
