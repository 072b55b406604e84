import {
  type Commit,
  type CommitListener,
  type CommitRequest,
  type HistorySpan,
  type OutsideBlob,
  type Plan,
  type Tree,
  type TreeDifference,
  type Version,
} from '../../../ports/content/content-store.ts'

import type { CommitPoint } from '../../../ports/content/past-commits.ts'
import type { LinedContentStore } from '../../../ports/previews/content-lines.ts'
import { type KeptCommit, MemoryBranch } from './memory-branch.ts'
import { MemoryContentLines } from './memory-content-lines.ts'
import { CommittedBytes, type MemoryBlobs, touches } from './memory-tree.ts'

interface Dependencies {
  readonly blobs: MemoryBlobs
  readonly now?: () => Date
}

/** A ContentStore for tests and demos. Nothing survives the process. */
export class MemoryContentStore implements LinedContentStore {
  readonly lines: MemoryContentLines
  readonly #bytes: CommittedBytes
  readonly #commitById = new Map<string, KeptCommit>()
  readonly #main: MemoryBranch
  /** Of main, oldest first. */
  readonly #commits: Commit[] = []
  #listener: CommitListener | undefined

  constructor({ blobs, now = () => new Date() }: Dependencies) {
    this.#bytes = new CommittedBytes(blobs)
    const shared = { bytes: this.#bytes, commitById: this.#commitById, now }
    this.#main = new MemoryBranch(shared)
    this.lines = new MemoryContentLines({
      commitById: this.#commitById,
      createBranch: (newest) => new MemoryBranch({ ...shared, newest }),
    })
  }

  find: Tree['find'] = (path) => this.#main.tree.find(path)
  children: Tree['children'] = (directory) => this.#main.tree.children(directory)
  filesBelow: Tree['filesBelow'] = (directory) => this.#main.tree.filesBelow(directory)
  spelling: Tree['spelling'] = (path) => this.#main.tree.spelling(path)
  read: Tree['read'] = (path) => this.#main.tree.read(path)

  async probe(): Promise<void> {}

  async head(): Promise<string | undefined> {
    return this.#main.head
  }

  commit(request: CommitRequest, plan: Plan): Promise<Commit | undefined> {
    return this.#main.commit(request, plan, async (commit) => {
      this.#commits.push(commit)
      await this.#listener?.([commit])
    })
  }

  async *commitsAfter(after: string | undefined): AsyncIterable<Commit> {
    const place = this.#commits.findIndex(({ id }) => id === after)
    if (after !== undefined && place < 0) throw new Error(`The repository has no commit "${after}"`)
    for (const commit of this.#commits.slice(place + 1)) {
      for (const change of commit.changes)
        if (change.kind === 'put') await this.#bytes.keep(change.blob)
      yield commit
    }
  }

  async history(
    path: string,
    limit: number,
    { since, until }: Omit<HistorySpan, 'limit'> = {},
  ): Promise<readonly Omit<Commit, 'changes'>[]> {
    const before = since === undefined ? undefined : this.#commitById.get(since)?.commit.parentId
    const commits = this.#firstParents(until ?? this.#main.head)
    const end = commits.findIndex(({ id }) => id === before)
    return commits
      .slice(0, end < 0 ? undefined : end)
      .filter(({ changes }) => changes.some((change) => touches(change.path, path)))
      .slice(0, Math.max(0, limit))
      .map(({ id, request, parentId, committedAt }) => ({ id, request, parentId, committedAt }))
  }

  async versions(path: string, { limit, since, until }: HistorySpan): Promise<readonly Version[]> {
    const commits = await this.history(path, limit, { since, until })
    return Promise.all(
      commits.map(async (commit) => {
        const tree = this.#commitById.get(commit.id)?.tree
        const found = await tree?.find(path)
        if (found?.kind !== 'file') return { ...commit, file: undefined }
        const open = async () => (await tree?.read(path)) ?? new Uint8Array()
        return { ...commit, file: { ...found, contentType: this.#typeIn(commit.id, path), open } }
      }),
    )
  }

  async at(commitId: string): Promise<Tree | undefined> {
    return this.#isNamed(commitId) ? this.#commitById.get(commitId)?.tree : undefined
  }

  async differing(tree: Tree, id: string, directory: string): Promise<readonly TreeDifference[]> {
    const former = await this.at(id)
    if (former === undefined) throw new Error(`The repository has no commit "${id}"`)
    const idsIn = async (each: Tree) =>
      new Map((await each.filesBelow(directory)).map(({ path, contentId }) => [path, contentId]))
    const [before, after] = [await idsIn(tree), await idsIn(former)]
    return [...new Set([...before.keys(), ...after.keys()])].flatMap((path) => {
      const [one, other] = [before.get(path), after.get(path)]
      if (one === other) return []
      return [{ path, ...(one && { before: one }), ...(other && { after: other }) }]
    })
  }

  async commitNamed(text: string): Promise<CommitPoint | 'ambiguous' | undefined> {
    if (!/^[0-9a-f]{7,40}$/u.test(text)) return undefined
    const all = Array.from(this.#commitById.values(), ({ commit }) => commit)
    const found = all.filter(({ id }) => id.startsWith(text) && this.#isNamed(id))
    return found.length > 1 ? 'ambiguous' : found.map(pointOf)[0]
  }

  async commitAsOf(moment: Date): Promise<CommitPoint | undefined> {
    return this.#commits
      .filter(({ committedAt }) => committedAt <= moment)
      .map(pointOf)
      .at(-1)
  }

  async buildsOn(id: string, formerId: string): Promise<boolean> {
    return this.#behind([id]).has(formerId)
  }

  async declaredType(commitId: string, path: string): Promise<string | undefined> {
    const newest = this.#firstParents(commitId)
      .flatMap(({ changes }) => changes.toReversed())
      .find((change) => change.kind === 'put' && change.path === path)
    return newest?.kind === 'put' ? newest.contentType : undefined
  }

  async declaredTypes(
    commitId: string,
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const types = new Map<string, string>()
    for (const path of paths) {
      const type = await this.declaredType(commitId, path)
      if (type !== undefined) types.set(path, type)
    }
    return types
  }

  async declaredPaths(): Promise<ReadonlySet<string>> {
    const changes = this.#commits.flatMap((commit) => commit.changes)
    return new Set(
      changes.flatMap((change) =>
        change.kind === 'put' && change.contentType !== undefined ? change.path : [],
      ),
    )
  }

  /** Newest first. */
  #firstParents(commitId: string | undefined): readonly Commit[] {
    const commits: Commit[] = []
    for (let id = commitId; id !== undefined; id = commits.at(-1)?.parentId) {
      const kept = this.#commitById.get(id)
      if (kept === undefined) break
      commits.push(kept.commit)
    }
    return commits
  }

  /** All commits that some are, or build on. */
  #behind(ids: readonly (string | undefined)[]): ReadonlySet<string> {
    const found = new Set<string>()
    const waiting = [...ids]
    while (waiting.length > 0) {
      const kept = this.#commitById.get(waiting.pop() ?? '')
      if (kept === undefined || found.has(kept.commit.id)) continue
      found.add(kept.commit.id)
      waiting.push(...kept.parentIds)
    }
    return found
  }

  #isNamed(id: string): boolean {
    return this.#behind([this.#main.head, ...this.lines.heads()]).has(id)
  }

  #typeIn(commitId: string, path: string): string | undefined {
    const { changes = [] } = this.#commitById.get(commitId)?.commit ?? {}
    return changes.flatMap((change) =>
      change.kind === 'put' && change.path === path ? (change.contentType ?? []) : [],
    )[0]
  }

  async *outsideBlobs(): AsyncIterable<OutsideBlob> {}

  follow(listener: CommitListener): void {
    this.#listener = listener
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#main.idle()
    await this.lines.idle()
  }
}

const pointOf = ({ id, committedAt }: Commit): CommitPoint => ({ id, committedAt })
