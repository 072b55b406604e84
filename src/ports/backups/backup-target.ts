/** Bytes that can be read a piece at a time, as often as need be. */
export interface PieceSource {
  readonly sizeBytes: number
  /** Lower-case hex. */
  readonly sha256: string
  bytes(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>
}

export interface KeptPiece {
  readonly name: string
  readonly sizeBytes: number
  readonly changedAt: Date
}

export interface OpenedPiece {
  readonly sizeBytes: number
  readonly body: AsyncIterable<Uint8Array<ArrayBuffer>>
}

/**
 * Where backups are: files by their names, of letters, digits and `._-/`. Only one process writes at a time.
 * What cannot be done rejects; nothing of it is there under its name then.
 */
export interface BackupTarget {
  /** For people, without secrets: `/mnt/backups`, `s3://bucket/prefix`. */
  readonly place: string
  /** Replaces what is there. Resolves once it would survive a power cut of the target. */
  put(name: string, source: PieceSource): Promise<void>
  /** All its bytes, in order; `undefined` where there is nothing of that name. */
  open(name: string): Promise<OpenedPiece | undefined>
  /** Everything whose name begins so, in no order. */
  list(start: string): AsyncIterable<KeptPiece>
  /** Not an error where there is none. */
  remove(name: string): Promise<void>
  /** Removes what a writer that was killed has left unfinished. */
  clear(): Promise<void>
}
