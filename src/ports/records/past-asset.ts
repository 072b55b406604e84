/** A file that a commit took away, and put nowhere else. */
export interface DeletedAsset {
  /** As of an asset. */
  readonly path: string
  readonly zone: string
  readonly sizeBytes: number
  readonly sha256: string
  readonly contentType: string
  readonly deletedAt: Date
  /** The id of a credential; or the name of whoever committed by other means. */
  readonly deletedBy: string
  /** The commit that took it away. */
  readonly commitId: string
  /** The commit before, which has it. */
  readonly lastCommitId: string
}

/** A file, or a directory with all that was below it, that has another path since then. */
export interface AssetMove {
  /** As of an asset. */
  readonly from: string
  readonly to: string
  readonly movedAt: Date
  readonly commitId: string
}

/** So long it is known what was deleted. */
export const deletionsKnownMs = 30 * 86_400_000
/** Longer than figures of a day are kept. */
export const movesKnownMs = 400 * 86_400_000
