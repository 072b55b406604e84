import type { ErasurePlace, ErasureRecord } from '../records/erasure.ts'

/** The ledger of erasures. Nothing is ever removed from it. What is answered would survive a power cut. */
export interface ErasureStore {
  add(erasure: ErasureRecord): Promise<void>
  find(id: string): Promise<ErasureRecord | undefined>
  /** Newest first, at most `limit`; with `before`, the id of one, those before it. */
  list(page: {
    readonly limit: number
    readonly before?: string | undefined
  }): Promise<readonly ErasureRecord[]>
  /** Those that some place has still to confirm, oldest first. */
  open(): Promise<readonly ErasureRecord[]>
  /** Puts places in the stead of those of the same names. Answers the record as it is then. */
  note(id: string, places: readonly ErasurePlace[]): Promise<ErasureRecord>
  /** Records what was found out of it. */
  learn(id: string, facts: Partial<Pick<ErasureRecord, 'commits' | 'feedSeq'>>): Promise<void>
  /** Records that every place has confirmed, or was told. */
  finish(id: string, at: Date): Promise<void>
  /** Records that these places have something to do again. */
  reopen(id: string, places: readonly ErasurePlace[]): Promise<void>
}
