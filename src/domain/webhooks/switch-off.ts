import type { Log } from '../../lib/log.ts'
import type { AuditRecord } from '../../ports/records/audit.ts'
import type { Outcome } from '../../ports/webhooks/webhook-outbox.ts'
import type { WebhookRecord, WebhookStore } from '../../ports/webhooks/webhook-store.ts'
import { goneStatus } from './deliver.ts'
import { switchOffAfterMs } from './schedule.ts'

interface Dependencies {
  readonly store: Pick<WebhookStore, 'find' | 'change'>
  readonly now: () => Date
  readonly log: Pick<Log, 'warn'>
}

/** Whether to go on after a failure. Switches off what wants no more, or has failed for too long. */
export async function goesOnAfter(
  { attempt, delivery: { webhookId } }: Outcome,
  { store, now, log }: Dependencies,
): Promise<boolean> {
  const webhook = await store.find(webhookId)
  if (!webhook?.active) return false
  const at = now()
  const reason = reasonToSwitchOff(webhook, attempt.status, at)
  if (reason === undefined) return true
  const changed = await store.change(
    webhookId,
    (newest) =>
      // It may have been switched on again meanwhile.
      newest.active && reasonToSwitchOff(newest, attempt.status, at) === reason
        ? { ...newest, active: false, switchedOff: reason }
        : undefined,
    auditOf(webhook, reason, at),
  )
  if (changed !== undefined) log.warn('a webhook was switched off', { webhook: webhookId, reason })
  return false
}

function reasonToSwitchOff(
  { failingSince }: WebhookRecord,
  status: number | undefined,
  at: Date,
): 'gone' | 'failing' | undefined {
  if (status === goneStatus) return 'gone'
  const failsForMs = failingSince === undefined ? 0 : at.getTime() - failingSince.getTime()
  return failsForMs >= switchOffAfterMs ? 'failing' : undefined
}

const auditOf = ({ id, zones }: WebhookRecord, reason: string, at: Date): AuditRecord => ({
  at,
  action: 'webhook.switch-off',
  actor: 'service',
  target: id,
  ip: undefined,
  userAgent: undefined,
  requestId: undefined,
  meta: { reason, ...(zones && { zones }) },
})
