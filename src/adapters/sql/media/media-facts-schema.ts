export interface MediaFactsTable {
  readonly sha256: string
  /** JSON, like the three below. */
  readonly header: string
  readonly analysis: string | null
  readonly summary: string | null
  /** Where an older version kept it. */
  readonly focal_point: string | null
  /** Whether assets with these bytes were given it. */
  readonly focal_point_carried: number
  readonly text: string | null
}
