/** A file to be stored, and where. */
export interface Upload {
  readonly path: string
  readonly file: Blob
  /** Lower-case hex; `undefined` where the browser cannot tell. */
  readonly sha256: string | undefined
  /** Whether it may take the place of another. */
  readonly replaces: boolean
}

export interface Sending {
  readonly onProgress: (sentBytes: number) => void
  /** Ends it. */
  readonly signal: AbortSignal
}

/** What uploading needs of the browser and the service. */
export interface UploadWorld {
  hash(file: Blob): Promise<string | undefined>
  /** SHA-256 of the files of a directory, by path. */
  list(directory: string): Promise<ReadonlyMap<string, string>>
  /** Why it would be refused, where that is known before it is sent. */
  faultOf(file: Blob): string | undefined
  /** Throws `UploadRefused`, `ConnectionLost` or `UploadCancelled`. */
  put(upload: Upload, sending: Sending): Promise<void>
  /** All of them in one commit, or none. */
  putAll(uploads: readonly Upload[], sending: Sending): Promise<void>
  /** Resolves when the service can be reached again. */
  reconnect(): Promise<void>
}

/** The service said no, and would again. */
export class UploadRefused extends Error {
  override readonly name = 'UploadRefused'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** No response came; the same can be sent again. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

/** Somebody would rather not. */
export class UploadCancelled extends Error {
  override readonly name = 'UploadCancelled'
}

export const directoryOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)

export const textOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
