import type { BlobRef } from './blob-store.ts'

/** The objects that lead from one commit to another, as packs that lie in a blob store. */
export interface PackedCommits {
  /** Whoever has this commit needs nothing else; `undefined` where nothing is needed. */
  readonly after: string | undefined
  readonly commitId: string
  readonly packs: readonly BlobRef[]
}

export interface PackRecord extends PackedCommits {
  /** Grows from record to record. */
  readonly place: number
}

/**
 * Which packs make up the repository, in the order of its commits. A publication that brings packs along
 * records them with itself ({@link Publication.packs}). One that leads on from nothing takes the place of all.
 */
export interface PackLedger {
  /** The records after `place`, oldest first. */
  after(place: number): Promise<readonly PackRecord[]>
  last(): Promise<PackRecord | undefined>
  /** Records packs of what is published already. Before whom nothing is needed takes the place of all others. */
  append(commits: PackedCommits): Promise<void>
  /**
   * Puts one record in the place of those from `first` to `last`, which lie side by side: what it has
   * leads from where the first began to where the last ended. It takes the place of the last.
   */
  join(first: number, last: number, packs: readonly BlobRef[]): Promise<void>
}
