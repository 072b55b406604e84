import type { AuditRecord } from '../../ports/records/audit.ts'
import type { WebhookRecord } from '../../ports/webhooks/webhook-store.ts'
import { type Actor, auditRecordOf } from '../access/actor.ts'
import { ServiceError } from '../errors.ts'

/** What the audit log keeps of something done to a webhook. */
export function webhookAuditOf(
  action: string,
  { id, url, zones }: WebhookRecord,
  given: {
    readonly actor: Actor
    readonly at: Date
    readonly meta?: Readonly<Record<string, unknown>>
  },
): AuditRecord {
  // The path of the URL may hold what only its owner should know.
  const meta = { host: URL.parse(url)?.host, ...given.meta, ...(zones && { zones }) }
  return auditRecordOf({ action, target: id, meta }, given.actor, given.at)
}

export const webhookNotFound = () =>
  new ServiceError('NotFound', 'There is no webhook with this id', { target: 'id' })
