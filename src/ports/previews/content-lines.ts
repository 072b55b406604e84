import type { Commit, CommitRequest, ContentStore, Plan, Tree } from '../content/content-store.ts'

/** Commits that follow each other beside main, in the same repository. Reading one reads its newest commit. */
export interface ContentLine extends Tree {
  /** The newest commit's id. */
  head(): Promise<string>
  /** As {@link ContentStore.commit}: in turn with the others of this line, durable, and told. */
  commit(request: CommitRequest, plan: Plan): Promise<Commit | undefined>
}

export interface LineHead {
  readonly name: string
  readonly commitId: string
}

/** As `CommitListener`, of a line. Where it rejects, so does the writer. */
export type LineListener = (name: string, commits: readonly Commit[]) => Promise<void>

/**
 * Lines of commits beside main. While a line is there its commits can be asked for by their names as those
 * of main can, and afterwards those alone that main has merged. A name is made of segments of lower-case
 * letters, digits and hyphens, with slashes between. What needs a line that is not there rejects with
 * {@link NoSuchLineError}.
 */
export interface ContentLines {
  /** Begins a line at a commit of this store; `false`, and nothing changes, where it is there. */
  create(name: string, commitId: string): Promise<boolean>
  /** Has it begin or stand at a commit of this store, wherever it was. Nobody is told. */
  reset(name: string, commitId: string): Promise<void>
  /** Forgets it once what is under way is done. Nothing happens where it is not there. */
  remove(name: string): Promise<void>
  /** Those whose names begin with `prefix`, in no order. */
  list(prefix: string): Promise<readonly LineHead[]>
  /** Holds nothing open: what it needs is opened when it is asked, and closed when others need the room. */
  at(name: string): ContentLine
  /** Takes the listener; there is one for all. It must not wait for a commit of the same line. */
  follow(listener: LineListener): void
}

/** A store that has them. What main tells and lists, its history and its position, knows nothing of lines. */
export interface LinedContentStore extends ContentStore {
  readonly lines: ContentLines
}

/** It was never there, or is not any more. */
export class NoSuchLineError extends Error {
  override readonly name = 'NoSuchLineError'

  constructor(line: string) {
    super(`The repository has no line ${JSON.stringify(line)}`)
  }
}
