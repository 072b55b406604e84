import type { BlobBytes } from './blob-store.ts'

/** A repository whose objects others need too. */
export interface RepositorySource {
  /**
   * Packs, each whole in itself, with all that whoever has `after` needs to have `commitId`; more may be in
   * them. They are read once, in order, and each to its end.
   */
  packs(after: string | undefined, commitId: string): Promise<readonly ReadableStream<Uint8Array>[]>
  /** The same as one pack that is made for it and has nothing else. */
  packsAnew(
    after: string | undefined,
    commitId: string,
  ): Promise<readonly ReadableStream<Uint8Array>[]>
}

/** A repository that takes up what another one has. */
export interface RepositoryCopy {
  /** Whether the commit is there. With it is whatever it needs, as packs come in order. */
  has(commitId: string): Promise<boolean>
  /** Takes the objects of a pack. Answers once they would survive a power cut. */
  add(pack: Pick<BlobBytes, 'stream'>): Promise<void>
  /** Lets the branch stand at a commit. What it had that does not lead there is set aside. */
  resetTo(commitId: string): Promise<void>
  /** Keeps nothing that the branch does not lead to, nor what was set aside. */
  dropOthers(): Promise<void>
}
