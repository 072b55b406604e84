import type { IncomingBlob } from './blob-store.ts'

/** Bytes that are to follow those that are there. */
export interface StagedPiece {
  /** How many bytes are there already. Any other number is an error of the caller's. */
  readonly offset: number
  /** Each chunk is good until the next one is asked for. */
  readonly source: AsyncIterable<Uint8Array>
  /**
   * Asked once, after the source has ended: where it answers no, nothing of the piece stays, after a
   * kill at any moment neither, and the same holds where the source fails. Without it, what came before
   * the source failed stays.
   */
  readonly accept?: () => boolean
  /**
   * What stands here will be joined behind other bytes, so that a hash of it alone would be of no use, and
   * who stages it records itself how many there are once it is told: a kill before that may leave some of
   * it. The same of each piece of an id.
   */
  readonly isLaterPart?: boolean
}

/** How much there is under a name. */
export interface StagedSize {
  readonly id: string
  readonly sizeBytes: number
}

/**
 * Bytes of uploads that are not whole yet. An id is 1 to 64 characters of `A-Z a-z 0-9 -`. Of one id, one
 * thing is asked at a time. Everything here outlives the process.
 */
export interface StagedBytes extends AsyncDisposable {
  /** How many bytes are there and would survive a power cut; 0 where nothing is. */
  size(id: string): Promise<number>
  /**
   * Adds a piece, never holding a large one whole in memory, and answers how many bytes there are once
   * they would survive a power cut. Where `source` fails, so does this, with the same error.
   */
  append(id: string, piece: StagedPiece): Promise<number>
  /** The first bytes, at most `count`. */
  first(id: string, count: number): Promise<Uint8Array>
  /**
   * What is there as a blob, counted and hashed, that can be kept without being read again where both lie
   * at the same place; `undefined` where nothing is there. Once it is kept, the bytes are the blob store's
   * and there is nothing under this id; until then they stay, whether it is disposed or not.
   */
  finish(id: string): Promise<IncomingBlob | undefined>
  /**
   * What is there under all of these ids, one after another, as {@link finish} answers it for one;
   * `undefined` where under one of them nothing is there. Once it is kept, there may be nothing under any
   * of them; until then all of it stays.
   */
  join(ids: readonly string[]): Promise<IncomingBlob | undefined>
  /** Removes what is there, if anything is. */
  drop(id: string): Promise<void>
  /** All that has bytes, in no order. */
  list(): AsyncIterable<StagedSize>
}
