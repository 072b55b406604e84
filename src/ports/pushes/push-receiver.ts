import type { Commit, CommitRequest, Plan, Tree } from '../content/content-store.ts'

/** What somebody wants a branch to be: the commit it was when they looked, and their own. */
export interface PushedUpdate {
  /** `undefined` where there was no branch. */
  readonly formerId: string | undefined
  readonly newId: string
}

/** Bytes that came with a push, on disk and looked at by nobody yet. Disposing it forgets them. */
export interface IncomingPack extends AsyncDisposable {
  readonly sizeBytes: number
}

export interface Examination {
  readonly pack: IncomingPack
  readonly update: PushedUpdate
  /** Ends the work at once. */
  readonly signal: AbortSignal
}

/** Takes in what is pushed to the repository, apart from it until it is found to be fit. */
export interface PushReceiver {
  /** The newest commit, as those are told who push. */
  head(): Promise<string | undefined>
  /**
   * Stores a pack as it comes. {@link PackTooLargeError} where it has more bytes than any push may have, and
   * {@link UnfitPackError} where no pack begins like this.
   */
  store(pack: AsyncIterable<Uint8Array>): Promise<IncomingPack>
  /**
   * Looks at every object and at whether all is there that the new commit leads to. Fails with
   * {@link UnfitPackError} where the pack is none that git would take, and with {@link UnfitPushError} where it
   * is whole and leads nowhere.
   */
  examine(examination: Examination): Promise<ReceivedPush>
}

/** A push whose objects are whole. Disposing it forgets all of them that did not become part of the repository. */
export interface ReceivedPush extends AsyncDisposable {
  /**
   * Whether each new commit is on the line of first parents that the branch goes on from. Where not, as
   * after a merge that has its sides swapped, the branch cannot simply be moved on.
   */
  readonly isLine: boolean
  /**
   * What git finds wrong with names in trees that came, for whoever pushes, where no path may say it: in commits that
   * are merged, or in directories without files.
   */
  readonly namesFault: string | undefined
  /** What is new, oldest first: each commit against its first parent, or where there is no line all as one. */
  readonly commits: readonly PushedCommit[]
  /** Everything between what the branch was and what it is to be, as one. */
  whole(): Promise<PushedCommit>
  /** What of the contents is in the pack itself, so that nobody has to ask whose it is. */
  has(contentId: string): boolean
  /** Brings the bytes of a commit into the blob store. Its paths have been found to be fit. */
  keep(commit: PushedCommit): Promise<Commit>
  /**
   * Moves the branch on to the commits as they are, all at once, and answers once they are durable and
   * published; `false`, and nothing has changed, where it is not any more where they begin.
   */
  advance(commits: readonly Commit[]): Promise<boolean>
  /** Commits a plan that merges them, as {@link ContentStore.commit}. */
  merge(request: Omit<CommitRequest, 'mergedId'>, plan: Plan): Promise<Commit | undefined>
}

/** A commit that somebody made elsewhere, as far as it is to be judged. */
export interface PushedCommit {
  readonly id: string
  readonly subject: string
  readonly author: string
  readonly committedAt: Date
  /** The files before and after. */
  readonly before: Tree
  readonly after: Tree
  readonly differences: readonly PushedDifference[]
  /** What it has that no file of a tree can be, with the reason. */
  readonly unfit: readonly { readonly path: string; readonly why: string }[]
  /** Paths that its message says something of, whether it changes them or not. */
  readonly namedPaths: readonly string[]
}

/** A path that differs; where something is gone, `after` is `undefined`. */
export interface PushedDifference {
  readonly path: string
  readonly before: string | undefined
  readonly after: PushedContent | undefined
}

export interface PushedContent {
  readonly contentId: string
  readonly sizeBytes: number
  /** Where the commit only names bytes that are kept beside it. */
  readonly outside?: { readonly sha256: string; readonly isKept: boolean }
  read(): Promise<Uint8Array>
}

/** The bytes are no pack that can be taken. The message is for whoever pushes, in one line. */
export class UnfitPackError extends Error {
  override readonly name = 'UnfitPackError'
}

/** Its message is for whoever pushes, too. */
export class PackTooLargeError extends UnfitPackError {}

/** The objects are all right, and do not make what was asked for possible. The message is for whoever pushes. */
export class UnfitPushError extends Error {
  override readonly name = 'UnfitPushError'
}
