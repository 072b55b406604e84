import { resolve } from 'node:path'

import type { BlobStore } from '../../ports/content/blob-store.ts'
import type {
  Commit,
  CommitListener,
  CommitRequest,
  HistorySpan,
  OutsideBlob,
  Plan,
  Tree,
  TreeDifference,
  Version,
} from '../../ports/content/content-store.ts'
import type { ErasableHistory, ErasedContent } from '../../ports/erasing/erasable-history.ts'
import type { CommitPoint } from '../../ports/content/past-commits.ts'
import type { LinedContentStore } from '../../ports/previews/content-lines.ts'
import { AttributeCache } from './lfs/attribute-source.ts'
import { LargeFiles } from './lfs/large-files.ts'
import type { LargeFileHost } from './lfs/remote/large-file-host.ts'
import { pointersIn } from './lfs/pointers-in.ts'
import { PutForms } from './lfs/put-forms.ts'
import { BlobReader } from './objects/blob-reader.ts'
import { BranchRef, mainBranch } from './write/branch-ref.ts'
import { BranchTip } from './write/branch-tip.ts'
import { CommitLog } from './read/commit-log.ts'
import { Committer } from './write/committer.ts'
import { DirectoryCache } from './tree/directory-source.ts'
import { Group, type Head, type Unready } from './write/commit-group.ts'
import { Housekeeping } from './upkeep/housekeeping.ts'
import { LargeBlobs } from './write/large-blobs.ts'
import { Landing } from './write/landing.ts'
import { LineShelf } from './write/line-shelf.ts'
import { FormerCommits } from './rewrite/former-commits.ts'
import { ErasedContents } from './rewrite/erased-contents.ts'
import { HistoryEraser } from './rewrite/history-eraser.ts'
import { clearLeftovers } from './upkeep/leftovers.ts'
import { ObjectReader } from './objects/object-reader.ts'
import { PackSource } from './remote/pack-exchange.ts'
import { PackStore } from './write/pack-store.ts'
import { GitPushReceiver, type PushLimits } from './receive/git-push-receiver.ts'
import { RecentPacks } from './write/recent-packs.ts'
import { RefWatch } from './upkeep/ref-watch.ts'
import { probeRepository } from './upkeep/repository-probe.ts'
import { prepareRepository } from './upkeep/repository-setup.ts'
import { SnapshotTree, type TreeSources } from './tree/snapshot-tree.ts'
import { treeDifference } from './tree/tree-difference.ts'
import { verifyRepository } from './upkeep/verification.ts'
import type { StoreUnavailableError } from '../../ports/store-unavailable-error.ts'

export interface GitContentStoreOptions {
  /** The bare repository; made where it is not there. The caller alone may write through here. */
  readonly directory: string
  readonly blobs: BlobStore
  /** Files with more bytes than this are kept beside git, which has pointers to them; left out: 25 MiB. */
  readonly largeFileBytes?: number
  /** Where large files may be that the blob store has lost. */
  readonly largeFileHost?: Pick<LargeFileHost, 'open'> | undefined
  readonly now: () => Date
  /** Told of what the operator should know and nobody has to be refused for. */
  readonly onWarning: (message: string, cause?: unknown) => void
  /** Told once when only a restart helps. */
  readonly onFatal: (error: StoreUnavailableError) => void
}

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

type Parts = Awaited<ReturnType<typeof openParts>>

interface Opened {
  readonly parts: Parts
  readonly tip: BranchTip
  readonly closing: AsyncDisposableStack
}

/** A ContentStore that is a bare git repository: any git can read it, clone it and push to it. */
export class GitContentStore implements LinedContentStore, ErasableHistory {
  readonly #parts: Parts
  readonly #closing: AsyncDisposableStack
  readonly #tip: BranchTip
  readonly #former: FormerCommits
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

  async history(
    path: string,
    limit: number,
    span: Omit<HistorySpan, 'limit'> = {},
  ): Promise<readonly Omit<Commit, 'changes'>[]> {
    const { commitId: head } = this.#tip.head
    if (head === undefined) return []
    return this.#parts.log.history({ ...this.#resolved(span), head }, path, limit)
  }

  async versions(path: string, { limit, ...span }: HistorySpan): Promise<readonly Version[]> {
    const { commitId } = this.#tip.head
    if (commitId === undefined) return []
    return this.#parts.log.versions({ ...this.#resolved(span), head: commitId }, path, limit)
  }

  async differing(tree: Tree, id: string, directory: string): Promise<readonly TreeDifference[]> {
    const former = await this.at(id)
    const newest = tree === this ? this.#tree : tree
    if (!(former instanceof SnapshotTree) || !(newest instanceof SnapshotTree))
      throw new Error(`Nothing can be compared with the commit ${JSON.stringify(id)}`)
    return await treeDifference(newest, former, directory)
  }

  async at(id: string): Promise<Tree | undefined> {
    const { commitId, rootId } = this.#tip.head
    if (commitId === undefined) return undefined
    const now = this.#former.resolve(id)
    return now === commitId ? this.#treeOf(() => rootId) : this.#parts.log.treeAt(now, commitId)
  }

  async commitNamed(text: string): Promise<CommitPoint | 'ambiguous' | undefined> {
    const { commitId } = this.#tip.head
    if (commitId === undefined) return undefined
    const others = this.#former.beginningWith(text, maxFormerNames)
    return await this.#parts.log.names.named(this.#former.resolve(text), commitId, others)
  }

