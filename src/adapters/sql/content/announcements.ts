import type { CompiledQuery, Kysely, Transaction } from 'kysely'

import type { AuditRecord } from '../../../ports/records/audit.ts'
import type { FeedEntry, NewFeedEntry } from '../../../ports/records/feed.ts'
import { createAuditWriter } from './audit-rows.ts'
import { createFeedWriter } from './feed-rows.ts'
import type { Schema } from '../schema.ts'
import { DeliveryWriter } from '../webhooks/delivery-writer.ts'

export interface Announcement {
  readonly feed: readonly NewFeedEntry[]
  readonly audit: readonly AuditRecord[]
  /** Where the projections stand from now on, if they move. */
  readonly commitId?: string | undefined
}

/** Gives feed entries and audit records their numbers and writes them, with what webhooks are to be told. */
export class Announcements {
  readonly #feedWriter
  readonly #auditWriter
  readonly #deliveryWriter
  /** Built once: Kysely takes longer to build such a statement than a database to run it. */
  readonly #takeNumbers: CompiledQuery<LastNumbers>
  readonly #takeNumbersOfCommit: CompiledQuery<LastNumbers>

  constructor(queries: Kysely<Schema>) {
    this.#feedWriter = createFeedWriter(queries)
    this.#auditWriter = createAuditWriter(queries)
    this.#deliveryWriter = new DeliveryWriter(queries)
    this.#takeNumbers = takingNumbers(queries).compile()
    this.#takeNumbersOfCommit = takingNumbers(queries).set({ commit_id: '' }).compile()
  }

  /**
   * Numbers are taken from the one row of `position`, which stays locked to the end of the
   * transaction: they grow in the order of the commits, and a rolled back one leaves no gap.
   */
  async announce(
    transaction: Transaction<Schema>,
    { feed, audit, commitId }: Announcement,
  ): Promise<readonly FeedEntry[]> {
    const last = await this.#numbers(transaction, [
      feed.length,
      audit.length,
      ...(commitId === undefined ? [] : [commitId]),
    ])
    const beforeFeed = last.feed_seq - feed.length
    const beforeAudit = last.audit_seq - audit.length
    const entries = feed.map((entry, place) => ({ ...entry, seq: beforeFeed + place + 1 }))
    await this.#feedWriter.execute(transaction, entries)
    await this.#auditWriter.execute(
      transaction,
      audit.map((record, place) => ({ seq: beforeAudit + place + 1, record })),
    )
    await this.#deliveryWriter.writeFor(transaction, entries)
    return entries
  }

  async #numbers(
    transaction: Transaction<Schema>,
    taken: readonly (number | string)[],
  ): Promise<LastNumbers> {
    const template = taken.length === 2 ? this.#takeNumbers : this.#takeNumbersOfCommit
    const { rows } = await transaction.executeQuery<LastNumbers>({
      ...template,
      parameters: [...taken, onlyRow],
    })
    const [last] = rows
    if (last === undefined) throw new Error('The position has no row')
    return last
  }

  /** Puts this transaction in line with all others that announce something, from here to its end. */
  async lock(transaction: Transaction<Schema>): Promise<void> {
    await transaction
      .updateTable('position')
      .set((row) => ({ feed_seq: row.ref('feed_seq') }))
      .where('id', '=', 1)
      .execute()
  }
}

interface LastNumbers {
  readonly feed_seq: number
  readonly audit_seq: number
}

const onlyRow = 1

/** Its parameters: how many numbers of the feed, how many of the audit log, and the row. */
const takingNumbers = (queries: Kysely<Schema>) =>
  queries
    .updateTable('position')
    .set((row) => ({ feed_seq: row('feed_seq', '+', 0), audit_seq: row('audit_seq', '+', 0) }))
    .where('id', '=', onlyRow)
    .returning(['feed_seq', 'audit_seq'])
