import type { AssetRecord } from '../records/asset.ts'
import type { AuditRecord } from '../records/audit.ts'
import type { AssetMove, DeletedAsset } from '../records/past-asset.ts'
import type { DirectoryMarker, ObjectVersion } from '../records/object-version.ts'
import type { FeedEntry, NewFeedEntry } from '../records/feed.ts'
import type { RuleFileName, RuleFileRecord, ZoneRecord } from '../records/zone.ts'
import type { PackedCommits } from './pack-ledger.ts'

/** Everything that becomes visible together. Applied in the order of the members below. */
export interface Publication {
  /** The commit this brings the projections to; absent where no commit is behind it. */
  readonly commitId?: string
  readonly removedZones?: readonly string[]
  readonly zones?: readonly ZoneRecord[]
  readonly removedAssets?: readonly string[]
  readonly assets?: readonly AssetRecord[]
  /** Of the removed assets, those that are nowhere else. */
  readonly deletedAssets?: readonly DeletedAsset[]
  readonly moves?: readonly AssetMove[]
  readonly removedMarkers?: readonly string[]
  readonly markers?: readonly DirectoryMarker[]
  /** What the commit made of paths, each once. */
  readonly versions?: readonly ObjectVersion[]
  readonly ruleFiles?: readonly RuleFileRecord[]
  readonly removedRuleFiles?: readonly RuleFileName[]
  /** What nobody is given any more: bytes by their SHA-256, and paths that had them. */
  readonly erased?: readonly string[]
  readonly audit?: readonly AuditRecord[]
  /** Its commit leads on from none that was published: commits were written anew. */
  readonly isAnew?: true
  /** Where other nodes find the commits it brings. */
  readonly packs?: PackedCommits
  /** Expiries that are announced with it. */
  readonly expiries?: readonly AnnouncedExpiry[]
  readonly feed: readonly NewFeedEntry[]
}

/** Without a moment: none is known of any more. */
export interface AnnouncedExpiry {
  readonly path: string
  readonly expiresAt: Date | undefined
}

/**
 * What the newest published commit looks like, and the ordered feed that led there. Everything here
 * but audit rows, what was erased and entries without a commit can be rebuilt from the content store.
 */
export interface PublicationStore {
  /** The commit the projections stand at, and the newest sequence number (0 where there is none). */
  position(): Promise<{ readonly commitId: string | undefined; readonly seq: number }>
  /**
   * Applies publications in order, all or none, and answers with their feed entries once they are
   * durable. Sequence numbers grow by one an entry and are never given twice. A removed zone takes its
   * assets, its domains and its tokens with it. A zone that is announced as created takes over none of
   * the traffic, none of the usage and none of the log of a former one of its name; the sums of all
   * zones keep it. What is stored and was uploaded is counted with it ({@link UsageStore}).
   */
  publish(publications: readonly Publication[]): Promise<readonly FeedEntry[]>
  /** Every asset, in byte order of the path. What is published while this runs may or may not show. */
  assets(): AsyncIterable<AssetRecord>
  /** Those of `paths` that are assets, in no order. Any number may be asked for. */
  assetsAt(paths: readonly string[]): Promise<readonly AssetRecord[]>
  /** By name, as the rule files are. */
  zones(): Promise<readonly ZoneRecord[]>
  ruleFiles(): Promise<readonly RuleFileRecord[]>
  /** All that was ever erased, in byte order. Outlives {@link forgetProjections}. */
  erased(): Promise<readonly string[]>
  /** Every directory marker, in byte order of the path. */
  markers(): Promise<readonly DirectoryMarker[]>
  /** Entries after `seq`, oldest first, at most `limit`. */
  feedAfter(seq: number, limit: number): Promise<readonly FeedEntry[]>
  /**
   * Forgets the oldest entries that are older than a moment, a few thousand at most, and never the newest
   * `kept`. Answers how many; numbers go on as they were.
   */
  forgetFeedBefore(time: Date, kept: number): Promise<number>
  /** The newest entry that tells of a commit, or `undefined`. */
  lastOfCommit(commitId: string): Promise<FeedEntry | undefined>
  /** The last that was announced of each path, in no order. Outlives {@link forgetProjections}. */
  expiries(): Promise<readonly AnnouncedExpiry[]>
  /**
   * Forgets assets, versions, zones, rule files and the position, so that they can be rebuilt. The feed
   * stays.
   */
  forgetProjections(): Promise<void>
}
