/** Who has the right to write, and where the others reach it. */
export interface LeaseHolder {
  /** Where the other nodes reach it. */
  readonly url: string
  /** Grows with each taking; whatever is written carries the epoch it was written in. */
  readonly epoch: number
}

/**
 * The right to write, which at most one node of a cluster has. It lasts for a term and has to be renewed;
 * time is the store's own, so that no node's clock matters. Of an epoch that is over nothing is written any
 * more, however late whoever had it finds out.
 */
export interface WriterLease extends AsyncDisposable {
  /** Who has it now; `undefined` where its term is over or nobody ever had it. */
  holder(): Promise<LeaseHolder | undefined>
  /**
   * Takes it where nobody has it, and answers the epoch that begins; `undefined` where somebody has it.
   * Writing that is under way in the former epoch is waited for.
   */
  take(url: string): Promise<number | undefined>
  /** Keeps it for another term. `false` where the epoch is over: another one has begun. */
  renew(epoch: number): Promise<boolean>
  /** Gives it up, so that nobody has to wait for the end of the term. Nothing happens where it is over. */
  release(epoch: number): Promise<void>
}
