/** What a report is of. */
export interface Report {
  /** So many days, today among them. */
  readonly days: number
  /** Left out: all zones. */
  readonly zone?: string
}
