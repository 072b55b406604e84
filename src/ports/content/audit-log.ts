import type { AuditRecord } from '../records/audit.ts'

export interface AuditQuery {
  readonly since: Date
  /** Exactly this action, where given. */
  readonly action?: string
  /** Only what comes after this place, as records come: older. */
  readonly after?: AuditPlace | undefined
  readonly limit: number
}

/** Where a record is, for as long as it is kept. */
export interface AuditPlace {
  readonly atMs: number
  readonly seq: number
}

export interface PlacedAuditRecord extends AuditRecord {
  readonly seq: number
}

/** Who changed what. Records of commits arrive with their publication; the rest through `append`. */
export interface AuditLog {
  /** Answers once the record is durable. */
  append(record: AuditRecord): Promise<void>
  /** Newest first; of one moment, the last written first. `since` itself is included. */
  query(query: AuditQuery): Promise<readonly PlacedAuditRecord[]>
  /** Forgets what is older. Answers how many records that was. */
  forgetBefore(time: Date): Promise<number>
}
