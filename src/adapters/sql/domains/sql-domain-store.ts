import type { Transaction } from 'kysely'

import type { DomainNotice, DomainStore } from '../../../ports/domains/domain-store.ts'
import type { DomainRecord, SslChange } from '../../../ports/records/domain.ts'
import type { FeedEntry } from '../../../ports/records/feed.ts'
import { Announcements } from '../content/announcements.ts'
import type { Database } from '../database.ts'
import type { DomainTable, Schema } from '../schema.ts'

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
      const { hostname: _hostname, zone: _zone, created_at: _created, ...rest } = rowOf(domain)
      const { numUpdatedRows } = await transaction
        .updateTable('domains')
        .set(rest)
        .where('hostname', '=', domain.hostname)
        .where('zone', '=', domain.zone)
        .executeTakeFirstOrThrow()
      return numUpdatedRows
    })
  }

  async reschedule(domain: DomainRecord): Promise<void> {
    const { next_check_at, failures } = rowOf(domain)
    await this.#database.transaction(async (transaction) => {
      await transaction
        .updateTable('domains')
        .set({ next_check_at, failures })
        .where('hostname', '=', domain.hostname)
        .where('zone', '=', domain.zone)
        .execute()
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
  redirects_to_https: domain.redirectsToHttps ? 1 : 0,
  certificate_expires_at: domain.certificateExpiresAt?.getTime() ?? null,
  next_check_at: domain.nextCheckAt.getTime(),
  failures: domain.failures,
  proven: domain.isProven ? 1 : 0,
  history: JSON.stringify(domain.history.map((change) => ({ ...change, at: change.at.getTime() }))),
  created_at: domain.createdAt.getTime(),
  updated_at: domain.updatedAt.getTime(),
})

const recordOf = (row: DomainTable): DomainRecord => ({
  hostname: row.hostname,
  zone: row.zone,
  sslStatus: row.ssl_status,
  sslError: row.ssl_error ?? undefined,
  redirectsToHttps: row.redirects_to_https === 1,
  certificateExpiresAt: dateOf(row.certificate_expires_at),
  nextCheckAt: new Date(row.next_check_at),
  failures: row.failures,
  isProven: row.proven === 1,
  history: readHistory(row.history),
  createdAt: new Date(row.created_at),
  updatedAt: new Date(row.updated_at),
})

const dateOf = (milliseconds: number | null): Date | undefined =>
  milliseconds === null ? undefined : new Date(milliseconds)

const readHistory = (text: string): readonly SslChange[] =>
  (JSON.parse(text) as (Omit<SslChange, 'at'> & { readonly at: number })[]).map((change) => ({
    at: new Date(change.at),
    sslStatus: change.sslStatus,
    sslError: change.sslError,
  }))
