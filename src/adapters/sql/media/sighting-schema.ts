/** What models saw, by the SHA-256 of the bytes. */
export interface SightingTable {
  readonly sha256: string
  readonly seen_at: number
  /** Null where nothing came of it. */
  readonly safety: string | null
  /** JSON of a `Sighting`; null where nothing came of it. */
  readonly sighting: string | null
}

/** What was suggested and is settled. */
export interface SettledSuggestionTable {
  readonly path: string
  readonly sha256: string
  /** Of `SuggestedMember`, with blanks between. */
  readonly members: string
}
