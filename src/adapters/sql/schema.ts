import type { FeedEvent } from '../../ports/records/feed.ts'
import type { RuleFileName, ZoneRecord } from '../../ports/records/zone.ts'
import type { SslStatus } from '../../ports/records/domain.ts'
import type { LogRecordLevel } from '../../ports/traffic/log-store.ts'
import type { AssetMoveTable, DeletedAssetTable } from './past/past-asset-schema.ts'
import type { RepositoryPacksTable, WriterLeaseTable } from './edges/cluster-schema.ts'
import type { ImageLikenessTable, VectorTable } from './media/image-likeness-schema.ts'
import type { MediaFactsTable } from './media/media-facts-schema.ts'
import type { SettledSuggestionTable, SightingTable } from './media/sighting-schema.ts'
import type { ContentDigestTable } from './objects/content-digest-schema.ts'
import type { ErasedTable, ErasureTable } from './erasures/erasure-rows.ts'
import type { NotificationTables } from './notifications/notification-rows.ts'
import type { FileLockTable } from './locks/file-lock-rows.ts'
import type { PreviewTable } from './previews/preview-schema.ts'
import type { VersionTables } from './versions/object-version-schema.ts'
import type { StagedUploadTable } from './uploads/staged-upload-rows.ts'
import type { UploadPartTable } from './uploads/upload-part-rows.ts'
import type {
  TrafficBeaconTable,
  TrafficCountryTable,
  TrafficDayTable,
  TrafficDayTopTable,
  TrafficErrorTable,
  TrafficFlushTable,
  TrafficHourErrorTable,
  TrafficHourNameTable,
  TrafficHourTable,
  TrafficMinuteTable,
  TrafficNameTable,
  TrafficPathBlockTable,
  TrafficPathStepTable,
  TrafficPathTable,
  TrafficSpanTable,
  TrafficSpoolTable,
} from './traffic/traffic-schema.ts'
import type { UsageTable } from './usage/usage-schema.ts'
import type { ZoneQuotaTable } from './zone-quotas/zone-quota-schema.ts'
import type { PasskeyChallengeTable, PasskeyTable } from './access/passkey-schema.ts'
import type { PeopleVersionTable, PersonGrantTable, PersonTable } from './access/people-schema.ts'
import type { UploadGrantTable, UploadGrantUseTable } from './access/upload-grant-schema.ts'
import type {
  WebhookAttemptTable,
  WebhookDeliveryTable,
  WebhookTable,
  WebhookZoneTable,
} from './webhooks/webhook-schema.ts'
import type { ZoneCommitTable, ZoneRepositoryTable } from './zone-commits/zone-commit-schema.ts'

/**
 * The tables as of the last migration. Times are integer milliseconds since 1970, JSON is text, flags
 * are 0 or 1, text is ordered by its bytes: so every database holds and orders them alike.
 */
export interface Schema extends VersionTables, NotificationTables {
  readonly assets: AssetTable
  readonly deleted_assets: DeletedAssetTable
  readonly asset_moves: AssetMoveTable
  readonly zones: ZoneTable
  readonly previews: PreviewTable
  readonly rule_files: RuleFileTable
  readonly announced_expiries: AnnouncedExpiryTable
  readonly position: PositionTable
  readonly feed: FeedTable
  readonly audit: AuditTable
  readonly domains: DomainTable
  readonly certificates: CertificateTable
  readonly certificate_account: CertificateAccountTable
  readonly media_facts: MediaFactsTable
  readonly image_likenesses: ImageLikenessTable
  readonly embedded_metadata: EmbeddedMetadataTable
  readonly sightings: SightingTable
  readonly settled_suggestions: SettledSuggestionTable
  readonly content_digests: ContentDigestTable
  readonly quotas: QuotaTable
  readonly vectors: VectorTable
  readonly tokens: TokenTable
  readonly token_zones: TokenZoneTable
  readonly token_version: TokenVersionTable
  readonly upload_grants: UploadGrantTable
  readonly upload_grant_uses: UploadGrantUseTable
  readonly sessions: SessionTable
  readonly passkeys: PasskeyTable
  readonly people: PersonTable
  readonly person_grants: PersonGrantTable
  readonly people_version: PeopleVersionTable
  readonly passkey_challenges: PasskeyChallengeTable
  readonly log_records: LogRecordTable
  readonly traffic_flushes: TrafficFlushTable
  readonly traffic_hours: TrafficHourTable
  readonly traffic_days: TrafficDayTable
  readonly traffic_minutes: TrafficMinuteTable
  readonly traffic_names: TrafficNameTable
  readonly traffic_hour_names: TrafficHourNameTable
  readonly traffic_hour_errors: TrafficHourErrorTable
  readonly traffic_countries: TrafficCountryTable
  readonly traffic_errors: TrafficErrorTable
  readonly traffic_beacons: TrafficBeaconTable
  readonly traffic_paths: TrafficPathTable
  readonly traffic_path_blocks: TrafficPathBlockTable
  readonly traffic_path_steps: TrafficPathStepTable
  readonly traffic_spans: TrafficSpanTable
  readonly traffic_day_tops: TrafficDayTopTable
  readonly usage_days: UsageTable
  readonly zone_quotas: ZoneQuotaTable
  readonly edges: EdgeTable
  readonly repository_packs: RepositoryPacksTable
  readonly writer_lease: WriterLeaseTable
  readonly replica_position: ReplicaPositionTable
  readonly replica_hosts: ReplicaHostTable
  readonly traffic_spool: TrafficSpoolTable
  readonly kept_past: KeptPastTable
  readonly staged_uploads: StagedUploadTable
  readonly upload_parts: UploadPartTable
  readonly file_locks: FileLockTable
  readonly erasures: ErasureTable
  readonly erased: ErasedTable
  readonly zone_repositories: ZoneRepositoryTable
  readonly zone_commits: ZoneCommitTable
  readonly webhooks: WebhookTable
  readonly webhook_zones: WebhookZoneTable
  readonly webhook_deliveries: WebhookDeliveryTable
  readonly webhook_attempts: WebhookAttemptTable
}

