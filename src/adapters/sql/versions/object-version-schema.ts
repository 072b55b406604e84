export interface VersionTables {
  readonly object_versions: ObjectVersionTable
  readonly released_blobs: ReleasedBlobTable
  readonly directory_markers: DirectoryMarkerTable
  readonly earlier_commits: EarlierCommitsTable
}

export interface ObjectVersionTable {
  readonly path: string
  /** Of a path the newer one has the smaller; published ones are below 0, those that are told later above. */
  readonly age_rank: number
  readonly commit_id: string
  readonly committed_at: number
  /** `null` of a deletion, as the other members of content. */
  readonly sha256: string | null
  readonly size_bytes: number
  readonly content_type: string | null
  /** `null` where it is the MD5 of the bytes. */
  readonly entity_tag: string | null
}

/** Bytes of versions that were removed; whether something else has them is found out later. */
interface ReleasedBlobTable {
  readonly sha256: string
  readonly size_bytes: number
  readonly zone: string
}

export interface DirectoryMarkerTable {
  readonly path: string
  readonly zone: string
  readonly commit_id: string
  readonly changed_at: number
}

/** One row, or none where every commit is told of. */
interface EarlierCommitsTable {
  readonly until_commit: string
  readonly done_commit: string | null
  readonly next_rank: number
}
