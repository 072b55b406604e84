import type { AuditRecord } from '../records/audit.ts'

export interface AuditQuery {
  readonly since: Date
  /** Exactly this action, where given. */
  readonly action?: string
  readonly limit: number
}

/** Who changed what. Records of commits arrive with their publication; the rest through `append`. */
export interface AuditLog {
  /** Answers once the record is durable. */
  append(record: AuditRecord): Promise<void>
  /** Newest first; of one moment, the last written first. `since` itself is included. */
  query(query: AuditQuery): Promise<readonly AuditRecord[]>
  /** Forgets what is older. Answers how many records that was. */
  forgetBefore(time: Date): Promise<number>
}
