import type { AuditLog, AuditQuery, PlacedAuditRecord } from '../../../ports/content/audit-log.ts'
import type { AuditRecord } from '../../../ports/records/audit.ts'
import type { MemoryDatabase } from './memory-database.ts'

/** An AuditLog for tests and demos. */
export class MemoryAuditLog implements AuditLog {
  readonly #database: MemoryDatabase

  constructor(database: MemoryDatabase) {
    this.#database = database
  }

  async append(record: AuditRecord): Promise<void> {
    this.#database.announce([], [record])
  }

  async query({ since, action, after, limit }: AuditQuery): Promise<readonly PlacedAuditRecord[]> {
    return this.#database.audit
      .map((record, seq) => ({ ...record, seq }))
      .filter((record) => record.at >= since && (action ?? record.action) === record.action)
      .filter(({ at, seq }) => {
        if (after === undefined) return true
        return +at < after.atMs || (+at === after.atMs && seq < after.seq)
      })
      .toReversed()
      .toSorted((a, b) => b.at.getTime() - a.at.getTime())
      .slice(0, limit)
  }

  async forgetBefore(time: Date): Promise<number> {
    const before = this.#database.audit.length
    this.#database.audit = this.#database.audit.filter(({ at }) => at >= time)
    return before - this.#database.audit.length
  }
}
