import type { BlobRef, BlobStore } from '../../ports/content/blob-store.ts'
import type { ContentStore } from '../../ports/content/content-store.ts'
import type { StagedBytes } from '../../ports/content/staged-bytes.ts'
import type {
  StagedUploadRecord,
  StagedUploadStore,
  StoredFileCondition,
  UploadGrantTerms,
} from '../../ports/content/staged-upload-store.ts'
import type { UploadPartStore } from '../../ports/content/upload-part-store.ts'
import type { Actor } from '../access/actor.ts'
import type { AssetPath } from '../content/asset-path.ts'
import type { WrittenFile } from '../content/files/put/file-put.ts'
import type { PutRequest } from '../content/files/files.ts'
import type { UploadPlaces } from './upload-place.ts'

/** What is to become of bytes that will arrive piece by piece. */
export interface UploadTerms {
  /** What the upload is to be called, where that is known before; cannot be guessed. */
  readonly id?: string
  readonly path: AssetPath
  /** The preview that it is for; kept with the upload. */
  readonly preview?: string | undefined
  /** `undefined`: it will be said with a later piece. */
  readonly sizeBytes: number | undefined
  /** As `PutRequest.contentType`. */
  readonly contentType?: string | null
  /** Lower-case hex, of the whole. */
  readonly expectedSha256?: string
  /** Asked when the upload is begun, and again of the newest tree when it is finished. */
  readonly condition?: StoredFileCondition
  readonly grant?: UploadGrantTerms
  /** Kept and given back as it is, e.g. tus' `Upload-Metadata`; at most 8 KiB. */
  readonly clientMetadata?: string
  /** Its bytes will arrive in parts: in any order, until somebody says which make the file. */
  readonly isInParts?: true
}

/** Where an upload stands. */
export interface Upload {
  /** Cannot be guessed. */
  readonly id: string
  readonly path: AssetPath
  /** How many bytes are there; no fault takes them back. */
  readonly offset: number
  readonly sizeBytes: number | undefined
  readonly expiresAt: Date
  readonly clientMetadata: string | undefined
  readonly grantId: string | undefined
  /** Once it is finished: what `PUT` would have answered. */
  readonly written: WrittenFile | undefined
}

export const pieceChecksums = ['md5', 'sha1', 'sha256', 'sha512'] as const

/** Of one piece. */
export interface PieceChecksum {
  readonly algorithm: (typeof pieceChecksums)[number]
  readonly digest: Uint8Array
}

export interface UploadPiece {
  readonly offset: number
  /** The chunks of a stream are the upload's own: their memory is given back once they are written. */
  readonly body: ReadableStream<Uint8Array> | Uint8Array
  /** Of the whole upload, where it is only known now. Saying the same again is no fault. */
  readonly sizeBytes?: number
  /**
   * `true`: the upload is whole with this piece, whatever its size is said to be. `false`: it is not to be
   * finished, even where all its bytes are there. Left out: it is finished once all its bytes are there.
   */
  readonly isLast?: boolean
  /** A piece with another one is refused with `ChecksumMismatch` and nothing of it stays. */
  readonly checksum?: PieceChecksum
}

/**
 * Files that arrive in pieces, over many requests. An upload of a zone that the actor does not reach is
 * `UploadNotFound`; one whose time is over is `UploadExpired`. One that was refused at its end is refused in
 * the same words to whoever asks again.
 *
 * One request at a time works on an upload. A newer one takes over: what the older one reads is broken off,
 * what had come of it is kept, and it is refused with `WriteConflict`. This holds for `find` too, so the
 * offset it answers is not passed by a request that was thought dead.
 */
export interface Uploads {
  /** Refuses what `put` of the path would refuse. An upload of no bytes is finished at once. */
  create(terms: UploadTerms, actor: Actor): Promise<Upload>
  /** Where it stands. Finishes an upload whose bytes are all there and that could not be finished before. */
  find(id: string, actor: Actor): Promise<Upload>
  /**
   * Adds what arrives, durably, even where the body breaks off; finishes the upload when it is whole.
   * `OffsetMismatch` (`Offset` in its context) where the piece begins elsewhere, `UploadLengthMismatch`
   * where sizes contradict each other. A piece of a finished upload that adds nothing is answered with it.
   */
  append(id: string, piece: UploadPiece, actor: Actor): Promise<Upload>
  /** Forgets the upload and its bytes. What was finished stays stored. */
  cancel(id: string, actor: Actor): Promise<void>
}

export interface UploadSettings {
  /** How long an upload lives from the last piece on. */
  readonly ttlMs: number
  readonly maxFileBytes: number
  /** How many bytes of unfinished uploads may lie there for one zone. */
  readonly maxStagedBytes: number
  readonly maxOpenPerZone: number
  readonly maxOpenPerNetwork: number
}

/** What a grant adds to an upload. */
export interface WholeUploadTerms extends Pick<PutRequest, 'beside'> {
  /** What the bytes are stored as, where that is not what the client said. */
  readonly contentType: string | undefined
}

/**
 * What a grant allows is looked at when all bytes are there, right before they are stored; throws a
 * `ServiceError` to refuse them.
 */
export type WholeUploadCheck = (
  upload: StagedUploadRecord,
  firstBytes: (count: number) => Promise<Uint8Array>,
) => Promise<WholeUploadTerms | undefined>

export interface UploadDependencies extends UploadPlaces {
  readonly staged: StagedBytes
  readonly store: StagedUploadStore
  readonly partStore: UploadPartStore
  readonly blobs: Pick<BlobStore, 'receive' | 'stat'>
  readonly content: Pick<ContentStore, 'versions'>
  readonly settings: UploadSettings
  readonly checkWhole?: WholeUploadCheck | undefined
  /**
   * Refuses a file that would be live where its zone has no room for it, before bytes arrive that would be
   * refused at their end.
   */
  readonly requireRoom?: ((path: AssetPath, blob: BlobRef) => Promise<void>) | undefined
  readonly now: () => Date
  /** Cannot be guessed. */
  readonly newId: () => string
  /** Calls `run` after `ms`, unless what it answers is called before. */
  readonly after: (ms: number, run: () => void) => () => void
}