  async commitAsOf(moment: Date): Promise<CommitPoint | undefined> {
    const { commitId } = this.#tip.head
    return commitId === undefined ? undefined : this.#parts.log.names.asOf(moment, commitId)
  }

  buildsOn(id: string, formerId: string): Promise<boolean> {
    return this.#parts.log.names.buildsOn(
      this.#former.resolve(id),
      this.#former.resolve(formerId),
    )
  }

  async declaredType(id: string, path: string): Promise<string | undefined> {
    const { commitId } = this.#tip.head
    if (commitId === undefined) return undefined
    return this.#parts.log.declaredType(this.#former.resolve(id), path, commitId)
  }

  async declaredTypes(id: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { commitId } = this.#tip.head
    if (commitId === undefined) return new Map()
    return this.#parts.log.declaredTypes(this.#former.resolve(id), paths, commitId)
  }

  async declaredPaths(): Promise<ReadonlySet<string> | undefined> {
    const { commitId } = this.#tip.head
    return commitId === undefined ? new Set() : this.#parts.log.declaredPaths(commitId)
  }

  async *outsideBlobs(): AsyncIterable<OutsideBlob> {
    const { directory, sources } = this.#parts
    for await (const ref of pointersIn(directory, sources.blobs))
      yield { ...ref, original: () => sources.largeFiles.original(ref) }
  }

  erase(content: ErasedContent): Promise<{ readonly commits: number }> {
    return this.#eraser.erase(content)
  }

  follow(listener: CommitListener): void {
    this.#committer.follow(listener)
  }

  /** Takes in what is pushed, within these limits. */
  pushes(limits: PushLimits): GitPushReceiver {
    const { directory, packs, sources } = this.#parts
    return new GitPushReceiver({
      directory,
      blobs: this.#parts.blobStore,
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

  /** Its objects, for other repositories. */
  get source(): PackSource {
    return new PackSource(this.#parts.directory, this.#parts.recent, this.#former)
  }

  #resolved({ since, until }: Omit<HistorySpan, 'limit'>) {
    return { since: this.#former.resolve(since), until: this.#former.resolve(until) }
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

/** More of them mean several commits. */
const maxFormerNames = 2

/** What is remembered by ids that are others now. */
function forgetCommits(
  { log, recent, forgetStaged, sources }: Parts,
  contentIds: ReadonlySet<string>,
): void {
  log.forget()
  recent.forget()
  forgetStaged()
  sources.blobs.forget(contentIds)
}

async function openParts(
  {
    directory,
    blobs,
    largeFileBytes,
    largeFileHost: elsewhere,
    now,
    onWarning,
    onFatal,
  }: GitContentStoreOptions,
  opening: AsyncDisposableStack,
) {
  const objects = opening.use(new ObjectReader(directory))
  const directories = new DirectoryCache(objects)
  const sources = {
    directories,
    attributes: new AttributeCache(objects),
    blobs: new BlobReader(objects, blobs),
    largeFiles: new LargeFiles({
      repository: directory,
      blobs,
      now,
      aboveBytes: largeFileBytes,
      elsewhere,
      onWarning,
    }),
  }
  const packs = opening.use(await PackStore.open(directory))
  const takeNumber = createNumbers()
  const ref = opening.use(
    await BranchRef.open({ repository: directory, branch: mainBranch, takeNumber, onWarning }),
  )
  const recent = new RecentPacks()
  const former = await FormerCommits.open(directory, await ref.read())
  // What lines stage is in no pack that leads along main, so main has to have it in one of its own.
  const largeBlobs = new LargeBlobs({ packs, recent, blobs, now })
  const largeBlobsOfLines = new LargeBlobs({ packs, blobs, now })
  const forms = new PutForms({ blobs, largeFiles: sources.largeFiles })
  const housekeeping = opening.use(new Housekeeping({ repository: directory, now, onWarning }))
  return {
    directory,
    blobStore: blobs,
    objects,
    directories,
    sources,
    packs,
    recent,
    former,
    erased: await ErasedContents.open(directory),
    landing: new Landing(),
    takeNumber,
    forgetStaged() {
      largeBlobs.forget()
      largeBlobsOfLines.forget()
    },
    housekeeping,
    onWarning,
    onFatal,
    ref,
    log: new CommitLog({ repository: directory, sources, onWarning }),
    createGroup: (head: Head) => new Group(head, { sources, blobs, largeBlobs, forms, now }),
    createLineGroup: (head: Head) =>
      new Group(head, { sources, blobs, largeBlobs: largeBlobsOfLines, forms, now }),
    stage: stagingOf(largeBlobs, sources),
    stageForLine: stagingOf(largeBlobsOfLines, sources),
    onPackAdded: () => housekeeping.packAdded(),
  }
}

function createNumbers(): () => number {
  let last = 0
  return () => (last += 1)
}

/** Brings what a commit is to name to where it has to be before. */
const stagingOf =
  (largeBlobs: LargeBlobs, { largeFiles, blobs: reader }: TreeSources) =>
  async ({ blobs }: { readonly blobs: Unready }): Promise<void> => {
    await largeBlobs.stage(blobs.staged)
    for (const { blob, bytes, content } of blobs.secured)
      await largeFiles.secure(
        blob,
        async () => bytes ?? (content && (await reader.original(content.id))),
      )
  }
