import type { Kysely, Transaction } from 'kysely'

import type { Outcome } from '../../../ports/webhooks/webhook-outbox.ts'
import { paddedLists } from '../row-lists.ts'
import type { RowWriter } from '../row-writer.ts'
import type { Schema } from '../schema.ts'
import { createAttemptWriter, type NumberedAttempt } from './delivery-rows.ts'

/** Writes what attempts made of deliveries and of the webhooks they belong to. */
export class OutcomeWriter {
  readonly #attemptWriter: RowWriter<NumberedAttempt>

  constructor(queries: Kysely<Schema>) {
    this.#attemptWriter = createAttemptWriter(queries)
  }

  async write(transaction: Transaction<Schema>, outcomes: readonly Outcome[]): Promise<void> {
    const triesByDelivery = await readTries(transaction, outcomes)
    const there = outcomes.filter(({ delivery }) => triesByDelivery.has(delivery.number))
    await this.#attemptWriter.execute(
      transaction,
      there.map(({ delivery: { number: delivery }, attempt }) => {
        const number = (triesByDelivery.get(delivery) ?? 0) + 1
        triesByDelivery.set(delivery, number)
        return { delivery, number, attempt }
      }),
    )
    await markDelivered(
      transaction,
      there.flatMap(({ state, delivery }) => (state === 'delivered' ? [delivery.number] : [])),
    )
    for (const outcome of there)
      if (outcome.state !== 'delivered') await markFailed(transaction, outcome)
    for (const [webhookId, group] of Map.groupBy(there, ({ delivery }) => delivery.webhookId))
      await markWebhook(transaction, webhookId, group)
  }
}

/** Of the deliveries that are still there. */
async function readTries(
  transaction: Transaction<Schema>,
  outcomes: readonly Outcome[],
): Promise<Map<number, number>> {
  const triesByDelivery = new Map<number, number>()
  for (const numbers of paddedLists(outcomes.map(({ delivery }) => delivery.number))) {
    const rows = await transaction
      .selectFrom('webhook_deliveries')
      .select(['number', 'tries'])
      .where('number', 'in', numbers)
      .execute()
    for (const { number, tries } of rows) triesByDelivery.set(number, tries)
  }
  return triesByDelivery
}

async function markDelivered(
  transaction: Transaction<Schema>,
  delivered: readonly number[],
): Promise<void> {
  for (const numbers of paddedLists(delivered))
    await transaction
      .updateTable('webhook_deliveries')
      .set((row) => ({ state: 'delivered', tries: row('tries', '+', 1), next_attempt_at: null }))
      .where('number', 'in', numbers)
      .execute()
}

async function markFailed(transaction: Transaction<Schema>, outcome: Outcome): Promise<void> {
  const { delivery, state, failures, nextAttemptAt } = outcome
  await transaction
    .updateTable('webhook_deliveries')
    .set((row) => ({
      state,
      failures,
      tries: row('tries', '+', 1),
      next_attempt_at: nextAttemptAt?.getTime() ?? null,
    }))
    .where('number', '=', delivery.number)
    .execute()
}

/** `group` in the order of the attempts. */
async function markWebhook(
  transaction: Transaction<Schema>,
  webhookId: string,
  group: readonly Outcome[],
): Promise<void> {
  const lastSuccess = group.findLastIndex(({ state }) => state === 'delivered')
  if (lastSuccess >= 0)
    await transaction
      .updateTable('webhooks')
      .set({ failing_since: null })
      .where('id', '=', webhookId)
      .where('failing_since', 'is not', null)
      .execute()
  const firstFailure = group[lastSuccess + 1]
  if (firstFailure !== undefined)
    await transaction
      .updateTable('webhooks')
      .set({ failing_since: firstFailure.attempt.at.getTime() })
      .where('id', '=', webhookId)
      .where('failing_since', 'is', null)
      .execute()
}
