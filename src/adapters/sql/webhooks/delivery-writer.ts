import { randomUUID } from 'node:crypto'

import type { Kysely, Transaction } from 'kysely'

import { deliveriesOf } from '../../../ports/records/webhook-deliveries.ts'
import type { WebhookTopic } from '../../../ports/records/webhook-event.ts'
import type { Delivery } from '../../../ports/webhooks/webhook-outbox.ts'
import type { Schema } from '../schema.ts'
import { createDeliveryWriter } from './delivery-rows.ts'
import { recordsOf, selectWebhooks } from './webhook-rows.ts'

type Unnumbered = Omit<Delivery, 'number' | 'id'>

/** Writes what webhooks are to be told, in the transaction of the change they are told of. */
export class DeliveryWriter {
  readonly #rowWriter
  /** Asked at every publication, so built once. */
  readonly #allWebhooks

  constructor(queries: Kysely<Schema>) {
    this.#rowWriter = createDeliveryWriter(queries)
    this.#allWebhooks = selectWebhooks(queries).compile()
  }

  async writeFor(
    transaction: Transaction<Schema>,
    entries: readonly WebhookTopic[],
  ): Promise<readonly Delivery[]> {
    if (entries.length === 0) return []
    const { rows } = await transaction.executeQuery(this.#allWebhooks)
    if (rows.length === 0) return []
    const told = deliveriesOf(entries, recordsOf(rows))
    return await this.write(
      transaction,
      told.map((delivery) => ({
        ...delivery,
        state: 'pending',
        failures: 0,
        tries: 0,
        nextAttemptAt: delivery.createdAt,
      })),
    )
  }

  /** The id is random, so that it names the message even where a backup brought old numbers back. */
  async write(
    transaction: Transaction<Schema>,
    deliveries: readonly Unnumbered[],
  ): Promise<readonly Delivery[]> {
    if (deliveries.length === 0) return []
    const { delivery_number: last } = await transaction
      .updateTable('position')
      .set((row) => ({ delivery_number: row('delivery_number', '+', deliveries.length) }))
      .where('id', '=', 1)
      .returning('delivery_number')
      .executeTakeFirstOrThrow()
    const numbered = deliveries.map((delivery, place) => ({
      ...delivery,
      number: last - deliveries.length + place + 1,
      id: `msg_${randomUUID()}`,
    }))
    await this.#rowWriter.execute(transaction, numbered)
    return numbered
  }
}
