/** A body that comes in pieces, of so many bytes in all. */
export class BodySending {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  #bytesLeft: number

  constructor(body: ReadableStream<Uint8Array>, sizeBytes: number) {
    this.#reader = body.getReader()
    this.#bytesLeft = sizeBytes
  }

  /**
   * The next piece, which is good until the one after it is asked for; `undefined` after the last one. Rejects where
   * the body breaks off, or is longer or shorter than was said: then its connection has to end.
   */
  async next(): Promise<Uint8Array | undefined> {
    const { value } = await this.#reader.read()
    this.#bytesLeft -= value?.length ?? 0
    if (this.#bytesLeft < 0 || (value === undefined && this.#bytesLeft > 0))
      throw new Error('a body is of another length than was said')
    return value
  }

  cancel(): void {
    // Whoever makes it may have failed already.
    this.#reader.cancel().catch(() => undefined)
  }
}
