import type { ZoneBounds, ZoneQuotaStore } from '../../../ports/access/zone-quota-store.ts'
import type { AuditRecord } from '../../../ports/records/audit.ts'
import { Announcements } from '../content/announcements.ts'
import { zonesExist } from '../content/zone-rows.ts'
import type { Database } from '../database.ts'

/** Bounds of single zones, one row a zone. */
export class SqlZoneQuotaStore implements ZoneQuotaStore {
  readonly #database: Database
  readonly #announcements: Announcements

  constructor(database: Database) {
    this.#database = database
    this.#announcements = new Announcements(database.queries)
  }

  async list(): Promise<readonly ZoneBounds[]> {
    const rows = await this.#database.queries
      .selectFrom('zone_quotas')
      .selectAll()
      .orderBy('zone')
      .execute()
    return rows.map(({ zone, limits, when_used_up: whenUsedUp }) => ({
      zone,
      limits: JSON.parse(limits) as ZoneBounds['limits'],
      whenUsedUp,
    }))
  }

  async save({ zone, limits, whenUsedUp }: ZoneBounds, audit: AuditRecord): Promise<boolean> {
    const row = { limits: JSON.stringify(limits), when_used_up: whenUsedUp }
    return await this.#database.transaction(async (transaction) => {
      await this.#announcements.lock(transaction)
      if (!(await zonesExist(transaction, [zone]))) return false
      await transaction
        .insertInto('zone_quotas')
        .values({ zone, ...row })
        .onConflict((conflict) => conflict.column('zone').doUpdateSet(row))
        .execute()
      await this.#announcements.announce(transaction, { feed: [], audit: [audit] })
      return true
    })
  }
}
