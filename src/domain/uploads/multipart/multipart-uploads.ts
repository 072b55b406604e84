import type { UploadPart } from '../../../ports/content/upload-part-store.ts'
import type { PreviewRecord } from '../../../ports/records/preview.ts'
import type { Actor } from '../../access/actor.ts'
import type { AssetPath } from '../../content/asset-path.ts'
import type { WrittenFile } from '../../content/files/put/file-put.ts'
import type { Precondition, PutRequest } from '../../content/files/files.ts'
import type { UploadTerms } from '../uploads.ts'

/** A preview, told from a former one of its name. */
export type UploadPreview = Pick<PreviewRecord, 'name' | 'createdAt'>

/** An upload, and the file it is for: under another path, and in another preview, there is no such upload. */
export interface MultipartPlace {
  readonly id: string
  readonly path: AssetPath
  /** Left out: the file is of what is live. */
  readonly preview?: UploadPreview
}

export type MultipartTerms = Pick<
  UploadTerms,
  'path' | 'preview' | 'contentType' | 'clientMetadata'
>

/** Where an upload in parts stands. */
export interface MultipartUpload extends MultipartPlace {
  readonly clientMetadata: string | undefined
  readonly createdAt: Date
  readonly credentialId: string
  /** Once it is completed: what `PUT` would have answered, and what its completion said of it. */
  readonly completed: CompletedUpload | undefined
}

export interface CompletedUpload {
  readonly written: WrittenFile
  readonly completedAs: string
}

export interface ArrivingPart {
  /** 1 to 10,000. */
  readonly number: number
  /** As it was said; `undefined` where it was not. */
  readonly sizeBytes: number | undefined
  readonly body: ReadableStream<Uint8Array> | Uint8Array
  /** Asked once the body has ended. */
  readonly digests: () => Pick<UploadPart, 'md5' | 'checksum'>
}

/** What makes the file. */
export interface Completion {
  /** In their order; all of them stored ones. */
  readonly parts: readonly UploadPart[]
  /** Given back to whoever completes it again; at most 1,024 characters. */
  readonly completedAs: string
  readonly precondition?: Precondition
  readonly beside?: PutRequest['beside']
}

/** What is to become of the parts that are there, by their numbers; throws to refuse. */
export type CompletionPlan = (
  stored: readonly UploadPart[],
  upload: MultipartUpload,
) => Completion | Promise<Completion>

/** Which parts of an upload are listed. */
export interface StoredPartPage {
  /** Of higher numbers alone. */
  readonly after: number
  readonly limit: number
}

/** Which open uploads of a zone are listed. */
export interface OpenMultipartPage {
  readonly zone: string
  /** Left out: those for what is live. */
  readonly preview?: UploadPreview
  /** Of paths that begin so. */
  readonly prefix: string
  /** Those behind it alone, by path and then by id. */
  readonly after: { readonly path: string; readonly id: string } | undefined
  readonly limit: number
}

/**
 * Files that arrive in parts: in any order, several at once, each as often as its sender likes, until one
 * request says which of them make the file. What is not there for whoever asks, is over or was completed
 * is `UploadNotFound` or `UploadExpired`.
 */
export interface MultipartUploads {
  /** Refuses what `put` of the path would refuse. */
  create(terms: MultipartTerms, actor: Actor): Promise<MultipartUpload>
  /** One that is open, or was completed not long ago. */
  find(place: MultipartPlace, actor: Actor): Promise<MultipartUpload>
  /**
   * Takes a part in, durably, in place of the one of its number that was there before. Where the body
   * fails, so does this, and what was there before stays.
   */
  putPart(place: MultipartPlace, part: ArrivingPart, actor: Actor): Promise<UploadPart>
  /** Of an open upload, by number. */
  parts(place: MultipartPlace, page: StoredPartPage, actor: Actor): Promise<readonly UploadPart[]>
  /** By path and then by id, in the order of code points. */
  list(page: OpenMultipartPage, actor: Actor): Promise<readonly MultipartUpload[]>
  /**
   * Stores what the plan makes of the parts, as `put` would. One that is completed is answered as it was,
   * without a plan. One that is refused goes on as if nobody had asked.
   */
  complete(place: MultipartPlace, plan: CompletionPlan, actor: Actor): Promise<CompletedUpload>
  /** Forgets the upload and its parts. */
  abort(place: MultipartPlace, actor: Actor): Promise<void>
}
