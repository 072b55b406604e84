import type { AssetMetadata } from './asset-metadata.ts'

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
  /** What is known of it besides; left out where that is nothing. */
  readonly metadata?: AssetMetadata
}
