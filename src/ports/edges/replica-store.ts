import type { AssetRecord } from '../records/asset.ts'
import type { Publication } from '../content/publication-store.ts'
import type { PreviewKey, PreviewRecord } from '../records/preview.ts'
import type { RuleFileRecord, ZoneRecord } from '../records/zone.ts'

/** A place in the feed. The time tells feeds apart that have given a number twice, as after a restore. */
export interface FeedPosition {
  readonly seq: number
  readonly atMs: number
}

/** A host name of a zone's own. */
export interface HostRecord {
  readonly hostname: string
  readonly zone: string
  /** Whether those who come by http are sent to https once there is a certificate. */
  readonly redirectsToHttps: boolean
}

/** Without a zone it is nobody's any more. */
export type HostChange = HostRecord | { readonly hostname: string; readonly zone: undefined }

/** Without a record it is gone. */
export interface PreviewChange extends PreviewKey {
  readonly preview: PreviewRecord | undefined
}

export type ReplicaPublication = Required<
  Pick<
    Publication,
    | 'removedZones'
    | 'zones'
    | 'removedAssets'
    | 'assets'
    | 'ruleFiles'
    | 'removedRuleFiles'
    | 'erased'
  >
>

/** What brings a replica to a later position. */
export interface ReplicaStep {
  readonly to: FeedPosition
  readonly publication: ReplicaPublication
  /** Applied after the publication: a removed zone takes its host names with it. */
  readonly hosts: readonly HostChange[]
  /** The same holds for previews. */
  readonly previews: readonly PreviewChange[]
}

export interface ReplicaContents {
  readonly position: FeedPosition
  readonly zones: readonly ZoneRecord[]
  readonly ruleFiles: readonly RuleFileRecord[]
  readonly hosts: readonly HostRecord[]
  readonly previews: readonly PreviewRecord[]
  readonly erased: readonly string[]
  readonly assets: AsyncIterable<AssetRecord>
}

/** What an edge knows of what is published, kept over a restart. */
export interface ReplicaStore {
  /** `undefined` where nothing was ever kept. */
  load(): Promise<ReplicaContents | undefined>
  /** In their order, all or nothing. What is answered outlives the process, though not a power cut. */
  apply(steps: readonly ReplicaStep[]): Promise<void>
}
