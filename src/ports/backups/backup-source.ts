import type { PieceSource } from './backup-target.ts'

/** The rows of one table, in pieces. */
export interface ExportedTable {
  readonly name: string
  readonly columns: readonly string[]
  readonly rowCount: number
  /** The SHA-256 of each piece, in order. */
  readonly pieces: readonly string[]
}

export interface ExportedRows {
  /** The step that brought the tables to their form. */
  readonly migration: string
  /** What was published last; `undefined` where nothing ever was. */
  readonly commitId: string | undefined
  readonly feedSeq: number
  readonly tables: readonly ExportedTable[]
}

/** A file of what is backed up, by where it belongs below the data directory. */
export interface SourceFile {
  readonly path: string
  readonly sizeBytes: number
  /** Whether a file of this name and size never has other bytes. */
  readonly isImmutable: boolean
  /** Where it is now. */
  readonly location: string
}

export interface RepositoryState {
  /** References, settings and notes, by their paths below the data directory. */
  readonly small: ReadonlyMap<string, Uint8Array<ArrayBuffer>>
  /** Objects: all that the references lead to is in them. */
  readonly files: readonly SourceFile[]
}

/** A blob that the repository has a pointer to alone. */
export interface LargeBlob {
  readonly sha256: string
  readonly sizeBytes: number
}

/** Everything that cannot be made again, while whoever writes it goes on. */
export interface BackupSource {
  /** The references of what can be removed, as they are now. */
  references(): Promise<ReadonlyMap<string, Uint8Array<ArrayBuffer>>>
  /** Every row as of one moment, each piece handed over as it is made. */
  exportRows(keep: (bytes: Uint8Array<ArrayBuffer>) => Promise<string>): Promise<ExportedRows>
  /** The repository as it is now, and references that were there `before`; files may be joined to others later. */
  repository(before: ReadonlyMap<string, Uint8Array<ArrayBuffer>>): Promise<RepositoryState>
  largeBlobs(): AsyncIterable<LargeBlob>
  /** `undefined` where the blob is lost. */
  openBlob(blob: LargeBlob): Promise<PieceSource | undefined>
  /** Keys and certificates; empty where they are not to be backed up. */
  secretFiles(): Promise<ReadonlyMap<string, Uint8Array<ArrayBuffer>>>
  /** Throws with the code `ENOENT` where it is gone. */
  openFile(file: SourceFile): Promise<PieceSource>
}
