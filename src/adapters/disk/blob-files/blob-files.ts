import { translateFault } from '../file-system.ts'

/** Bytes that are to be a file. */
export interface NewBlobFile {
  readonly path: string
  readonly bytes: Uint8Array
  /** The file's time. */
  readonly keptAt: Date
}

/** What became of one. */
export type BlobFileOutcome =
  /** The outermost directory that had to be made, if any. */
  { readonly firstMade: string | undefined } | { readonly fault: unknown }

/**
 * Makes files of the bytes of many blobs. Equal bytes that are there already are not written again. The files are to
 * be flushed later; where one fails nothing is left of it.
 */
export interface BlobFiles extends AsyncDisposable {
  /** Give no more at once. */
  readonly atOnce: number
  /** In the order given. Rejects only where nothing can be written any more. */
  write(files: readonly NewBlobFile[]): Promise<readonly BlobFileOutcome[]>
  /** Flushes bytes, then names. What is not there is passed over. Rejects where a flush fails. */
  flush(places: PlacesToFlush): Promise<void>
}

export interface PlacesToFlush {
  readonly files: readonly string[]
  readonly directories: readonly string[]
}

/** A flush failed: what is on disk cannot be trusted any more. */
export class FlushFault extends Error {
  override readonly name = 'FlushFault'
}

/** What a thread can tell another of a fault of the operating system. */
export interface SentFault {
  readonly message: string
  readonly code: string | undefined
  readonly syscall: string | undefined
}

export const sentFault = (fault: unknown): SentFault => {
  const { code, syscall } = fault as Partial<SentFault>
  return { message: String(fault), code, syscall }
}

export const faultOf = ({ message, ...rest }: SentFault): unknown =>
  translateFault(Object.assign(new Error(message), rest.syscall === undefined ? {} : rest))
