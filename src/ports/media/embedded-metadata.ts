import type { AssetMetadata, EmbeddedMember } from '../records/asset-metadata.ts'

/** What a file says of itself: its words alone, bounded and cleaned, each with where it was read. */
export type EmbeddedMetadata = Pick<AssetMetadata, EmbeddedMember> &
  Required<Pick<AssetMetadata, 'sources'>>

/** What files say of themselves, by the SHA-256 of their bytes. All of it can be read again. */
export interface EmbeddedMetadataStore {
  /** `undefined` where nobody has looked yet. */
  find(sha256: string): Promise<EmbeddedMetadata | undefined>
  /** Replaces what was found before. */
  save(sha256: string, found: EmbeddedMetadata): Promise<void>
  /** Not an error where it is not known. */
  remove(sha256: string): Promise<void>
}
