import type { AuditRecord } from '../records/audit.ts'
import type { FeedEntry, NewFeedEntry } from '../records/feed.ts'
import type { DomainRecord } from '../records/domain.ts'

/** What is recorded together with a change of a domain, in one transaction. */
export interface DomainNotice {
  readonly audit?: AuditRecord
  readonly feed: NewFeedEntry
}

/**
 * Custom domains. Not rebuilt from git: this is where they are kept. Each change is recorded with its
 * notice in one transaction, and answered, once durable, with the feed entry that announces it.
 */
export interface DomainStore {
  /** `undefined`, and nothing changes, where any zone has the host name already. */
  add(domain: DomainRecord, notice: DomainNotice): Promise<FeedEntry | undefined>
  /** Replaces all but `createdAt`; `undefined` where the zone has no such domain any more. */
  update(domain: DomainRecord, notice: DomainNotice): Promise<FeedEntry | undefined>
  /** Replaces `nextCheckAt` and `failures` alone; nobody is told. */
  reschedule(domain: DomainRecord): Promise<void>
  /** `undefined` where the zone has no such domain. */
  remove(zone: string, hostname: string, notice: DomainNotice): Promise<FeedEntry | undefined>
  find(hostname: string): Promise<DomainRecord | undefined>
  /** Every domain, by host name in byte order. */
  list(): Promise<readonly DomainRecord[]>
}
