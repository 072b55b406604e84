import type { AssetPath } from '../asset-path.ts'
import type { Precondition } from './files.ts'

/** Gives a file, or a directory with all that is below it, another path, or puts it there as well. */
export interface Relocation {
  readonly kind: 'copy' | 'move'
  readonly from: AssetPath
  readonly to: AssetPath
  /** Whether files that are at the new paths may go. */
  readonly overwrite: boolean
  /** Asked of the file; a directory has no state of its own that could meet one. */
  readonly precondition?: Precondition
  /** What the request calls `from` and `to`, for refusals. */
  readonly fields: { readonly from: string; readonly to: string }
}

/** Takes a file away. */
export interface Removal {
  readonly kind: 'delete'
  readonly from: AssetPath
  /** Whether it is a directory that is meant, and goes with all that is below it. */
  readonly isDirectory: boolean
  readonly precondition?: Precondition
  readonly fields: { readonly from: string }
}

export type FileEdit = Relocation | Removal

/** What came, or would come, of an edit. */
export interface EditedFiles {
  readonly from: AssetPath
  /** Absent of what is deleted. */
  readonly to: AssetPath | undefined
  readonly isDirectory: boolean
  readonly fileCount: number
}

/** So many files are changed at once: whoever writes next waits for them. */
export const maxEditedFiles = 20_000
