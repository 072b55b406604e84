import { resolve } from 'node:path'

import type { BlobStore } from '../../ports/content/blob-store.ts'
import type {
  Commit,
  CommitListener,
  CommitRequest,
  ContentStore,
  OutsideBlob,
  Plan,
  Tree,
} from '../../ports/content/content-store.ts'
import type { ErasableHistory, ErasedContent } from '../../ports/erasing/erasable-history.ts'
import type { OutdatedContent, RetainedHistory } from '../../ports/erasing/retained-history.ts'
import type { RepositoryCopy } from '../../ports/content/repository-copy.ts'
import type { LinedContentStore } from '../../ports/previews/content-lines.ts'
import { pointersIn } from './lfs/pointers-in.ts'
import { BranchTip } from './write/branch-tip.ts'
import { Committer } from './write/committer.ts'
import type { Landing } from './write/landing.ts'
import { LineShelf } from './write/line-shelf.ts'
import type { FormerCommits } from './rewrite/former-commits.ts'
import { HistoryEraser } from './rewrite/history-eraser.ts'
import { clearLeftovers } from './upkeep/leftovers.ts'
import { addPack, hasCommit, PackSource } from './remote/pack-exchange.ts'
import { GitPushReceiver } from './receive/git-push-receiver.ts'
import type { PushLimits } from './receive/received-push.ts'
import { RefWatch } from './upkeep/ref-watch.ts'
import { PastReading } from './read/past-reading.ts'
import { probeRepository } from './upkeep/repository-probe.ts'
import { prepareRepository } from './upkeep/repository-setup.ts'
import { SnapshotTree } from './tree/snapshot-tree.ts'
import { verifyRepository } from './upkeep/verification.ts'
import { forgetCommits, type GitContentStoreOptions, openParts, type Parts } from './store-parts.ts'

export type { GitContentStoreOptions }

/** Opens the repository, makes it where there is none, and clears what a killed process left in it. */
export async function openGitContentStore(
  options: GitContentStoreOptions,
): Promise<GitContentStore> {
  const directory = resolve(options.directory)
  await prepareRepository(directory, options.onWarning)
  await clearLeftovers(directory)
  await using opening = new AsyncDisposableStack()
  const parts = await openParts({ ...options, directory }, opening)
  // Main has its committer's turn to itself.
  const tip = await BranchTip.open({ ...parts, landing: undefined })
  await parts.housekeeping.takeUp()
  return new GitContentStore({ parts, tip, closing: opening.move() })
}

interface Opened {
  readonly parts: Parts
  readonly tip: BranchTip
  readonly closing: AsyncDisposableStack
}

/** A ContentStore that is a bare git repository: any git can read it, clone it and push to it. */
export class GitContentStore implements LinedContentStore, ErasableHistory, RetainedHistory {
  readonly #parts: Parts
  readonly #closing: AsyncDisposableStack
  readonly #tip: BranchTip
  readonly #former: FormerCommits
  readonly #past: PastReading
  readonly #eraser: HistoryEraser
  readonly #committer: Committer
  readonly #tree: Tree
  readonly #watch: RefWatch
  readonly lines: LineShelf

