import type { BlobRef } from './blob-store.ts'

/** The repository elsewhere that ours is mirrored to. One call at a time; each fails in bounded time. */
export interface RemoteRepository extends AsyncDisposable {
  /** Brings what is new there here and says how its branch stands to our commit. */
  look(ours: string): Promise<RemoteStanding>
  /**
   * Moves its branch on to a commit of ours, and never over what it does not lead to: `moved`, and
   * nothing changed, where others have put something there meanwhile.
   */
  push(commitId: string): Promise<'pushed' | 'moved'>
  /**
   * Where the remote has the history of before something was erased, and nothing of anybody else on top: puts ours
   * in its place. `false` where others have put something there; `true` too where it is not such.
   */
  replaceFormer(ours: string): Promise<boolean>
  /**
   * Why the remote lacks bytes that the commits pushed to it name and do not hold; `undefined` where it
   * has them all.
   */
  readonly lacks: string | undefined
  /**
   * What others did there, oldest first, along first parents: every commit on the way to `ahead.id`
   * that does not lead to `ahead.ours`.
   */
  commits(ahead: RemoteAhead): AsyncIterable<ForeignCommit>
}

export interface RemoteAhead {
  readonly kind: 'ahead'
  readonly id: string
  readonly ours: string
  /** The newest commit that both sides have. */
  readonly commonId: string
  readonly commitCount: number
}

export type RemoteStanding =
  /** Ours leads on from its branch; `undefined` where it has none yet. */
  | { readonly kind: 'behind'; readonly id: string | undefined }
  /** It has commits that ours does not lead to. */
  | RemoteAhead
  /** What was pushed there is not in its branch any more. */
  | { readonly kind: 'rewritten'; readonly id: string }
  /** It has the history of before something was erased. Nothing of it was fetched. */
  | { readonly kind: 'former'; readonly id: string }
  /** It has no commit in common with ours. */
  | { readonly kind: 'unrelated'; readonly id: string }

/** A commit that somebody made at the remote. Its objects are here, whoever takes it up or not. */
export interface ForeignCommit {
  readonly id: string
  readonly author: string
  readonly subject: string
  /** Against its first parent: deletions first. */
  readonly changes: readonly ForeignChange[]
  /** What it has that no file of a tree can be, with the reason. */
  readonly unfit: readonly { readonly path: string; readonly why: string }[]
}

/** Content ids are those of `Tree.find`; `undefined` means that there is no file. */
export interface ForeignChange {
  readonly path: string
  readonly before: string | undefined
  /** In the newest commit that both sides had. */
  readonly common: string | undefined
  readonly after: ForeignContent | undefined
}

export interface ForeignContent {
  readonly contentId: string
  readonly sizeBytes: number
  /** Whether the commit only names the bytes. */
  readonly isOutside?: boolean
  /** The media type that the commit declares for it. */
  readonly contentType: string | undefined
  /**
   * The bytes are in the blob store when it answers; `undefined` where the commit does not hold them, and
   * the remote does not have them.
   */
  keep(): Promise<BlobRef | undefined>
}

/** The remote could not be reached, took too long, or refused. The message says what git said. */
export class RemoteUnavailableError extends Error {
  override readonly name = 'RemoteUnavailableError'
}
