import type { ReleasedBlob } from '../../../ports/content/object-versions.ts'
import type { DomainRecord } from '../../../ports/records/domain.ts'
import type { PasskeyChallenge, PasskeyRecord } from '../../../ports/access/passkey-store.ts'
import type { PersonRecord } from '../../../ports/access/people-store.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { AuditRecord } from '../../../ports/records/audit.ts'
import type { AssetMove, DeletedAsset } from '../../../ports/records/past-asset.ts'
import type { DirectoryMarker, ObjectVersion } from '../../../ports/records/object-version.ts'
import type { FeedEntry, NewFeedEntry } from '../../../ports/records/feed.ts'
import type { RuleFileName, RuleFileRecord, ZoneRecord } from '../../../ports/records/zone.ts'
import type { PreviewRecord } from '../../../ports/records/preview.ts'
import type { SessionRecord } from '../../../ports/access/session-store.ts'
import type { TokenRecord } from '../../../ports/access/token-store.ts'
import type { UploadGrantRecord, UploadGrantUse } from '../../../ports/access/upload-grant-store.ts'
import { deliveriesOf } from '../../../ports/records/webhook-deliveries.ts'
import type { LoggedDelivery } from '../../../ports/webhooks/webhook-outbox.ts'
import type { WebhookRecord } from '../../../ports/webhooks/webhook-store.ts'

/** What the memory stores of one process share. Nothing survives the process. */
export class MemoryDatabase {
  readonly zoneByName = new Map<string, ZoneRecord>()
  readonly assetByPath = new Map<string, AssetRecord>()
  readonly deletedByPath = new Map<string, DeletedAsset>()
  readonly markerByPath = new Map<string, DirectoryMarker>()
  readonly ruleFileByName = new Map<RuleFileName, RuleFileRecord>()
  readonly erased = new Set<string>()
  readonly expiryByPath = new Map<string, Date>()
  readonly domainByHostname = new Map<string, DomainRecord>()
  /** By `<zone>/<name>`. */
  readonly previewByKey = new Map<string, PreviewRecord>()
  readonly useByQuota = new Map<string, number>()
  readonly tokenById = new Map<string, TokenRecord>()
  readonly uploadGrantById = new Map<string, UploadGrantRecord>()
  readonly uploadGrantUseByUpload = new Map<string, UploadGrantUse>()
  readonly sessionById = new Map<string, SessionRecord>()
  readonly personById = new Map<string, PersonRecord>()
  readonly passkeyById = new Map<string, PasskeyRecord>()
  readonly challengeByText = new Map<string, PasskeyChallenge>()
  readonly webhookById = new Map<string, WebhookRecord>()
  readonly deliveryByNumber = new Map<number, LoggedDelivery>()
  readonly feed: FeedEntry[] = []
  /** So many of the oldest entries are forgotten. */
  forgottenEntries = 0
  deliveryNumber = 0
  tokenVersion = 0
  peopleVersion = 0
  moves: AssetMove[] = []
  /** In the order of their commits. */
  versions: ObjectVersion[] = []
  readonly releasedBySha256 = new Map<string, ReleasedBlob>()
  audit: AuditRecord[] = []
  commitId: string | undefined

  /** Numbers the entries and keeps both; what callers do with their objects later changes nothing. */
  announce(
    feed: readonly NewFeedEntry[],
    audit: readonly AuditRecord[] = [],
  ): readonly FeedEntry[] {
    const before = this.forgottenEntries + this.feed.length
    const entries = feed.map((entry, place) =>
      Object.assign(structuredClone(entry), { seq: before + place + 1 }),
    )
    this.feed.push(...entries)
    this.audit.push(...structuredClone(audit))
    for (const delivery of deliveriesOf(entries, [...this.webhookById.values()]))
      this.addDelivery({ ...delivery, state: 'pending', nextAttemptAt: delivery.createdAt })
    return entries
  }

  addDelivery(
    given: Omit<LoggedDelivery, 'number' | 'id' | 'failures' | 'tries' | 'attempts'>,
  ): LoggedDelivery {
    this.deliveryNumber += 1
    const number = this.deliveryNumber
    const id = `msg_${number}`
    const delivery = { ...given, number, id, failures: 0, tries: 0, attempts: [] }
    this.deliveryByNumber.set(number, delivery)
    return delivery
  }
}

/** The order of the bytes of two texts' UTF-8 forms. */
export const byBytes = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(a), Buffer.from(b))
