import type { AuditRecord } from '../records/audit.ts'
import type { WebhookEvent } from '../records/webhook-event.ts'

/** An endpoint that is told of events. */
export interface WebhookRecord {
  readonly id: string
  readonly url: string
  /** `*` stands for every event. */
  readonly events: readonly (WebhookEvent | '*')[]
  /** The tenants it is told of, in byte order; every one where `undefined`, none left where empty. */
  readonly zones: readonly string[] | undefined
  /** Whether an event waits for those before it. */
  readonly ordered: boolean
  /** Encrypted; the store never sees the secret itself. */
  readonly sealedSecret: string
  readonly secretLastFour: string
  /** After a rotation, for a while: what was the secret before. */
  readonly previousSecret: { readonly sealed: string; readonly validUntil: Date } | undefined
  /** Whether events are recorded for it and sent to it. */
  readonly active: boolean
  /** Why the service itself made it inactive: it answered 410, or failed for days. */
  readonly switchedOff: 'gone' | 'failing' | undefined
  /** Since when no delivery has succeeded; `undefined` where the last one did. */
  readonly failingSince: Date | undefined
  readonly createdBy: string
  readonly createdAt: Date
}

/**
 * Registered webhooks. Each change is recorded with its audit record in one transaction, and answered
 * once durable. A zone that is removed takes itself out of every webhook; that is part of the
 * publication that removes it, and the webhook is still told of it.
 */
export interface WebhookStore {
  /** By time of creation, then by id. */
  list(): Promise<readonly WebhookRecord[]>
  find(id: string): Promise<WebhookRecord | undefined>
  /** Nothing changes where there are `limit` webhooks already, or a zone of it does not exist. */
  add(
    webhook: WebhookRecord,
    conditions: { readonly limit: number; readonly audit: AuditRecord },
  ): Promise<'added' | 'full' | 'zone unknown'>
  /**
   * Replaces a webhook by what `edit` makes of the newest record, its id and creation aside. Where
   * that takes zones away, deliveries of anything but those that remain go too: whoever has only these
   * zones may read what is left. Answers the new record; `undefined`, and nothing changes, where
   * there is no such webhook or `edit` answers `undefined`; nothing changes for an unknown zone either.
   */
  change(
    id: string,
    edit: (webhook: WebhookRecord) => WebhookRecord | undefined,
    audit: AuditRecord,
  ): Promise<WebhookRecord | 'zone unknown' | undefined>
  /** With all its deliveries. `false`, and nothing changes, where there is no such webhook. */
  remove(id: string, audit: AuditRecord): Promise<boolean>
}
