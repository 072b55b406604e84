import type { BlobRef } from './blob-store.ts'
import type { PastCommits } from './past-commits.ts'

/** Bytes that a store may have lost, wherever else they are. */
export interface Recoverable {
  /**
   * The bytes as somebody else has them than the blob store, to be put back there; `undefined` where
   * nobody does. Whether they are the right ones is to be seen.
   */
  original(): Promise<Uint8Array | ReadableStream<Uint8Array> | undefined>
}

/** A blob that commits name and whose bytes they do not hold. */
export type OutsideBlob = BlobRef & Recoverable
import type { AuditRecord } from '../records/audit.ts'

/** A file of the tree. `path` is `/`-separated and starts at the root, with no slash. */
export interface TreeFile extends Recoverable {
  readonly kind: 'file'
  /** Names the bytes, not the path: equal ids mean equal content. */
  readonly contentId: string
  /** SHA-256 and size of the bytes; may have to read them. */
  blob(): Promise<BlobRef>
  /** As `blob`, and the bytes are in the blob store when it answers. */
  keep(): Promise<BlobRef>
}

export interface TreeDirectory {
  readonly kind: 'directory'
}

export interface TreeChild {
  readonly name: string
  readonly kind: 'file' | 'directory'
}

/** A file below a directory, by its whole path. */
export interface PathContent {
  readonly path: string
  readonly contentId: string
}

/** A file that is another, or there in one of two trees alone, by its content ids. */
export interface TreeDifference {
  readonly path: string
  readonly before?: string
  readonly after?: string
}

/** The files as of one moment. Directories exist only by what is in them. */
export interface Tree {
  /** What is at `path`, or `undefined`. `''` is the root directory. */
  find(path: string): Promise<TreeFile | TreeDirectory | undefined>
  /** What is directly in `directory`, by name in byte order. A missing directory is empty. */
  children(directory: string): Promise<readonly TreeChild[]>
  /** Every file below `directory`, however deep, in no order. Reads no file. */
  filesBelow(directory: string): Promise<readonly PathContent[]>
  /**
   * `path` in the tree's own spelling, compared without letter case and Unicode form, segment by
   * segment; from the first segment the tree does not hold, as given.
   */
  spelling(path: string): Promise<string>
  /**
   * The bytes at `path`, or `undefined` where there is no such file. Rejects where they are more than
   * anything has that is read whole.
   */
  read(path: string): Promise<Uint8Array | undefined>
}

/** A put on a directory, or below a file, fails the whole plan: its writer has not looked. */
export interface Put {
  readonly kind: 'put'
  readonly path: string
  /** The bytes, already kept in the blob store where `bytes` does not have them. */
  readonly blob: BlobRef
  /**
   * The bytes themselves, where they are few and asked for by path alone. The blob store need not have
   * them, and may never: {@link TreeFile.keep} brings them there.
   */
  readonly bytes?: Uint8Array
  /** The media type a writer declared, where the file name alone would not say it. */
  readonly contentType?: string
  /** Where the bytes have a content id already, so that none of them is read or written. */
  readonly content?: KnownContent
}

export interface KnownContent {
  readonly id: string
  /**
   * `stored`: a tree of this store gave the id. `fetched`: a commit that is merged, now or soon, has the
   * bytes, and what is handed on to others has to be packed with them.
   */
  readonly from: 'stored' | 'fetched'
}

/** Takes a file away, or a directory with everything below it. Where nothing is there, nothing happens. */
export interface Delete {
  readonly kind: 'delete'
  readonly path: string
}

export type Change = Put | Delete

/** A file, or a directory with all that is below it, that a commit gives another path. */
export interface Move {
  readonly from: string
  readonly to: string
}

/** Who asks for a commit and why. */
export interface CommitRequest {
  /** One line. */
  readonly subject: string
  /** The id of a credential, never a secret; or the name of whoever committed by other means. */
  readonly author: string
  readonly requestId?: string
  /**
   * A commit of this repository that was made elsewhere and that this one takes up: its second parent.
   * Such a commit is made even where nothing has to change.
   */
  readonly mergedId?: string
  /** The zone of whose own repository that commit is: its root is the directory of the zone. */
  readonly mergedZone?: string
  /**
   * Of a line beside main alone: the plan is given the files of `mergedId`, and what it wants is changed of
   * those. That commit is then the parent, and the newest of the line the second one.
   */
  readonly isOntoMerged?: boolean
  /** What of its changes are moves. The commit keeps it, so a commit that is read again later has it too. */
  readonly moves?: readonly Move[]
  /**
   * What whoever publishes the commit records of it. It comes with the commit to those who follow, and
   * is no part of what is committed: a commit that is read again later has none.
   */
  readonly audit?: AuditRecord
}

