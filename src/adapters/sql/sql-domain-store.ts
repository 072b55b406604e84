import type { Transaction } from 'kysely'

import type { DomainNotice, DomainRecord, DomainStore } from '../../ports/domain-store.ts'
import type { FeedEntry } from '../../ports/publication-store.ts'
import { Announcements } from './announcements.ts'
import type { Database } from './database.ts'
import type { DomainTable, Schema } from './schema.ts'

/** Custom domains, in a table. */
export class SqlDomainStore implements DomainStore {
  readonly #database: Database
  readonly #announcements: Announcements

  constructor(database: Database) {
    this.#database = database
    this.#announcements = new Announcements(database.queries)
  }

  async add(domain: DomainRecord, notice: DomainNotice): Promise<FeedEntry | undefined> {
    return await this.#change(notice, async (transaction) => {
      const { numInsertedOrUpdatedRows } = await transaction
        .insertInto('domains')
        .values(rowOf(domain))
        .onConflict((conflict) => conflict.column('hostname').doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows
    })
  }

  async update(domain: DomainRecord, notice: DomainNotice): Promise<FeedEntry | undefined> {
    return await this.#change(notice, async (transaction) => {
      const { ssl_status, ssl_error, updated_at } = rowOf(domain)
      const { numUpdatedRows } = await transaction
        .updateTable('domains')
        .set({ ssl_status, ssl_error, updated_at })
        .where('hostname', '=', domain.hostname)
        .where('zone', '=', domain.zone)
        .executeTakeFirstOrThrow()
      return numUpdatedRows
    })
  }

  async remove(
    zone: string,
    hostname: string,
    notice: DomainNotice,
  ): Promise<FeedEntry | undefined> {
    return await this.#change(notice, async (transaction) => {
      const { numDeletedRows } = await transaction
        .deleteFrom('domains')
        .where('hostname', '=', hostname)
        .where('zone', '=', zone)
        .executeTakeFirstOrThrow()
      return numDeletedRows
    })
  }

  async find(hostname: string): Promise<DomainRecord | undefined> {
    const row = await this.#database.queries
      .selectFrom('domains')
      .selectAll()
      .where('hostname', '=', hostname)
      .executeTakeFirst()
    return row && recordOf(row)
  }

  async list(): Promise<readonly DomainRecord[]> {
    const rows = await this.#database.queries
      .selectFrom('domains')
      .selectAll()
      .orderBy('hostname')
      .execute()
    return rows.map(recordOf)
  }

  async #change(
    { feed, audit }: DomainNotice,
    apply: (transaction: Transaction<Schema>) => Promise<bigint | undefined>,
  ): Promise<FeedEntry | undefined> {
    return await this.#database.transaction(async (transaction) => {
      const changedRows = await apply(transaction)
      if (changedRows === undefined || changedRows === 0n) return undefined
      const [entry] = await this.#announcements.announce(transaction, {
        feed: [feed],
        audit: audit ? [audit] : [],
      })
      return entry
    })
  }
}

const rowOf = (domain: DomainRecord): DomainTable => ({
  hostname: domain.hostname,
  zone: domain.zone,
  ssl_status: domain.sslStatus,
  ssl_error: domain.sslError ?? null,
  created_at: domain.createdAt.getTime(),
  updated_at: domain.updatedAt.getTime(),
})

const recordOf = (row: DomainTable): DomainRecord => ({
  hostname: row.hostname,
  zone: row.zone,
  sslStatus: row.ssl_status,
  sslError: row.ssl_error ?? undefined,
  createdAt: new Date(row.created_at),
  updatedAt: new Date(row.updated_at),
})
