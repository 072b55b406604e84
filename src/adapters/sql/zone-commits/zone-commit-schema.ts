export interface ZoneRepositoryTable {
  readonly zone: string
  readonly beginning: string
  readonly read_to: string
  readonly newest: string | null
}

export interface ZoneCommitTable {
  readonly zone: string
  readonly zone_commit_id: string
  readonly commit_id: string
}
