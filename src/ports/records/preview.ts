/** A branch of a zone: what would be live, and where it can be looked at before. */
export interface PreviewRecord {
  readonly zone: string
  /** As `domain/previews/preview-name` has it; one of the zone's has it at a time. */
  readonly name: string
  /** The commit of main that it was made at, or that it has taken up since. */
  readonly baseCommitId: string
  /** What it shows. It is {@link baseCommitId} while nothing was written to it. */
  readonly headCommitId: string
  /** Tells it from a former one of its name. */
  readonly createdAt: Date
  readonly changedAt: Date
  /** From then on it is gone, although its row may stay for a while: whoever shows it looks. */
  readonly expiresAt: Date
  /** Whether somebody said when it expires; else each change puts that off. */
  readonly hasOwnExpiry: boolean
  /** Whether it is shown only to whoever has a signed URL. */
  readonly isSigned: boolean
  /** The id of a credential. */
  readonly createdBy: string
}

/** What names a preview at a time. */
export type PreviewKey = Pick<PreviewRecord, 'zone' | 'name'>

export const isSamePreview = (one: PreviewRecord, other: PreviewRecord): boolean =>
  one.zone === other.zone &&
  one.name === other.name &&
  one.baseCommitId === other.baseCommitId &&
  one.headCommitId === other.headCommitId &&
  one.createdAt.getTime() === other.createdAt.getTime() &&
  one.changedAt.getTime() === other.changedAt.getTime() &&
  one.expiresAt.getTime() === other.expiresAt.getTime() &&
  one.hasOwnExpiry === other.hasOwnExpiry &&
  one.isSigned === other.isSigned &&
  one.createdBy === other.createdBy