export interface Commit {
  readonly id: string
  /** The very object given to `commit`; of a commit made by other means, what the commit itself says. */
  readonly request: CommitRequest
  readonly parentId: string | undefined
  /** Whole seconds: that is all a commit keeps. */
  readonly committedAt: Date
  readonly changes: readonly Change[]
}

/** A commit that changed a file, and the file as it left it. */
export interface Version extends Omit<Commit, 'changes'> {
  /** `undefined` where the commit took it away. */
  readonly file: VersionedFile | undefined
}

/** Which commits of a history are asked for. */
export interface HistorySpan {
  readonly limit: number
  /** Nothing from before this commit. */
  readonly since?: string | undefined
  /** Nothing from after this commit. */
  readonly until?: string | undefined
}

export interface VersionedFile extends TreeFile {
  /** The media type that the commit declared for it. */
  readonly contentType: string | undefined
  /** The bytes, as a stream where they are many. */
  open(): Promise<Uint8Array | ReadableStream<Uint8Array>>
}

/**
 * What a commit is to change, applied in order. Everything listed is committed, even a put of bytes
 * that are there already; `undefined` (or an empty list) means that nothing has to change and is
 * answered without a commit, unless another one is merged.
 */
export type Plan = (tree: Tree) => Promise<readonly Change[] | undefined>

/**
 * Is told of every commit in order, those made by other means too, each exactly once while it
 * lasts. A writer is answered only after this resolves; where it rejects, so does the writer. It must
 * not wait for a commit of its own, which would wait for it.
 */
export type CommitListener = (commits: readonly Commit[]) => Promise<void>

/** The version-controlled tree that every write lands in. Reading it reads the newest commit. */
export interface ContentStore extends Tree, PastCommits, AsyncDisposable {
  /** The newest commit's id, or `undefined` in an empty repository. */
  head(): Promise<string | undefined>
  /** Rejects where what is kept cannot be read, or nothing can be added. Looks anew, not at what is known. */
  probe(): Promise<void>
  /**
   * Commits what `plan` returns, whole or not at all, and answers once it is durable and the
   * listener has seen it; `undefined` where the plan wanted no change.
   *
   * `plan` sees the newest tree, and no other commit comes between: what it found there still holds
   * when its changes land. It may run more than once, and where it throws nothing is committed. What
   * the tree cannot take is refused with `UnfittingChangeError`, which names the path.
   */
  commit(request: CommitRequest, plan: Plan): Promise<Commit | undefined>
  /**
   * Every commit after `after` (or from the first), oldest first, with its blobs kept. Fails where the
   * repository has no commit `after`. A put whose bytes were there already is told again only where
   * it declared a media type; a directory's deletion may be told file by file.
   */
  commitsAfter(after: string | undefined): AsyncIterable<Commit>
  /**
   * The newest commits that changed what is at or below `path` (`''` for all), newest first, at most
   * `limit`; without their changes.
   */
  history(
    path: string,
    limit: number,
    span?: Omit<HistorySpan, 'limit'>,
  ): Promise<readonly Omit<Commit, 'changes'>[]>
  /** The history of one file, newest first, with what each commit made of it; may have to read its bytes. */
  versions(path: string, span: HistorySpan): Promise<readonly Version[]>
  /**
   * The files below `directory` that a commit has otherwise than `tree`, which is one of this store, in
   * no order; `before` is as of `tree`. Reads no file, and goes through no directory that is the same.
   * Rejects where the newest commit does not build on such a one.
   */
  differing(tree: Tree, commitId: string, directory: string): Promise<readonly TreeDifference[]>
  /** The files as a commit left them, or `undefined` where the newest commit does not build on such a one. */
  at(commitId: string): Promise<Tree | undefined>
  /**
   * Every blob that some commit names without holding its bytes, each once, in no order: the blob store
   * has to keep it as long as the repository. Looks at all that is there.
   */
  outsideBlobs(): AsyncIterable<OutsideBlob>
  /** Takes the listener; there is one. From then on commits are told to it. */
  follow(listener: CommitListener): void
}

/** A change that the tree as it is cannot take. Its plan has not looked; the others of it may fit. */
export class UnfittingChangeError extends Error {
  override readonly name = 'UnfittingChangeError'
  readonly path: string
  readonly why: string

  constructor({ path }: Pick<Change, 'path'>, why: string) {
    super(`"${path}" cannot be put: ${why}`)
    this.path = path
    this.why = why
  }
}
