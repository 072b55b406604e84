import type { BlobRef } from '../../../../ports/content/blob-store.ts'

/** A large file that did not get to the other side. The others did. */
export interface LeftBehind {
  readonly ref: BlobRef
  readonly why: string
}

/**
 * Where a remote keeps the bytes that git has only pointers to. Rejects with `RemoteUnavailableError` where
 * trying again may help, and with {@link NoLargeFilesError} where it will not.
 */
export interface LargeFileHost {
  /** Brings there what is not there yet. */
  upload(refs: readonly BlobRef[]): Promise<readonly LeftBehind[]>
  /** The bytes as they are there, to be verified; `undefined` where they are not. */
  open(ref: BlobRef): Promise<ReadableStream<Uint8Array> | undefined>
  /** Brings into the blob store what it does not have, to survive a power cut. */
  download(refs: readonly BlobRef[]): Promise<readonly LeftBehind[]>
}

/** The remote takes no large files, or not from us. */
export class NoLargeFilesError extends Error {
  override readonly name = 'NoLargeFilesError'
}