  constructor({ parts, tip, closing }: Opened) {
    const { ref, former } = parts
    this.#parts = parts
    this.#closing = closing
    this.#tip = tip
    this.#former = former
    this.#past = new PastReading({ ...parts, head: () => tip.head.commitId })
    this.#tree = this.#treeOf(() => tip.head.rootId)
    this.#committer = new Committer({ ...parts, tip })
    // What packs lead along main is of main alone.
    const { createLineGroup: createGroup, stageForLine: stage, recent: _, ...shared } = parts
    this.lines = new LineShelf({
      ...shared,
      repository: parts.directory,
      createGroup,
      stage,
      treeOf: (rootId) => this.#treeOf(rootId),
    })
    this.#eraser = new HistoryEraser({
      ...parts,
      repository: parts.directory,
      tip,
      committer: this.#committer,
      forget: (contentIds) => forgetCommits(parts, contentIds),
    })
    this.#watch = new RefWatch(ref.directory, () => this.#committer.check())
  }

  find: Tree['find'] = (path) => this.#tree.find(path)
  children: Tree['children'] = (directory) => this.#tree.children(directory)
  filesBelow: Tree['filesBelow'] = (directory) => this.#tree.filesBelow(directory)
  spelling: Tree['spelling'] = (path) => this.#tree.spelling(path)
  read: Tree['read'] = (path) => this.#tree.read(path)

  async probe(): Promise<void> {
    await probeRepository(this.#parts.directory, this.#tip.head.commitId)
  }

  async head(): Promise<string | undefined> {
    return this.#tip.head.commitId
  }

  commit(request: CommitRequest, plan: Plan): Promise<Commit | undefined> {
    return this.#committer.commit(request, plan)
  }

  async *commitsAfter(after: string | undefined): AsyncIterable<Commit> {
    const { commitId } = this.#tip.head
    if (commitId === undefined) return
    const since = this.#former.resolve(after)
    for await (const { commit } of this.#parts.log.between(since, commitId)) yield commit
  }

  history: ContentStore['history'] = (...asked) => this.#past.history(...asked)
  versions: ContentStore['versions'] = (...asked) => this.#past.versions(...asked)
  commitNamed: ContentStore['commitNamed'] = (text) => this.#past.commitNamed(text)
  commitAsOf: ContentStore['commitAsOf'] = (moment) => this.#past.commitAsOf(moment)
  buildsOn: ContentStore['buildsOn'] = (id, formerId) => this.#past.buildsOn(id, formerId)
  declaredType: ContentStore['declaredType'] = (id, path) => this.#past.declaredType(id, path)
  declaredTypes: ContentStore['declaredTypes'] = (id, paths) => this.#past.declaredTypes(id, paths)
  declaredPaths: ContentStore['declaredPaths'] = () => this.#past.declaredPaths()

  differing: ContentStore['differing'] = (tree, id, directory) =>
    this.#past.differing(tree === this ? this.#tree : tree, id, directory)

  async at(id: string): Promise<Tree | undefined> {
    const { commitId, rootId } = this.#tip.head
    if (commitId === undefined) return undefined
    const now = this.#former.resolve(id)
    return now === commitId ? this.#treeOf(() => rootId) : this.#parts.log.treeAt(now, commitId)
  }

  async *outsideBlobs(): AsyncIterable<OutsideBlob> {
    const { directory, sources } = this.#parts
    for await (const ref of pointersIn(directory, sources.blobs))
      yield { ...ref, original: () => sources.largeFiles.original(ref) }
  }

  outdated: RetainedHistory['outdated'] = (retentions, wanted) =>
    this.#eraser.outdated(retentions, wanted)

  letGo(content: OutdatedContent): Promise<{ readonly commits: number }> {
    return this.#eraser.letGo(content)
  }

  erase(content: ErasedContent): Promise<{ readonly commits: number }> {
    return this.#eraser.erase(content)
  }

  follow(listener: CommitListener): void {
    this.#committer.follow(listener)
  }

  /** Takes in what is pushed, within these limits, and its bytes into `blobs`, which may refuse some. */
  pushes(limits: PushLimits, blobs: BlobStore): GitPushReceiver {
    const { directory, packs, sources } = this.#parts
    return new GitPushReceiver({
      directory,
      blobs,
      largeFiles: sources.largeFiles,
      remembered: sources.blobs,
      packs,
      rewriting: this.#parts.landing,
      erased: this.#parts.erased,
      committer: this.#committer,
      content: this,
      limits,
    })
  }

  /** Keeps commits from getting other ids, and says whether they have. */
  get rewriting(): Pick<Landing, 'epoch' | 'share'> {
    return this.#parts.landing
  }

  /** Which commits were written anew. */
  get former(): Pick<FormerCommits, 'idsOf' | 'isFormer' | 'isNew' | 'count' | 'resolve'> {
    return this.#former
  }

  /** Its objects, for other repositories. */
  get source(): PackSource {
    return new PackSource(this.#parts.directory, this.#parts.recent, this.#former)
  }

  /** Takes objects that another node has packed, beside all that happens. */
  get copy(): Pick<RepositoryCopy, 'add' | 'has'> {
    const { directory } = this.#parts
    return {
      add: (pack) => addPack(directory, pack),
      has: (commitId) => hasCommit(directory, commitId),
    }
  }

  #treeOf(rootId: () => string): Tree {
    return new SnapshotTree({ ...this.#parts.sources, rootId })
  }

  /** What git finds wrong with the repository, a line each; nothing where all is well. */
  async verify(): Promise<readonly string[]> {
    const { directory, housekeeping } = this.#parts
    return housekeeping.undisturbed(() => verifyRepository(directory))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#watch[Symbol.dispose]()
    await this.#committer[Symbol.asyncDispose]()
    await this.lines[Symbol.asyncDispose]()
    await this.#closing.disposeAsync()
  }
}
