import type { AssetMetadata } from './asset-metadata.ts'

/**
 * A catalogued file as of its newest commit. Its members may be getters of a class, so that a copy is made
 * by {@link assetWith}: spreading it would leave them behind.
 */
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
  /** What is known of it besides; left out where that is nothing. */
  readonly metadata?: AssetMetadata
}

/** The same asset but for what is said; `metadata: undefined` leaves that out. */
export function assetWith(
  record: AssetRecord,
  changes: Partial<Pick<AssetRecord, 'sha256' | 'contentType' | 'commitId'>> & {
    readonly metadata?: AssetMetadata | undefined
  },
): AssetRecord {
  const { path, zone, category, name, format, sizeBytes, createdAt, changedAt } = record
  const { sha256, contentType, commitId, metadata } = record
  const dates = { createdAt, changedAt }
  const own = {
    path,
    zone,
    category,
    name,
    format,
    sizeBytes,
    sha256,
    contentType,
    ...dates,
    commitId,
  }
  const { metadata: wanted, ...others } = { metadata, ...changes }
  return { ...own, ...others, ...(wanted !== undefined && { metadata: wanted }) }
}
