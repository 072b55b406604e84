export interface UploadGrantTable {
  readonly id: string
  readonly zone: string
  /** A file, or a directory with a slash at its end. */
  readonly path: string
  readonly max_bytes: number | null
  /** JSON, like `origins` and `metadata`. */
  readonly types: string | null
  readonly origins: string | null
  readonly metadata: string | null
  readonly times: number
  readonly overwrites: number
  readonly created_by: string
  readonly grantor_mark: string | null
  readonly created_at: number
  readonly expires_at: number
}

/** A row from the moment an upload begins; it goes where nothing comes of it. */
export interface UploadGrantUseTable {
  readonly upload_id: string
  readonly grant_id: string
  /** Whether the file is stored. */
  readonly stored: number
}
