import type { AuditRecord } from '../../../ports/records/audit.ts'
import {
  attemptsPerDelivery,
  type Delivery,
  type LoggedDelivery,
  type LogQuery,
  type Outcome,
  type RecentDelivery,
  type ReadyQuery,
  type WebhookOutbox,
} from '../../../ports/webhooks/webhook-outbox.ts'
import { Announcements } from '../content/announcements.ts'
import type { Database } from '../database.ts'
import { attemptOf, deliveryOf } from './delivery-rows.ts'
import { DeliveryWriter } from './delivery-writer.ts'
import { readRecent, selectLog } from './delivery-log.ts'
import { OutcomeWriter } from './outcome-writer.ts'

/** Deliveries and attempts, in tables. */
export class SqlWebhookOutbox implements WebhookOutbox {
  readonly #database: Database
  readonly #announcements: Announcements
  readonly #deliveries: DeliveryWriter
  readonly #outcomes: OutcomeWriter

  constructor(database: Database) {
    this.#database = database
    this.#announcements = new Announcements(database.queries)
    this.#deliveries = new DeliveryWriter(database.queries)
    this.#outcomes = new OutcomeWriter(database.queries)
  }

  async ready(
    webhookId: string,
    { now, limit, holdingFailures }: ReadyQuery,
  ): Promise<readonly Delivery[]> {
    const rows = await this.#database.queries
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('webhook_id', '=', webhookId)
      .where('state', '=', 'pending')
      .where((row) =>
        row.or([
          row('failures', '=', 0),
          row('failures', '<', holdingFailures),
          row('next_attempt_at', '<=', now.getTime()),
        ]),
      )
      .orderBy('number')
      .limit(limit)
      .execute()
    return rows.map(deliveryOf)
  }

  async nextDueAt(webhookId: string): Promise<Date | undefined> {
    const row = await this.#database.queries
      .selectFrom('webhook_deliveries')
      .select((delivery) => delivery.fn.min('next_attempt_at').as('due_at'))
      .where('webhook_id', '=', webhookId)
      .where('state', '=', 'pending')
      .executeTakeFirst()
    const dueAt: number | null | undefined = row?.due_at
    return dueAt === null || dueAt === undefined ? undefined : new Date(dueAt)
  }

  async record(outcomes: readonly Outcome[]): Promise<void> {
    if (outcomes.length === 0) return
    await this.#database.transaction((transaction) => this.#outcomes.write(transaction, outcomes))
  }

  async renew(
    { webhookId, id }: { readonly webhookId: string; readonly id: string },
    now: Date,
    audit: AuditRecord,
  ): Promise<Delivery | undefined> {
    return await this.#database.transaction(async (transaction) => {
      const row = await transaction
        .updateTable('webhook_deliveries')
        .set({ state: 'pending', failures: 0, next_attempt_at: now.getTime() })
        .where('id', '=', id)
        .where('webhook_id', '=', webhookId)
        .returningAll()
        .executeTakeFirst()
      if (row === undefined) return undefined
      await this.#announcements.announce(transaction, { feed: [], audit: [audit] })
      return deliveryOf(row)
    })
  }

  async add(
    delivery: Pick<Delivery, 'webhookId' | 'event' | 'payload' | 'createdAt'>,
    audit: AuditRecord,
  ): Promise<Delivery | undefined> {
    return await this.#database.transaction(async (transaction) => {
      const webhook = await transaction
        .selectFrom('webhooks')
        .select('id')
        .where('id', '=', delivery.webhookId)
        .executeTakeFirst()
      if (webhook === undefined) return undefined
      const { webhookId, event, payload, createdAt } = delivery
      const rest = { zone: undefined, failures: 0, tries: 0, nextAttemptAt: undefined }
      const [added] = await this.#deliveries.write(transaction, [
        { webhookId, event, payload, createdAt, state: 'dead', ...rest },
      ])
      await this.#announcements.announce(transaction, { feed: [], audit: [audit] })
      return added
    })
  }

  async log(webhookId: string, query: LogQuery): Promise<readonly LoggedDelivery[]> {
    const { queries } = this.#database
    const rows = await selectLog(queries, webhookId, query).execute()
    if (rows.length === 0) return []
    const attempts = await queries
      .selectFrom('webhook_attempts')
      .selectAll()
      .where(
        'delivery',
        'in',
        rows.map(({ number }) => number),
      )
      .orderBy('delivery')
      .orderBy('number')
      .execute()
    const attemptsByDelivery = Map.groupBy(attempts, (attempt) => attempt.delivery)
    return rows.map((row) => ({
      ...deliveryOf(row),
      attempts: (attemptsByDelivery.get(row.number) ?? [])
        .slice(-attemptsPerDelivery)
        .map(attemptOf),
    }))
  }

  async recent(webhookIds: readonly string[], limit: number): Promise<readonly RecentDelivery[]> {
    return await readRecent(this.#database.queries, webhookIds, limit)
  }

  async forgetBefore(time: Date, limit: number): Promise<number> {
    return await this.#database.transaction(async (transaction) => {
      const rows = await transaction
        .selectFrom('webhook_deliveries')
        .select('number')
        .where('created_at', '<', time.getTime())
        .where('state', '!=', 'pending')
        .orderBy('number')
        .limit(limit)
        .execute()
      const numbers = rows.map(({ number }) => number)
      if (numbers.length === 0) return 0
      await transaction.deleteFrom('webhook_attempts').where('delivery', 'in', numbers).execute()
      await transaction.deleteFrom('webhook_deliveries').where('number', 'in', numbers).execute()
      return numbers.length
    })
  }
}
