import { join } from 'node:path'

import { Mutex } from '../../../lib/async/mutex.ts'
import type { BlobStore } from '../../../ports/content/blob-store.ts'
import type {
  Commit,
  CommitRequest,
  ContentStore,
  Plan,
} from '../../../ports/content/content-store.ts'
import {
  type Examination,
  type IncomingPack,
  type PushedCommit,
  type PushedUpdate,
  type PushReceiver,
  type ReceivedPush,
  UnfitPushError,
} from '../../../ports/pushes/push-receiver.ts'
import type { LargeFiles } from '../lfs/large-files.ts'
import type { BlobReader } from '../objects/blob-reader.ts'
import { tryGit } from '../objects/git-command.ts'
import type { Committer } from '../write/committer.ts'
import type { ErasedContents } from '../rewrite/erased-contents.ts'
import type { Landing } from '../write/landing.ts'
import type { PackStore } from '../write/pack-store.ts'
import { IncomingPackFile, type PackLimits } from './incoming-pack.ts'
import { PushedLog, type LogLimits, type PushedLine } from './pushed-log.ts'
import { pushesDirectory } from './pushes-directory.ts'
import { type ExaminationLimits, Quarantine } from './quarantine.ts'

export interface PushLimits extends PackLimits, ExaminationLimits, LogLimits {}

interface Dependencies {
  /** The repository. */
  readonly directory: string
  readonly blobs: BlobStore
  readonly largeFiles: LargeFiles
  /** What the repository remembers of contents. */
  readonly remembered: Pick<BlobReader, 'remember'>
  readonly packs: PackStore
  readonly rewriting: Landing
  readonly erased: Pick<ErasedContents, 'ids'>
  readonly committer: Committer
  readonly content: Pick<ContentStore, 'commit' | 'head'>
  readonly limits: PushLimits
}

/** Receives pushes into quarantines of their own, beside the repository that they are for. */
export class GitPushReceiver implements PushReceiver {
  readonly #needs: Dependencies
  /** What makes packs part of the repository, and takes them away again where nothing came of it. */
  readonly #landing = new Mutex()
  #nextNumber = 0

  constructor(needs: Dependencies) {
    this.#needs = needs
  }

  head(): Promise<string | undefined> {
    return this.#needs.content.head()
  }

  store(pack: AsyncIterable<Uint8Array>): Promise<IncomingPackFile> {
    return IncomingPackFile.store(this.#newPath('pack'), pack, this.#needs.limits)
  }

  async examine({ pack, update, signal }: Examination): Promise<ReceivedPush> {
    const { directory: repository, limits } = this.#needs
    await using opening = new AsyncDisposableStack()
    const directory = this.#newPath('objects')
    const quarantine = opening.use(await Quarantine.open({ directory, repository, limits, signal }))
    await quarantine.index(fileOf(pack))
    const epoch = this.#needs.rewriting.epoch
    await quarantine.connect(update.formerId, update.newId)
    for (const id of this.#needs.erased.ids())
      if (quarantine.has(id)) throw new UnfitPushError(erasedText)
    await requireLeadingOn(quarantine, update)
    const log = opening.use(new PushedLog({ ...this.#needs, directory }))
    const line = await log.line(update.formerId, update.newId)
    return new GitReceivedPush({
      ...this.#needs,
      landing: this.#landing,
      epoch,
      update,
      quarantine,
      log,
      line,
      closing: opening.move(),
    })
  }

  #newPath(what: string): string {
    this.#nextNumber += 1
    return join(pushesDirectory(this.#needs.directory), `${this.#nextNumber}-${what}`)
  }
}

const erasedText =
  'it has what was erased for good: clone anew, and put your commits on top of what is there now'
const rewrittenText =
  'commits have other ids since something was erased meanwhile: fetch, and put yours on top again'

function fileOf(pack: IncomingPack): IncomingPackFile {
  if (pack instanceof IncomingPackFile) return pack
  throw new Error('The pack was not stored here')
}

async function requireLeadingOn(
  quarantine: Quarantine,
  { formerId, newId }: PushedUpdate,
): Promise<void> {
  if (formerId === undefined || (await quarantine.isAncestor(formerId, newId))) return
  throw new UnfitPushError('it does not build on the branch: forced updates are not possible')
}

interface Received extends Dependencies {
  readonly landing: Mutex
  readonly epoch: number
  readonly update: PushedUpdate
  readonly quarantine: Quarantine
  readonly log: PushedLog
  readonly line: PushedLine
  readonly closing: AsyncDisposableStack
}

class GitReceivedPush implements ReceivedPush {
  readonly #needs: Received

  constructor(needs: Received) {
    this.#needs = needs
  }

  get isLine(): boolean {
    return this.#needs.line.isLine
  }

  get commits(): readonly PushedCommit[] {
    return this.#needs.line.commits
  }

  has(contentId: string): boolean {
    return this.#needs.quarantine.has(contentId)
  }

  whole(): Promise<PushedCommit> {
    const { log, update } = this.#needs
    return log.whole(update.formerId, update.newId)
  }

  keep(commit: PushedCommit): Promise<Commit> {
    return this.#needs.log.keep(commit)
  }

  async advance(commits: readonly Commit[]): Promise<boolean> {
    const { committer, update, line } = this.#needs
    const last = line.commits.at(-1)?.logged
    if (last === undefined || !line.isLine) throw new Error('The branch cannot be moved on to this')
    const head = { commitId: last.id, rootId: last.treeId, seconds: last.seconds }
    return await this.#land(() => committer.advance({ after: update.formerId, commits, head }))
  }

  async merge(request: Omit<CommitRequest, 'mergedId'>, plan: Plan): Promise<Commit | undefined> {
    const { content, update } = this.#needs
    return await this.#land(() => content.commit({ ...request, mergedId: update.newId }, plan))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#needs.closing.disposeAsync()
  }

  /** Runs what makes the branch lead to the push, with its objects in the repository; else they go again. */
  async #land<T>(task: () => Promise<T>): Promise<T> {
    return await this.#needs.rewriting.share(() => this.#landAlone(task))
  }

  async #landAlone<T>(task: () => Promise<T>): Promise<T> {
    const { landing, packs, quarantine, rewriting, epoch } = this.#needs
    if (rewriting.epoch !== epoch) throw new UnfitPushError(rewrittenText)
    using _turn = await landing.acquire()
    await quarantine.flush()
    const pack = quarantine.pack
    const isOurs = pack !== undefined && (await packs.adopt(pack))
    try {
      const done = await task()
      await this.#remember()
      return done
    } finally {
      if (isOurs && (await this.#isSurelyUnused())) await packs.uninstall(pack)
    }
  }

  /** A write that failed may have moved the branch all the same. */
  async #isSurelyUnused(): Promise<boolean> {
    const { directory, update } = this.#needs
    const args = ['merge-base', '--is-ancestor', update.newId, 'refs/heads/main']
    return (await tryGit(directory, args)).exitCode === 1
  }

  async #remember(): Promise<void> {
    const { line, log, remembered } = this.#needs
    for (const { differences } of line.commits)
      for (const { after } of differences)
        if (after !== undefined && after.outside === undefined)
          remembered.remember(after.contentId, await log.known.ref(after.contentId))
  }
}
