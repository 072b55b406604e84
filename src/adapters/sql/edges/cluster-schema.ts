/** `packs` is a JSON list of the SHA-256 and size of each. */
export interface RepositoryPacksTable {
  readonly place: number
  readonly after_commit: string | null
  readonly commit_id: string
  readonly packs: string
}

/** One row; `ends_at` by the database's clock. */
export interface WriterLeaseTable {
  readonly id: number
  readonly epoch: number
  readonly address: string
  readonly ends_at: number
}
