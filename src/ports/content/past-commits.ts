/** A commit by itself. */
export interface CommitPoint {
  readonly id: string
  /** Whole seconds. */
  readonly committedAt: Date
}

/** What can be asked of commits by their names and times. What is answered of a commit never changes. */
export interface PastCommits {
  /**
   * The commit whose id is `text`, or begins with it: lower-case hex digits, at least
   * {@link minCommitDigits}. `undefined` where the newest commit does not build on such a one, and of any
   * other text; `ambiguous` where it builds on several.
   */
  commitNamed(text: string): Promise<CommitPoint | 'ambiguous' | undefined>
  /**
   * The newest commit that was made at `moment` or before, of those that lead to the newest one by first
   * parents; `undefined` where none was.
   */
  commitAsOf(moment: Date): Promise<CommitPoint | undefined>
  /** Whether `id` is `formerId` or builds on it. Both are whole; `false` where one of them is not there. */
  buildsOn(id: string, formerId: string): Promise<boolean>
  /** The media type that writers declared for the file that a commit has at `path`; `undefined` where none did. */
  declaredType(commitId: string, path: string): Promise<string | undefined>
  /** The same of many files; those of which none did are left out. */
  declaredTypes(commitId: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>>
  /**
   * The paths for which writers declared one in any commit up to the newest, whatever is there now;
   * `undefined` where they are too many to be known.
   */
  declaredPaths(): Promise<ReadonlySet<string> | undefined>
}

/** Fewer digits are no name of a commit. */
export const minCommitDigits = 7
/** That many are the whole id. */
export const wholeCommitDigits = 40
