import type { Commit } from '../../../ports/content/content-store.ts'
import {
  type ContentLine,
  type ContentLines,
  type LineHead,
  type LineListener,
  NoSuchLineError,
} from '../../../ports/previews/content-lines.ts'
import type { KeptCommit, MemoryBranch } from './memory-branch.ts'

interface Dependencies {
  readonly commitById: ReadonlyMap<string, KeptCommit>
  readonly createBranch: (newest: KeptCommit) => MemoryBranch
}

/** ContentLines for tests and demos. */
export class MemoryContentLines implements ContentLines {
  readonly #needs: Dependencies
  readonly #branchByName = new Map<string, MemoryBranch>()
  #listener: LineListener | undefined

  constructor(needs: Dependencies) {
    this.#needs = needs
  }

  async create(name: string, commitId: string): Promise<boolean> {
    if (this.#branchByName.has(name)) return false
    await this.reset(name, commitId)
    return true
  }

  async reset(name: string, commitId: string): Promise<void> {
    const newest = this.#needs.commitById.get(commitId)
    if (newest === undefined) throw new Error(`The repository has no commit "${commitId}"`)
    await this.#branchByName.get(name)?.idle()
    this.#branchByName.set(name, this.#needs.createBranch(newest))
  }

  async remove(name: string): Promise<void> {
    await this.#branchByName.get(name)?.idle()
    this.#branchByName.delete(name)
  }

  async list(prefix: string): Promise<readonly LineHead[]> {
    return [...this.#branchByName]
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, { head = '' }]) => ({ name, commitId: head }))
  }

  at(name: string): ContentLine {
    const tell = async (commit: Commit) => await this.#listener?.(name, [commit])
    return {
      head: async () => this.#branch(name).head ?? '',
      commit: async (request, plan) => await this.#branch(name).commit(request, plan, tell),
      find: async (path) => await this.#branch(name).tree.find(path),
      children: async (directory) => await this.#branch(name).tree.children(directory),
      filesBelow: async (directory) => await this.#branch(name).tree.filesBelow(directory),
      spelling: async (path) => await this.#branch(name).tree.spelling(path),
      read: async (path) => await this.#branch(name).tree.read(path),
    }
  }

  follow(listener: LineListener): void {
    this.#listener = listener
  }

  async idle(): Promise<void> {
    for (const branch of this.#branchByName.values()) await branch.idle()
  }

  heads(): readonly (string | undefined)[] {
    return [...this.#branchByName.values()].map(({ head }) => head)
  }

  #branch(name: string): MemoryBranch {
    const branch = this.#branchByName.get(name)
    if (branch === undefined) throw new NoSuchLineError(name)
    return branch
  }
}
