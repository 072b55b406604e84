import { payloadOf } from '../../ports/records/webhook-deliveries.ts'
import type { Outcome, WebhookOutbox } from '../../ports/webhooks/webhook-outbox.ts'
import type { WebhookRecord } from '../../ports/webhooks/webhook-store.ts'
import type { Actor } from '../access/actor.ts'
import { ServiceError } from '../errors.ts'
import type { Deliver } from './deliver.ts'
import { webhookAuditOf, webhookNotFound } from './webhook-records.ts'
import type { WebhookVault } from './webhook-vault.ts'

export interface TestResult extends Outcome {
  /** Of the message. */
  readonly id: string
}

interface Dependencies {
  readonly outbox: Pick<WebhookOutbox, 'add' | 'record'>
  readonly vault: Pick<WebhookVault, 'open'>
  readonly deliver: Deliver
  readonly now: () => Date
}

/** Sends an event of no meaning once, now, and leaves it in the log of deliveries. */
export async function sendTest(
  webhook: WebhookRecord,
  actor: Actor,
  { outbox, vault, deliver, now }: Dependencies,
): Promise<TestResult> {
  const opened = vault.open(webhook)
  if (opened === undefined)
    throw new ServiceError(
      'WriteConflict',
      'The secret of the webhook cannot be decrypted any more; give it a new one',
    )
  const at = now()
  const event = 'webhook.test'
  const data = { webhookId: webhook.id, message: 'A test, asked for by the operator' }
  const delivery = await outbox.add(
    { webhookId: webhook.id, event, payload: payloadOf({ event, at, data }), createdAt: at },
    webhookAuditOf('webhook.test', webhook, { actor, at }),
  )
  if (delivery === undefined) throw webhookNotFound()
  const sent = await deliver(opened, delivery)
  const outcome: Outcome =
    sent.state === 'delivered' ? sent : { ...sent, state: 'dead', nextAttemptAt: undefined }
  await outbox.record([outcome])
  return { ...outcome, id: delivery.id }
}
