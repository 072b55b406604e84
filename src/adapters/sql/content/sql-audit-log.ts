import type { AuditLog, AuditQuery, PlacedAuditRecord } from '../../../ports/content/audit-log.ts'
import type { AuditRecord } from '../../../ports/records/audit.ts'
import { Announcements } from './announcements.ts'
import { auditRecordOf } from './audit-rows.ts'
import type { Database } from '../database.ts'

/** Audit records, in a table. */
export class SqlAuditLog implements AuditLog {
  readonly #database: Database
  readonly #announcements: Announcements

  constructor(database: Database) {
    this.#database = database
    this.#announcements = new Announcements(database.queries)
  }

  async append(record: AuditRecord): Promise<void> {
    await this.#database.transaction((transaction) =>
      this.#announcements.announce(transaction, { feed: [], audit: [record] }),
    )
  }

  async query({ since, action, after, limit }: AuditQuery): Promise<readonly PlacedAuditRecord[]> {
    const rows = await this.#database.queries
      .selectFrom('audit')
      .selectAll()
      .where('at', '>=', since.getTime())
      .$if(action !== undefined, (all) => all.where('action', '=', action ?? ''))
      .$if(after !== undefined, (all) =>
        all.where((row) =>
          row.or([
            row('at', '<', after?.atMs ?? 0),
            row.and([row('at', '=', after?.atMs ?? 0), row('seq', '<', after?.seq ?? 0)]),
          ]),
        ),
      )
      .orderBy('at', 'desc')
      .orderBy('seq', 'desc')
      .limit(limit)
      .execute()
    return rows.map((row) => ({ ...auditRecordOf(row), seq: row.seq }))
  }

  async forgetBefore(time: Date): Promise<number> {
    const { numDeletedRows } = await this.#database.transaction((transaction) =>
      transaction.deleteFrom('audit').where('at', '<', time.getTime()).executeTakeFirstOrThrow(),
    )
    return Number(numDeletedRows)
  }
}
