import type { AuditRecord } from '../records/audit.ts'

/** What somebody without a key may upload. */
export interface UploadGrantRecord {
  readonly id: string
  readonly zone: string
  /** The one file, or a directory with a slash at its end, below which the uploader names the file. */
  readonly path: string
  readonly maxBytes: number | undefined
  /** Media types and ranges of them, e.g. `image/*`; any where `undefined`. */
  readonly types: readonly string[] | undefined
  /** Pages of these origins alone may use it; of any where `undefined`. */
  readonly origins: readonly string[] | undefined
  /** What is to be known of each file that is stored with it. */
  readonly metadata: Readonly<Record<string, unknown>> | undefined
  /** How many files may be stored with it. */
  readonly times: number
  /** Whether a file that is there already may be replaced. */
  readonly overwrites: boolean
  /** The id of the credential that made it. */
  readonly createdBy: string
  /** Tells the operator's key that made it from its successors. */
  readonly grantorMark: string | undefined
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** One upload that makes use of a grant. */
export interface UploadGrantUse {
  readonly uploadId: string
  readonly grantId: string
  /** Whether its file is stored, or may be: it was about to be when this was last heard of. */
  readonly isStored: boolean
}

export interface ListedUploadGrant extends UploadGrantRecord {
  readonly storedCount: number
  /** Uploads that have begun and are not over. */
  readonly openCount: number
}

export interface UploadGrantQuery {
  /** Of these zones; of all where `undefined`. */
  readonly zones: readonly string[] | undefined
  /** Those alone that expire after this. */
  readonly goodAt: Date
  readonly offset: number
  readonly limit: number
}

export type AddedGrant = 'added' | 'no such zone' | 'too many'

/**
 * Upload grants and their uses. Each change of a grant is recorded with its audit record in one
 * transaction, and answered once durable. A zone that is removed takes its grants with it; that is part
 * of the publication that removes it.
 */
export interface UploadGrantStore {
  /**
   * Nothing changes unless it is `added`: the zone exists, and has fewer than `maxPerZone` grants that
   * expire after this one was created.
   */
  add(grant: UploadGrantRecord, maxPerZone: number, audit: AuditRecord): Promise<AddedGrant>
  find(id: string): Promise<UploadGrantRecord | undefined>
  /** The newest first, by id where two are of one moment; and how many there are in all. */
  list(
    query: UploadGrantQuery,
  ): Promise<{ readonly grants: readonly ListedUploadGrant[]; readonly count: number }>
  /** Takes its uses with it. `false`, and nothing changes, where there is no such grant. */
  remove(id: string, audit: AuditRecord): Promise<boolean>
  /**
   * Makes the upload a use of its grant. Of many that ask at once no more than the grant's `times` are
   * granted; `false`, and nothing changes, where it has no use left or is gone. One upload is one use,
   * however often it asks.
   */
  takeUse(grantId: string, uploadId: string): Promise<boolean>
  use(uploadId: string): Promise<UploadGrantUse | undefined>
  /** Said before the file is stored, so that a kill in between never leaves a use to be had again. */
  noteStored(uploadId: string): Promise<void>
  /** Nothing came of the upload, and nothing will: its use is left to another. */
  giveBack(uploadId: string): Promise<void>
  /** Uses whose files are not stored, in no order; those of one grant where its id is given. */
  openUses(grantId?: string): Promise<readonly UploadGrantUse[]>
  /** Forgets grants that expired before, with their uses. Answers how many. */
  forgetExpired(before: Date): Promise<number>
}
