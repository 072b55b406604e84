import type { PackedCommits } from './pack-ledger.ts'

/** A catalogued file as of its newest commit. */
export interface AssetRecord {
  /** `<zone>/v1/<category>/<file>`, without `clients/`; begins with `zone` and a slash. */
  readonly path: string
  readonly zone: string
  /** The segment after `v1/`, or `general`. */
  readonly category: string
  readonly name: string
  /** The file extension in lower case without the dot, or `''`. */
  readonly format: string
  readonly sizeBytes: number
  readonly sha256: string
  readonly contentType: string
  readonly createdAt: Date
  readonly changedAt: Date
  readonly commitId: string
}

export interface ZoneRecord {
  readonly name: string
  readonly createdAt: Date
  /** The commit that made it: what is older is of a former zone of its name. Not known of very old ones. */
  readonly commitId?: string
  readonly enabled: boolean
  readonly suspended: boolean
}

export const ruleFileNames = ['_headers', '_redirects'] as const
export type RuleFileName = (typeof ruleFileNames)[number]

export interface RuleFileRecord {
  readonly name: RuleFileName
  readonly content: string
  readonly changedAt: Date
}

export const feedEvents = [
  'asset.created',
  'asset.updated',
  'asset.deleted',
  'zone.created',
  'zone.updated',
  'zone.deleted',
  'rules.updated',
  'domain.updated',
  'purge.completed',
  'deploy.completed',
] as const
export type FeedEvent = (typeof feedEvents)[number]

/** One announced change. `data` is what webhooks and edges are told, ready for JSON. */
export interface FeedEntry {
  readonly seq: number
  readonly at: Date
  readonly event: FeedEvent
  readonly zone: string | undefined
  readonly path: string | undefined
  readonly commitId: string | undefined
  readonly data: Readonly<Record<string, unknown>>
}

export type NewFeedEntry = Omit<FeedEntry, 'seq'>

/** Who did what, from where. Kept with the change that it tells of. */
export interface AuditRecord {
  readonly at: Date
  readonly action: string
  readonly actor: string
  readonly target: string
  readonly ip: string | undefined
  readonly userAgent: string | undefined
  readonly requestId: string | undefined
  readonly meta: Readonly<Record<string, unknown>>
}

/** Everything that becomes visible together. Applied in the order of the members below. */
export interface Publication {
  /** The commit this brings the projections to; absent where no commit is behind it. */
  readonly commitId?: string
  readonly removedZones?: readonly string[]
  readonly zones?: readonly ZoneRecord[]
  readonly removedAssets?: readonly string[]
  readonly assets?: readonly AssetRecord[]
  readonly ruleFiles?: readonly RuleFileRecord[]
  readonly removedRuleFiles?: readonly RuleFileName[]
  readonly audit?: readonly AuditRecord[]
  /** Where other nodes find the commits it brings. */
  readonly packs?: PackedCommits
  readonly feed: readonly NewFeedEntry[]
}

/**
 * What the newest published commit looks like, and the ordered feed that led there. Everything here
 * but audit rows and entries without a commit can be rebuilt from the content store.
 */
export interface PublicationStore {
  /** The commit the projections stand at, and the newest sequence number (0 where there is none). */
  position(): Promise<{ readonly commitId: string | undefined; readonly seq: number }>
  /**
   * Applies publications in order, all or none, and answers with their feed entries once they are
   * durable. Sequence numbers grow by one an entry and are never given twice. A removed zone takes its
   * assets, its domains and its tokens with it. A zone that is announced as created takes over none of
   * the traffic and none of the log of a former one of its name; the sums of all zones keep it.
   */
  publish(publications: readonly Publication[]): Promise<readonly FeedEntry[]>
  /** Every asset, in byte order of the path. What is published while this runs may or may not show. */
  assets(): AsyncIterable<AssetRecord>
  /** Those of `paths` that are assets, in no order. Any number may be asked for. */
  assetsAt(paths: readonly string[]): Promise<readonly AssetRecord[]>
  /** By name, as the rule files are. */
  zones(): Promise<readonly ZoneRecord[]>
  ruleFiles(): Promise<readonly RuleFileRecord[]>
  /** Entries after `seq`, oldest first, at most `limit`. */
  feedAfter(seq: number, limit: number): Promise<readonly FeedEntry[]>
  /** The newest entry that tells of a commit, or `undefined`. */
  lastOfCommit(commitId: string): Promise<FeedEntry | undefined>
  /** Forgets assets, zones, rule files and the position, so that they can be rebuilt. The feed stays. */
  forgetProjections(): Promise<void>
}

/** The database cannot take writes (a full disk, a failed flush). The caller may try later. */
export class MetadataUnavailableError extends Error {
  override readonly name = 'MetadataUnavailableError'
  /** Whether only a restart helps: after a failed flush nothing on disk may be trusted as flushed. */
  readonly final: boolean

  constructor(message: string, options: { readonly final: boolean; readonly cause?: unknown }) {
    super(message, { cause: options.cause })
    this.final = options.final
  }
}
