import type { Kysely } from 'kysely'

import type { Attempt, Delivery } from '../../../ports/webhooks/webhook-outbox.ts'
import { RowWriter } from '../row-writer.ts'
import type { Schema } from '../schema.ts'
import type { WebhookAttemptTable, WebhookDeliveryTable } from './webhook-schema.ts'

export const createDeliveryWriter = (queries: Kysely<Schema>): RowWriter<Delivery> =>
  new RowWriter<Delivery>(queries, { table: 'webhook_deliveries', rowOf })

export interface NumberedAttempt {
  readonly delivery: number
  readonly number: number
  readonly attempt: Attempt
}

export const createAttemptWriter = (queries: Kysely<Schema>): RowWriter<NumberedAttempt> =>
  new RowWriter<NumberedAttempt>(queries, { table: 'webhook_attempts', rowOf: attemptRowOf })

const rowOf = (delivery: Delivery): WebhookDeliveryTable => ({
  number: delivery.number,
  id: delivery.id,
  webhook_id: delivery.webhookId,
  event: delivery.event,
  zone: delivery.zone ?? null,
  payload: delivery.payload,
  created_at: delivery.createdAt.getTime(),
  state: delivery.state,
  failures: delivery.failures,
  tries: delivery.tries,
  next_attempt_at: delivery.nextAttemptAt?.getTime() ?? null,
})

export const deliveryOf = (row: WebhookDeliveryTable): Delivery => ({
  number: row.number,
  id: row.id,
  webhookId: row.webhook_id,
  event: row.event,
  zone: row.zone ?? undefined,
  payload: row.payload,
  createdAt: new Date(row.created_at),
  state: row.state,
  failures: row.failures,
  tries: row.tries,
  nextAttemptAt: row.next_attempt_at === null ? undefined : new Date(row.next_attempt_at),
})

const attemptRowOf = ({ delivery, number, attempt }: NumberedAttempt): WebhookAttemptTable => ({
  delivery,
  number,
  at: attempt.at.getTime(),
  duration_ms: Math.round(attempt.durationMs),
  url: attempt.url,
  request_headers: JSON.stringify(attempt.requestHeaders),
  status: attempt.status ?? null,
  error: attempt.error ?? null,
  answer: attempt.response,
  response_headers: JSON.stringify(attempt.responseHeaders),
})

export const attemptOf = (row: WebhookAttemptTable): Attempt => ({
  at: new Date(row.at),
  durationMs: row.duration_ms,
  url: row.url,
  requestHeaders: JSON.parse(row.request_headers) as Attempt['requestHeaders'],
  status: row.status ?? undefined,
  error: row.error ?? undefined,
  response: row.answer,
  responseHeaders: JSON.parse(row.response_headers ?? '{}') as Attempt['responseHeaders'],
})
