import type { Commit, Tree } from '../../../ports/content/content-store.ts'
import {
  type ContentLine,
  type ContentLines,
  type LineHead,
  type LineListener,
  NoSuchLineError,
} from '../../../ports/previews/content-lines.ts'
import { runGit } from '../objects/git-command.ts'
import { lineRefs } from '../read/commit-names.ts'
import type { CommitLog } from '../read/commit-log.ts'
import { BranchRef, readBranch, refNameOf } from './branch-ref.ts'
import { BranchTip } from './branch-tip.ts'
import { Committer } from './committer.ts'
import type { Landing } from './landing.ts'

/** What a line needs of the store that it is of; all of them share it. */
interface Dependencies
  extends
    Pick<ConstructorParameters<typeof Committer>[0], 'stage' | 'onWarning' | 'onFatal'>,
    Pick<
      Parameters<typeof BranchTip.open>[0],
      'packs' | 'directories' | 'createGroup' | 'onPackAdded' | 'former'
    > {
  readonly repository: string
  readonly log: CommitLog
  readonly landing: Landing
  readonly takeNumber: () => number
  readonly treeOf: (rootId: () => string) => Tree
}

interface OpenLine extends AsyncDisposable {
  readonly tip: BranchTip
  readonly committer: Committer
  readonly tree: Tree
}

interface Place {
  readonly opening: Promise<OpenLine>
  users: number
}

/** So many lines stay open that nobody uses: each is a file handle and next to no memory. */
const maxIdle = 16

/** The lines beside main: opened when something is to be done, closed when others need the room. */
export class LineShelf implements ContentLines, AsyncDisposable {
  readonly #needs: Dependencies
  /** The one that was used last is at the end. */
  readonly #placeByName = new Map<string, Place>()
  readonly #closingByName = new Map<string, Promise<void>>()
  #listener: LineListener | undefined

  constructor(needs: Dependencies) {
    this.#needs = needs
  }

  async create(name: string, commitId: string): Promise<boolean> {
    return await this.#move(name, { from: undefined, to: commitId })
  }

  async reset(name: string, commitId: string): Promise<void> {
    await this.#close(name)
    const from = await readBranch(this.#needs.repository, requireName(name))
    if (from === this.#needs.former.resolve(commitId)) return
    if (!(await this.#move(name, { from, to: commitId }))) await this.reset(name, commitId)
    this.#needs.log.names.forgetLines()
  }

  async remove(name: string): Promise<void> {
    await this.#close(name)
    await runGit(this.#needs.repository, ['update-ref', '-d', refNameOf(requireName(name))])
    this.#needs.log.names.forgetLines()
  }

  async list(prefix: string): Promise<readonly LineHead[]> {
    const format = '--format=%(objectname) %(refname)'
    const output = await runGit(this.#needs.repository, ['for-each-ref', format, lineRefs])
    const heads = output
      .toString('latin1')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => ({ commitId: line.slice(0, 40), name: line.slice(41 + 'refs/heads/'.length) }))
    return heads.filter(({ name }) => name.startsWith(prefix))
  }

  follow(listener: LineListener): void {
    this.#listener = listener
  }

  at(name: string): ContentLine {
    const use = <T>(work: (line: OpenLine) => Promise<T>) => this.#use(requireName(name), work)
    return {
      head: () => use(async ({ tip }) => tip.head.commitId ?? ''),
      commit: (request, plan) => use(({ committer }) => committer.commit(request, plan)),
      find: (path) => use(({ tree }) => tree.find(path)),
      children: (directory) => use(({ tree }) => tree.children(directory)),
      filesBelow: (directory) => use(({ tree }) => tree.filesBelow(directory)),
      spelling: (path) => use(({ tree }) => tree.spelling(path)),
      read: (path) => use(({ tree }) => tree.read(path)),
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const names = Array.from(this.#placeByName.keys())
    await Promise.all(names.map((name) => this.#close(name)))
    await Promise.all(this.#closingByName.values())
  }

  async #use<T>(name: string, work: (line: OpenLine) => Promise<T>): Promise<T> {
    for (let closing; (closing = this.#closingByName.get(name)) !== undefined;) await closing
    const place = this.#placeByName.get(name) ?? { opening: this.#open(name), users: 0 }
    place.users += 1
    this.#placeByName.delete(name)
    this.#placeByName.set(name, place)
    try {
      return await work(await place.opening)
    } catch (error) {
      if (error instanceof NoSuchLineError && this.#placeByName.get(name) === place)
        void this.#close(name)
      throw error
    } finally {
      place.users -= 1
      this.#closeIdle()
    }
  }

  #closeIdle(): void {
    const idle = [...this.#placeByName].filter(([, { users }]) => users === 0)
    for (const [name] of idle.slice(0, Math.max(0, idle.length - maxIdle))) void this.#close(name)
  }

  /** What was asked for is done first. Whoever asks meanwhile opens it anew. */
  async #close(name: string): Promise<void> {
    const place = this.#placeByName.get(name)
    if (place === undefined) return await this.#closingByName.get(name)
    this.#placeByName.delete(name)
    const closing = place.opening
      .then((line) => line[Symbol.asyncDispose]())
      // That it could not be opened was said to whoever wanted it.
      .catch(() => undefined)
      .finally(() => this.#closingByName.delete(name))
    this.#closingByName.set(name, closing)
    await closing
  }

  async #open(name: string): Promise<OpenLine> {
    const { repository, treeOf, ...needs } = this.#needs
    const whenGone = () => new NoSuchLineError(name)
    if ((await readBranch(repository, name)) === undefined) throw whenGone()
    await using opening = new AsyncDisposableStack()
    const ref = opening.use(await BranchRef.open({ ...needs, repository, branch: name }))
    const tip = await BranchTip.open({ ...needs, ref, whenGone })
    const committer = opening.use(new Committer({ ...needs, tip }))
    committer.follow(async (commits: readonly Commit[]) => await this.#listener?.(name, commits))
    const opened = opening.move()
    return {
      tip,
      committer,
      tree: treeOf(() => tip.head.rootId),
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    }
  }

  async #move(
    name: string,
    { from, to: given }: { readonly from: string | undefined; readonly to: string },
  ): Promise<boolean> {
    return await this.#needs.landing.share(() => this.#moveTo(name, from, given))
  }

  async #moveTo(name: string, from: string | undefined, given: string): Promise<boolean> {
    const to = this.#needs.former.resolve(given)
    await this.#needs.log.describe(to)
    await using ref = await BranchRef.open({ ...this.#needs, branch: requireName(name) })
    const prepared = await ref.prepare(to)
    const isMoved = await ref.move(from, prepared)
    if (!isMoved) await ref.discard(prepared)
    return isMoved
  }
}

const namePattern = /^preview(?:\/[a-z0-9-]{1,64}){1,3}$/u

/** As a part of a path, and of a command. */
function requireName(name: string): string {
  if (!namePattern.test(name)) throw new Error(`${JSON.stringify(name)} is no name of a line`)
  return name
}
