/** A commit, and what the repository of a zone has in its place. */
export interface ZoneCommit {
  readonly commitId: string
  readonly zoneCommitId: string
}

/** How far the history was followed for the repository of a zone. */
export interface ZoneProgress {
  /** The commit that made the zone; empty where none is known. */
  readonly beginning: string
  /** The last commit that was looked at. */
  readonly readTo: string
  /** The newest commit of the zone's repository; `undefined` while it has none. */
  readonly newest: string | undefined
}

/** Which commits the repositories of zones have, and of what. All of it can be made anew. */
export interface ZoneCommitStore {
  progress(zone: string): Promise<ZoneProgress | undefined>
  /** Adds pairs, and says how far it is now: both or neither. A zone commit that is known stays whose it was. */
  add(zone: string, commits: readonly ZoneCommit[], progress: ZoneProgress): Promise<void>
  /** Those that are commits of the zone's repository. */
  known(zone: string, zoneCommitIds: readonly string[]): Promise<ReadonlySet<string>>
  forget(zone: string): Promise<void>
}
