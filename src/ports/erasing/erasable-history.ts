import type { BlobRef } from '../content/blob-store.ts'

export interface ErasedContent {
  readonly blobs: readonly BlobRef[]
  /** What commits have in their place. */
  readonly marker: string
}

/** A history of commits that can be made to never have had some bytes. */
export interface ErasableHistory {
  /**
   * Answers once nothing of the bytes is in what is kept, after a power cut neither; and how many commits had
   * them. Commits that had them have the marker instead, at the same paths; they and all that build on them
   * have other ids, and their former ids go on naming them. Of what is asked twice, or was broken off, the rest
   * is done. Rejects where the newest commit has the bytes.
   */
  erase(content: ErasedContent): Promise<{ readonly commits: number }>
}
