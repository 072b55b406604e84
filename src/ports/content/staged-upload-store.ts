import type { BlobRef } from './blob-store.ts'

/** What must be stored at the path when an upload is finished, as SHA-256s. */
export interface StoredFileCondition {
  /** One of these is stored, or anything at all. */
  readonly is?: 'anything' | readonly string[]
  /** None of these is stored, or nothing at all. */
  readonly isNot?: 'anything' | readonly string[]
}

/** Under which grant an upload was begun, and what that grant allows. */
export interface UploadGrantTerms {
  readonly id: string
  readonly maxBytes?: number
  /** Media types that its bytes may be of; any where it is left out. */
  readonly types?: readonly string[]
  /** Nobody can go on with it once the request that began it is over. */
  readonly isAtOnce?: true
}

/** Stored, by this commit where it made one. */
export interface WrittenUpload extends BlobRef {
  readonly kind: 'written'
  readonly outcome: 'created' | 'updated' | 'unchanged'
  readonly commitId?: string
}

/** What became of an upload. */
export type UploadOutcome =
  | WrittenUpload
  | {
      readonly kind: 'refused'
      readonly code: string
      readonly message: string
      readonly target: string | undefined
      readonly context: Readonly<Record<string, unknown>>
    }

/** An attempt to commit what was uploaded: how its commit is told from others, should nobody have heard. */
export interface UploadCommit extends BlobRef {
  readonly requestId: string
}

/** What is known of an upload besides, where its bytes arrive in parts. */
export interface UploadInParts {
  /** What whoever completes it has said of the whole, to be given back as it is. */
  readonly completedAs?: string
}

/** What is known of an upload, but for its bytes. */
export interface StagedUploadRecord {
  readonly id: string
  readonly zone: string
  /** Which commit made the zone: another zone of its name has none of its uploads. */
  readonly zoneCommitId: string | undefined
  readonly path: string
  /** The preview of the zone that it is for; `undefined`: for what is live. */
  readonly preview: string | undefined
  /** `undefined`: it will be said later. */
  readonly sizeBytes: number | undefined
  /** All bytes may be there and yet more be said: whoever uploads has not called it complete. */
  readonly awaitsCompletion: boolean
  readonly contentType: string | undefined
  readonly expectedSha256: string | undefined
  readonly condition: StoredFileCondition | undefined
  readonly grant: UploadGrantTerms | undefined
  /** What the client said of it, to be given back as it is. */
  readonly clientMetadata: string | undefined
  /** `undefined`: its bytes follow each other. */
  readonly inParts: UploadInParts | undefined
  readonly credentialId: string
  readonly network: string
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly commit: UploadCommit | undefined
  /** `undefined` while it is open. */
  readonly outcome: UploadOutcome | undefined
}

/** What open uploads are counted by. */
export type UploadGroup = Pick<StagedUploadRecord, 'zone'> | Pick<StagedUploadRecord, 'network'>

/** Open uploads of a zone whose bytes arrive in parts. */
export interface OpenUploadPage {
  readonly zone: string
  /** Of paths that begin so. */
  readonly prefix: string
  /** Those behind it alone: of a later path, or of the same with a later id. */
  readonly after: { readonly path: string; readonly id: string } | undefined
  readonly limit: number
}

/** The records of uploads. What is acknowledged survives a power cut. */
export interface StagedUploadStore {
  add(record: StagedUploadRecord): Promise<void>
  find(id: string): Promise<StagedUploadRecord | undefined>
  /** Takes the place of the record of the same id. One that was removed stays removed. */
  replace(record: StagedUploadRecord): Promise<void>
  remove(id: string): Promise<void>
  /** How many have no outcome yet and expire after `now`. */
  countOpen(group: UploadGroup, now: Date): Promise<number>
  /** By path, then by id, both in the order of code points; none that expire by `now`. */
  openInParts(page: OpenUploadPage, now: Date): Promise<readonly StagedUploadRecord[]>
  /** Those that expired before a moment, the oldest first, at most `limit`. */
  expiredBefore(time: Date, limit: number): Promise<readonly StagedUploadRecord[]>
}
