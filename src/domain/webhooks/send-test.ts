import { payloadOf } from '../../ports/records/webhook-deliveries.ts'
import type { Outcome, WebhookOutbox } from '../../ports/webhooks/webhook-outbox.ts'
import type { WebhookEvent } from '../../ports/records/webhook-event.ts'
import type { WebhookRecord } from '../../ports/webhooks/webhook-store.ts'
import type { Actor } from '../access/actor.ts'
import { ServiceError } from '../errors.ts'
import type { Deliver } from './deliver.ts'
import { exampleData } from './example-data.ts'
import { webhookAuditOf, webhookNotFound } from './webhook-records.ts'
import type { WebhookVault } from './webhook-vault.ts'

/** Of no meaning but that it came. */
const testEvent = 'webhook.test'

export interface TestResult extends Outcome {
  /** Of the message. */
  readonly id: string
}

interface TestRequest {
  readonly actor: Actor
  readonly event?: WebhookEvent | typeof testEvent | undefined
}

interface Dependencies {
  readonly outbox: Pick<WebhookOutbox, 'add' | 'record'>
  readonly vault: Pick<WebhookVault, 'open'>
  readonly deliver: Deliver
  readonly now: () => Date
}

/** Sends an example of an event once, now, says in it that it is a test, and leaves it in the log. */
export async function sendTest(
  webhook: WebhookRecord,
  { actor, event = testEvent }: TestRequest,
  { outbox, vault, deliver, now }: Dependencies,
): Promise<TestResult> {
  const opened = vault.open(webhook)
  if (opened === undefined)
    throw new ServiceError(
      'WriteConflict',
      'The secret of the webhook cannot be decrypted any more; give it a new one',
    )
  const at = now()
  const data =
    event === testEvent
      ? { webhookId: webhook.id, message: 'A test, asked for by the operator' }
      : exampleData(event, { zone: webhook.zones?.[0] ?? 'example', at })
  const payload = payloadOf({ event, at, data, test: true })
  const delivery = await outbox.add(
    { webhookId: webhook.id, event, payload, createdAt: at },
    webhookAuditOf('webhook.test', webhook, { actor, at, meta: { event } }),
  )
  if (delivery === undefined) throw webhookNotFound()
  const sent = await deliver(opened, delivery)
  const outcome: Outcome =
    sent.state === 'delivered' ? sent : { ...sent, state: 'dead', nextAttemptAt: undefined }
  await outbox.record([outcome])
  return { ...outcome, id: delivery.id }
}
