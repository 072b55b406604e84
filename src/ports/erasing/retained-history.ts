import type { BlobRef } from '../content/blob-store.ts'

/** How long a zone keeps what was replaced or deleted. */
export interface ZoneRetention {
  readonly zone: string
  /** Where the repository has its files. */
  readonly directory: string
  /** Versions that had ended before this need not be kept. */
  readonly endedBefore: Date
  /** Those that had ended before this have waited for others long enough. */
  readonly dueBefore: Date
}

export interface OutdatedBlob extends BlobRef {
  /** What the repository calls it. */
  readonly contentId: string
  /** Whether it has a pointer to the bytes, and they lie elsewhere. */
  readonly isLarge: boolean
}

/** What no zone keeps any more. */
export interface OutdatedContent {
  readonly blobs: readonly OutdatedBlob[]
  /** What commits have, or are to have, in their place. */
  readonly marker: string
  /** When it was looked for: what was written since is not in it. */
  readonly askedAt: Date
}

export interface FoundOutdated extends OutdatedContent {
  /** Zones whose versions had them. */
  readonly zones: readonly string[]
  /** When the newest version that has the marker had ended, by zone. */
  readonly markedUntil: ReadonlyMap<string, Date>
}

export interface WantedOutdated extends Pick<OutdatedContent, 'marker' | 'askedAt'> {
  /** Bytes that no version has any more, which need not be kept wherever commits have them but for branches. */
  readonly released: readonly BlobRef[]
}

/** A history that can let go of what nobody has to keep. */
export interface RetainedHistory {
  /**
   * The bytes of versions that had ended in these zones before their retention, and that nothing else has: no branch,
   * no younger commit, no other zone. None where none of them is due yet.
   */
  outdated(retentions: readonly ZoneRetention[], wanted: WantedOutdated): Promise<FoundOutdated>
  /**
   * Answers once nothing of the bytes is in what is kept, after a power cut neither; and how many commits had them.
   * These have the marker instead, as by `ErasableHistory.erase`; but the same bytes may come again. Rejects, with all
   * as it was, where something has them again by now.
   */
  letGo(content: OutdatedContent): Promise<{ readonly commits: number }>
}
