export interface Span {
  readonly start: number
  readonly end: number
}

/** A large file by the SHA-256 of all its bytes, which is the name of its slices, not a check of them. */
export interface SlicedFile {
  readonly sha256: string
  readonly sizeBytes: number
}

/**
 * Exactly the bytes of a span from elsewhere, checked by whatever that says of them. Rejects where they
 * cannot be had; the signal tells that nobody waits for them any more.
 */
export type FetchSlice = (
  file: SlicedFile,
  span: Span,
  signal: AbortSignal,
) => Promise<Uint8Array<ArrayBuffer>>

/** What a large file is read by, a slice at a time. */
export interface SliceReader {
  /**
   * The bytes of a span that lies within one slice, fetched where they are not here: all of them, or at
   * least one from its beginning.
   */
  read(span: Span, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>>
  /** Has the slice with this byte fetched where it is not here, without holding it. */
  fetchAhead(offset: number, signal: AbortSignal): void
}

/** As a part of a `Blob`, of which no byte is fetched before it is read, and few bytes are ever held. */
export class SlicedBytes {
  readonly #reader: SliceReader
  readonly #sliceBytes: number
  readonly #span: Span

  constructor(
    reader: SliceReader,
    { sliceBytes, ...span }: Span & { readonly sliceBytes: number },
  ) {
    this.#reader = reader
    this.#sliceBytes = sliceBytes
    this.#span = span
  }

  get size(): number {
    return this.#span.end - this.#span.start
  }

  slice(start = 0, end = this.size): SlicedBytes {
    const from = this.#span.start + Math.min(Math.max(start, 0), this.size)
    const to = Math.max(from, this.#span.start + Math.min(end, this.size))
    return new SlicedBytes(this.#reader, { sliceBytes: this.#sliceBytes, start: from, end: to })
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = new Uint8Array(this.size)
    let length = 0
    for await (const piece of this.#pieces(new AbortController().signal, this.#sliceBytes)) {
      bytes.set(piece, length)
      length += piece.length
    }
    return bytes
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes())
  }

  stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    const leaving = new AbortController()
    const pieces = this.#pieces(leaving.signal, pieceBytes)
    return new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        async pull(controller) {
          const { value, done } = await pieces.next()
          if (done === true) controller.close()
          else controller.enqueue(value)
        },
        cancel() {
          leaving.abort(new Error('The bytes are not read to their end'))
        },
      },
      { highWaterMark: 0 },
    )
  }

  /** While one slice is read the next ones are on their way, to the disk: a slow reader holds one piece. */
  async *#pieces(signal: AbortSignal, maxBytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    let aheadOf = this.#span.start
    for (let start = this.#span.start; start < this.#span.end;) {
      const sliceEnd = (Math.floor(start / this.#sliceBytes) + 1) * this.#sliceBytes
      const end = Math.min(start + maxBytes, sliceEnd, this.#span.end)
      const piece = await this.#reader.read({ start, end }, signal)
      // Not sooner: what nobody waits for yet would be in the way of what somebody does.
      aheadOf = this.#fetchAhead(Math.max(aheadOf, sliceEnd), sliceEnd, signal)
      yield piece
      start += piece.length
    }
  }

  #fetchAhead(from: number, sliceEnd: number, signal: AbortSignal): number {
    const until = Math.min(this.#span.end, sliceEnd + slicesAhead * this.#sliceBytes)
    let offset = from
    for (; offset < until; offset += this.#sliceBytes) this.#reader.fetchAhead(offset, signal)
    return offset
  }
}

const pieceBytes = 256 * 1024
/** As many are on their way as fill a connection of 100 MB/s and a round trip of 30 ms. */
const slicesAhead = 3
