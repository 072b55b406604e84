import type { AssetMetadata, EmbeddedMember } from '../records/asset-metadata.ts'

/** What a file says of itself: its words alone, bounded and cleaned, each with where it was read. */
export type EmbeddedMetadata = Pick<AssetMetadata, EmbeddedMember> &
  Required<Pick<AssetMetadata, 'sources'>>
