/** Names bytes: the lower-case hex SHA-256 of them, and how many there are. */
export interface BlobRef {
  readonly sha256: string
  readonly sizeBytes: number
}

/** Bytes that have come in and are counted and hashed, but that nobody can find yet. */
export interface IncomingBlob extends BlobRef, AsyncDisposable {
  /**
   * Makes the bytes findable under their SHA-256. Answers once they would survive a power cut.
   * Keeping twice is as keeping once; keeping what has been disposed is an error.
   */
  keep(): Promise<BlobRef>
  /**
   * As {@link keep}, and findable as soon, but sure to survive a power cut only from the next
   * {@link BlobStore.checkpoint} on: for bytes that the caller has durable elsewhere and brings back
   * where they are gone. A kill of the process may take them as well.
   */
  keepLazily(): Promise<BlobRef>
}

/** The part of a blob from byte `start` up to, not including, byte `end`. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * Bytes of a blob that are read when they are asked for, and no others. A `Blob` is such; what is no
 * `Blob` may have to be fetched from elsewhere, so that reading rejects with `StoreUnavailableError`.
 */
export interface BlobBytes {
  readonly size: number
  /** Both places count from the first byte; what lies beyond the last one is left out. */
  slice(start?: number, end?: number): BlobBytes
  bytes(): Promise<Uint8Array<ArrayBuffer>>
  text(): Promise<string>
  /** As fast as it is read; cancelling it ends what is fetched for it. */
  stream(): ReadableStream<Uint8Array<ArrayBuffer>>
}

/** Bytes by their SHA-256. Equal bytes are kept once; what is kept never changes. */
export interface BlobStore extends AsyncDisposable {
  /**
   * Takes bytes in, never holding a large body whole in memory. Where `source` fails, so does this,
   * with the same error, and nothing is kept. What is not kept is gone once it is disposed.
   */
  receive(source: ReadableStream<Uint8Array> | Uint8Array): Promise<IncomingBlob>
  /** The size of a kept blob, or `undefined` where there is none. */
  stat(sha256: string): Promise<BlobRef | undefined>
  /** All the bytes, or `undefined` where there is no such blob. */
  read(sha256: string): Promise<Uint8Array | undefined>
  /**
   * Fills `into` with a blob of exactly that many bytes, where nobody has to wait for them: they are in memory, be it
   * the kernel's. `false` where they are not, which does not say that there is no such blob. Left out by a store that
   * cannot tell.
   */
  readAtOnce?(sha256: string, into: Uint8Array): boolean
  /**
   * A handle that reads lazily, or `undefined`. A range that reaches past the last byte ends there.
   */
  open(sha256: string, range?: ByteRange): Promise<BlobBytes | undefined>
  /**
   * A file of this machine with exactly the blob's bytes, for processes that cannot be handed a stream,
   * or `undefined` where there is no such blob, or only parts of a large one are here. Nobody may write to it. Unless the blob is removed, it
   * stays for at least a minute. Left out by a store that has no files: no image can be made of what it has.
   */
  path?(sha256: string): Promise<string | undefined>
  /**
   * For bytes that look damaged to whoever reads them: hashes the copy of this machine, and drops it
   * where it is other bytes, so that it is made anew. Answers whether it did. Left out by a store that
   * keeps no copies of what is elsewhere.
   */
  dropDamagedCopy?(sha256: string): Promise<boolean>
  /**
   * Makes one kept blob survive a power cut, however it was kept; for bytes that nobody else has. Answers
   * what {@link stat} does.
   */
  flush(sha256: string): Promise<BlobRef | undefined>
  /**
   * Renews the time a blob was kept, as keeping equal bytes does, for somebody who will name it soon. Answers
   * what {@link stat} does; `undefined` too where it cannot be renewed but by keeping it.
   */
  renew(sha256: string): Promise<BlobRef | undefined>
  /** Whether the kept bytes still have the SHA-256 they are named by. A missing blob is not intact. */
  isIntact(sha256: string): Promise<boolean>
  /**
   * Makes all that was kept up to now survive a power cut, and then remembers `mark` in place of the
   * mark before. One at a time, in the order of asking.
   */
  checkpoint(mark: string): Promise<void>
  /**
   * Whether anything that was kept lazily is not sure to survive a power cut yet. Left out by a store where all
   * that is kept is.
   */
  awaitsCheckpoint?(): boolean
  /** The mark of the last checkpoint, or `undefined` before the first. */
  lastCheckpoint(): Promise<string | undefined>
  /** Every kept blob, in no order, with the time it was last kept: equal bytes renew it. */
  list(): AsyncIterable<BlobRef & { readonly keptAt: Date }>
  /**
   * Forgets a blob; with a time, only where it was last kept before that. Answers whether it did. In one
   * process, equal bytes that are kept meanwhile are there afterwards.
   */
  remove(sha256: string, keptBefore?: Date): Promise<boolean>
}