export interface AssetTable {
  readonly path: string
  readonly zone: string
  readonly category: string
  readonly name: string
  readonly format: string
  readonly size_bytes: number
  readonly sha256: string
  readonly content_type: string
  readonly created_at: number
  readonly changed_at: number
  readonly commit_id: string
  /** JSON. */
  readonly metadata: string | null
}

export interface ZoneTable {
  readonly name: string
  readonly created_at: number
  readonly enabled: number
  readonly suspended: number
  readonly commit_id: string | null
  readonly fields: string | null
  readonly history: NonNullable<ZoneRecord['history']> | null
  readonly transforms: string | null
  readonly transform_mode: NonNullable<ZoneRecord['transformMode']> | null
  readonly history_days: number | null
  readonly history_since: number | null
  readonly headers: string | null
  readonly redirects: string | null
  readonly cache_seconds: number | null
  readonly metadata_policy: NonNullable<ZoneRecord['metadataPolicy']> | null
  readonly vision: NonNullable<ZoneRecord['vision']> | null
  readonly moderation: NonNullable<ZoneRecord['moderation']> | null
  /** BCP 47, with blanks between. */
  readonly languages: string | null
  readonly delivery: NonNullable<ZoneRecord['delivery']> | null
}

export interface RuleFileTable {
  readonly name: RuleFileName
  readonly content: string
  readonly changed_at: number
}

/** One row. Whoever writes updates it first, which is what puts writers in line. */
export interface PositionTable {
  readonly id: number
  readonly commit_id: string | null
  /** The newest number given to a feed entry, to an audit record, and to a webhook's delivery. */
  readonly feed_seq: number
  readonly audit_seq: number
  readonly delivery_number: number
  /** How many versions of objects were published. */
  readonly version_number: number
}

export interface FeedTable {
  readonly seq: number
  readonly at: number
  readonly event: FeedEvent
  readonly zone: string | null
  readonly path: string | null
  readonly commit_id: string | null
  readonly data: string
}

export interface AuditTable {
  readonly seq: number
  readonly at: number
  readonly action: string
  readonly actor: string
  readonly target: string
  readonly ip: string | null
  readonly user_agent: string | null
  readonly request_id: string | null
  readonly meta: string
}

export interface LogRecordTable {
  readonly seq: number
  readonly at: number
  readonly level: LogRecordLevel
  readonly code: string | null
  readonly message: string
  readonly request_id: string | null
  readonly zone: string | null
  readonly fields: string
}

export interface DomainTable {
  readonly hostname: string
  readonly zone: string
  readonly ssl_status: SslStatus
  readonly ssl_error: string | null
  readonly redirects_to_https: number
  readonly certificate_expires_at: number | null
  readonly next_check_at: number
  readonly failures: number
  readonly proven: number
  /** JSON. */
  readonly history: string
  readonly created_at: number
  readonly updated_at: number
}

export interface CertificateTable {
  readonly hostname: string
  readonly chain: string
  readonly sealed_key: string
  readonly valid_from: number
  readonly valid_until: number
}

/** The account at the certificate authority: one row. */
export interface CertificateAccountTable {
  readonly id: number
  readonly sealed_key: string
}

export interface EdgeTable {
  readonly name: string
  readonly seq: number
  readonly since: number
  readonly first_seen_at: number
  readonly last_seen_at: number
  readonly via: string | null
}

/** One row at most, at an edge. */
export interface ReplicaPositionTable {
  readonly id: number
  readonly seq: number
  readonly at: number
}

export interface ReplicaHostTable {
  readonly hostname: string
  readonly zone: string
  readonly redirects_to_https: number
}

/** At an edge: what it was told of former commits. */
export interface KeptPastTable {
  readonly key: string
  readonly text: string
  /** Of both. */
  readonly size_characters: number
  /** Grows with every use. */
  readonly used: number
}

export interface AnnouncedExpiryTable {
  readonly path: string
  readonly expires_at: number
}

export interface EmbeddedMetadataTable {
  readonly sha256: string
  /** JSON. */
  readonly found: string
}

export interface QuotaTable {
  readonly name: string
  /** The quota's own name for its window; `window` alone is a word of SQL. */
  readonly quota_window: string
  readonly used: number
}

export interface TokenTable {
  readonly id: string
  readonly name: string
  readonly secret_sha256: string
  readonly prefix: string
  readonly scopes: string
  /** Whether it reaches only the zones in `token_zones`. */
  readonly narrowed: number
  readonly created_by: string
  readonly created_at: number
  readonly expires_at: number
  readonly last_used_at: number | null
  readonly signs_s3: number
  readonly person_id: string | null
  readonly former_sha256: string | null
  readonly former_until: number | null
}

export interface TokenZoneTable {
  readonly token_id: string
  readonly zone: string
}

/** One row; grows with every change of what a token opens. */
export interface TokenVersionTable {
  readonly id: number
  readonly version: number
}

export interface SessionTable {
  readonly id: string
  readonly opened_with: string
  readonly turn: number
  readonly turned_at: number
  readonly created_at: number
  readonly last_seen_at: number
  readonly expires_at: number
  readonly ip: string
  readonly user_agent: string | null
  readonly person_id: string | null
}
