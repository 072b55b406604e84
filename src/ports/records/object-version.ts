/** What a commit made of a path. */
export interface ObjectVersion {
  /** As of an asset; of a directory marker, with a slash at its end. */
  readonly path: string
  readonly commitId: string
  readonly committedAt: Date
  /** `undefined` where the commit took it away. */
  readonly content: ObjectContent | undefined
}

export interface ObjectContent {
  readonly sha256: string
  readonly sizeBytes: number
  readonly contentType: string
  /** Without quotes; left out where it is the MD5 of the bytes. */
  readonly entityTag?: string
}

/** A directory that clients of S3 put by itself, as an object without bytes: no asset, and never delivered. */
export interface DirectoryMarker {
  /** `<zone>/v1/<directory>/`, with its slash. */
  readonly path: string
  readonly zone: string
  readonly commitId: string
  readonly changedAt: Date
}
