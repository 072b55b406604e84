/** What an edge was told of former commits, kept over a restart as long as there is room. */
export interface PastStore {
  /** The texts that are kept under some of the keys. */
  read(keys: readonly string[]): Promise<ReadonlyMap<string, string>>
  /**
   * Keeps texts by their keys, in place of what was kept under these. What was read or kept longest ago
   * is forgotten where there is no room. What is kept outlives the process, though not a power cut.
   */
  keep(texts: ReadonlyMap<string, string>): Promise<void>
}
