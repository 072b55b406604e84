import type { ChecksumAlgorithm } from '../../../ports/records/asset-metadata.ts'

export interface ContentDigestTable {
  readonly sha256: string
  readonly md5: string
  readonly checksum_algorithm: ChecksumAlgorithm | null
  readonly checksum: string | null
}
