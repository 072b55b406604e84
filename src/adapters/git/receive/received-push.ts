import { takeTurns } from '../../../lib/async/turns.ts'
import type { Mutex } from '../../../lib/async/mutex.ts'
import type { BlobStore } from '../../../ports/content/blob-store.ts'
import type {
  Commit,
  CommitRequest,
  ContentStore,
  Plan,
} from '../../../ports/content/content-store.ts'
import {
  type PushedCommit,
  type PushedUpdate,
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
import type { PackLimits } from './incoming-pack.ts'
import type { LogLimits, PushedLine, PushedLog } from './pushed-log.ts'
import type { ExaminationLimits, Quarantine } from './quarantine.ts'

/** A push of thousands lets requests be answered meanwhile. */
const contentsPerTurn = 1_000

export interface PushLimits extends PackLimits, ExaminationLimits, LogLimits {}

export interface ReceiverNeeds {
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

interface Received extends ReceiverNeeds {
  /** What makes packs part of the repository, and takes them away again where nothing came of it. */
  readonly landing: Mutex
  /** When the commits were looked at: later they may have other ids. */
  readonly epoch: number
  readonly update: PushedUpdate
  readonly quarantine: Quarantine
  readonly log: PushedLog
  readonly line: PushedLine
  readonly closing: AsyncDisposableStack
}

/** A push to the whole repository, or one that is to be merged into it. */
export class GitReceivedPush implements ReceivedPush {
  readonly #needs: Received

  constructor(needs: Received) {
    this.#needs = needs
  }

  get isLine(): boolean {
    return this.#needs.line.isLine
  }

  get namesFault(): string | undefined {
    return this.#needs.quarantine.namesFault
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
    const turns = takeTurns(contentsPerTurn)
    for (const { differences } of line.commits)
      for (const { after } of differences) {
        await turns.after(1)
        if (after !== undefined && after.outside === undefined)
          remembered.remember(after.contentId, await log.known.ref(after.contentId))
      }
  }
}

const erasedText =
  'it has what was erased for good: clone anew, and put your commits on top of what is there now'
const rewrittenText =
  'commits have other ids since something was erased meanwhile: fetch, and put yours on top again'

/** Nobody brings back what was erased. */
export function refuseErased(
  quarantine: Pick<Quarantine, 'has'>,
  erased: Pick<ErasedContents, 'ids'>,
): void {
  for (const id of erased.ids()) if (quarantine.has(id)) throw new UnfitPushError(erasedText)
}
