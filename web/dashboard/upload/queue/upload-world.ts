/** A file to be stored, and where. */
export interface Upload {
  readonly path: string
  readonly file: Blob
  /** Lower-case hex; `undefined` where the browser cannot tell. */
  readonly sha256: string | undefined
  /** Whether it may take the place of another. */
  readonly replaces: boolean
  /** By which the service knows what was begun with it, where it goes in pieces. */
  readonly uploadId: string | undefined
  /** By which the browser finds the file again after a reload. */
  readonly handle: FileSystemFileHandle | undefined
  /** The preview of the zone that it is for; for what is live where left out. */
  readonly preview?: string | undefined
}

export interface Sending {
  readonly onProgress: (sentBytes: number) => void
  /** The service keeps what arrives from now on, under this id. */
  readonly onBegun: (uploadId: string) => void
  /** Ends it. */
  readonly signal: AbortSignal
}

/** What uploading needs of the browser and the service. */
export interface UploadWorld {
  hash(file: Blob): Promise<string | undefined>
  /** SHA-256 of the files of a directory, by path. */
  list(directory: string): Promise<ReadonlyMap<string, string>>
  /** Why it would be refused, where that is known before it is sent. */
  faultOf(file: Blob): Promise<string | undefined>
  /** Throws `UploadRefused`, `ConnectionLost`, `UploadHeld` or `UploadCancelled`. */
  put(upload: Upload, sending: Sending): Promise<void>
  /** Those that are at fault are answered, by path; all others are stored. */
  putAll(uploads: readonly Upload[], sending: Sending): Promise<ReadonlySet<string>>
  /** Resolves when the service can be reached again. */
  reconnect(): Promise<void>
  /** Gives up what was begun, at the service too; never throws. */
  drop(uploadId: string): Promise<void>
  /** Milliseconds that only grow. */
  now(): number
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

/** It cannot go on until somebody does something, which `message` says. */
export class UploadHeld extends Error {
  override readonly name = 'UploadHeld'
}

/** Somebody would rather not. */
export class UploadCancelled extends Error {
  override readonly name = 'UploadCancelled'
}

export const directoryOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)

export const textOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
