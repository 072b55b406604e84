import {
  metadataOfRow,
  metadataRow,
  type MetadataRow,
} from '../../../ports/records/asset-metadata.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { PreviewRecord } from '../../../ports/records/preview.ts'
import type { ZoneRecord } from '../../../ports/records/zone.ts'
import {
  type AssetPath,
  categoryOf,
  fileNameOf,
  formatOf,
  zoneOf,
} from '../../content/asset-path.ts'

/** An asset as it is sent between edges; what follows from its path is left out. */
export type AssetRow = readonly [
  path: string,
  sha256: string,
  sizeBytes: number,
  contentType: string,
  createdAtMs: number,
  changedAtMs: number,
  commitId: string,
  /** Left out where nothing is known; what does not know it reads the rest. */
  metadata?: MetadataRow,
]

export type ZoneRow = readonly [
  name: string,
  createdAtMs: number,
  enabled: boolean,
  suspended: boolean,
  /** Left out where nobody may ask for it; what does not know it reads the rest. */
  history?: ZoneRecord['history'] | null,
  transformMode?: ZoneRecord['transformMode'] | null,
  transforms?: string | null,
  /** Left out where nothing of the past was let go. */
  historySinceMs?: number | null,
  /** Left out where it has none of them. */
  further?: FurtherOfZone,
]

/** What else edges have to know of a zone, by its name. */
export type FurtherOfZone = Pick<
  ZoneRecord,
  'headers' | 'redirects' | 'cacheSeconds' | 'metadataPolicy' | 'delivery'
>

export function assetRow(asset: AssetRecord): AssetRow {
  const row = [
    asset.path,
    asset.sha256,
    asset.sizeBytes,
    asset.contentType,
    asset.createdAt.getTime(),
    asset.changedAt.getTime(),
    asset.commitId,
  ] as const
  return asset.metadata === undefined ? row : [...row, metadataRow(asset.metadata)]
}

export function assetOfRow(row: AssetRow): AssetRecord {
  const [path, sha256, sizeBytes, contentType, createdAtMs, changedAtMs, commitId, metadata] = row
  const assetPath = path as AssetPath
  const name = fileNameOf(assetPath)
  return {
    path,
    zone: zoneOf(assetPath),
    category: categoryOf(assetPath),
    name,
    format: formatOf(name),
    sizeBytes,
    sha256,
    contentType,
    createdAt: new Date(createdAtMs),
    changedAt: new Date(changedAtMs),
    commitId,
    ...(metadata !== undefined && { metadata: metadataOfRow(metadata) }),
  }
}

/** What it ends with and has not is left out. */
export function zoneRow(zone: ZoneRecord): ZoneRow {
  const { name, createdAt, enabled, suspended, history, transformMode, transforms } = zone
  const further = furtherOf(zone)
  const said = [history, transformMode, transforms, zone.historySince?.getTime(), further]
  const length = said.findLastIndex((each) => each !== undefined) + 1
  const rest = said.slice(0, length).map((each) => each ?? null)
  return [name, createdAt.getTime(), enabled, suspended, ...rest] as unknown as ZoneRow
}

function furtherOf(zone: Partial<ZoneRecord>): FurtherOfZone | undefined {
  const { headers, redirects, cacheSeconds, metadataPolicy, delivery } = zone
  const further = {
    ...(headers !== undefined && { headers }),
    ...(redirects !== undefined && { redirects }),
    ...(cacheSeconds !== undefined && { cacheSeconds }),
    ...(metadataPolicy !== undefined && { metadataPolicy }),
    ...(delivery !== undefined && { delivery }),
  }
  return Object.keys(further).length === 0 ? undefined : further
}

export const zoneOfRow = ([
  name,
  createdAtMs,
  enabled,
  suspended,
  history,
  transformMode,
  transforms,
  historySinceMs,
  further,
]: ZoneRow): ZoneRecord => ({
  name,
  createdAt: new Date(createdAtMs),
  enabled,
  suspended,
  ...(history && { history }),
  ...(transformMode && { transformMode }),
  ...(typeof transforms === 'string' && { transforms }),
  ...(typeof historySinceMs === 'number' && { historySince: new Date(historySinceMs) }),
  ...(further !== undefined && furtherOf(further)),
})

/** A preview of a zone that is known already. */
export type PreviewRow = readonly [
  name: string,
  baseCommitId: string,
  headCommitId: string,
  createdAtMs: number,
  changedAtMs: number,
  expiresAtMs: number,
  flags: readonly ('own-expiry' | 'signed')[],
  createdBy: string,
]

export const previewRow = (preview: PreviewRecord): PreviewRow => [
  preview.name,
  preview.baseCommitId,
  preview.headCommitId,
  preview.createdAt.getTime(),
  preview.changedAt.getTime(),
  preview.expiresAt.getTime(),
  [
    ...(preview.hasOwnExpiry ? (['own-expiry'] as const) : []),
    ...(preview.isSigned ? (['signed'] as const) : []),
  ],
  preview.createdBy,
]

export function previewOfRow(zone: string, row: PreviewRow): PreviewRecord {
  const [name, baseCommitId, headCommitId, createdAtMs, changedAtMs, expiresAtMs] = row
  const [, , , , , , flags, createdBy] = row
  return {
    zone,
    name,
    baseCommitId,
    headCommitId,
    createdAt: new Date(createdAtMs),
    changedAt: new Date(changedAtMs),
    expiresAt: new Date(expiresAtMs),
    hasOwnExpiry: flags.includes('own-expiry'),
    isSigned: flags.includes('signed'),
    createdBy,
  }
}
