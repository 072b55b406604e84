/** The vectors of texts, by the hash of the text. All of it can be worked out again. */
export interface VectorStore {
  /** What is kept of `keys` in a space, as it was saved. Any number may be asked for. */
  find(space: string, keys: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>
  /** Keeps vectors, in the place of those that are kept under the same keys. */
  save(space: string, vectors: ReadonlyMap<string, Uint8Array>): Promise<void>
  /** The spaces that something is kept in. */
  spaces(): Promise<readonly string[]>
  /** Forgets what is kept in every other space. */
  forgetOthers(space: string): Promise<void>
}
