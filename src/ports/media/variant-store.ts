/** What was made of an image, under the name of how it was made. */
export interface Variant {
  /** Lower-case hex SHA-256 over everything that decides what the variant looks like. */
  readonly key: string
  /** Names the image it was made from. */
  readonly sourceSha256: string
  /** Names the images that were laid over that one. A store forgets it by them, and need not answer with them. */
  readonly overlaySha256s?: readonly string[]
  readonly contentType: string
  readonly bytes: Uint8Array
  /** The first 32 hex digits of the SHA-256 of the bytes. */
  readonly digest: string
  /** What callers are told about how it was made: words of `[a-z0-9-]`, at most 8. */
  readonly notes: readonly string[]
}

/**
 * Variants by key, as many as there is room for. Any may be forgotten at any time: each can be made
 * again. What is answered is whole and has the digest it says, or it is not answered.
 */
export interface VariantStore extends AsyncDisposable {
  get(key: string): Promise<Variant | undefined>
  /**
   * Replaces what has the same key. The variants of one source never number more than the store's
   * limit for one source, nor all together more bytes than its limit for all: the ones used longest
   * ago go first.
   */
  put(variant: Variant): Promise<void>
  /** A local file with exactly the variant's bytes, or `undefined` where there is none. */
  path(key: string): Promise<string | undefined>
  /** The sources that variants are there of, each once. */
  sources(): Iterable<string>
  /** Forgets every variant of a source, and each that has it laid over another image. */
  removeSource(sourceSha256: string): Promise<void>
  readonly sizeBytes: number
}
