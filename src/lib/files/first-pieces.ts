import { createSingleFlight, type SingleFlight } from '../async/single-flight.ts'
import { Slots } from '../async/slots.ts'
import { LruCache } from '../collections/lru-cache.ts'
import { WrongContentError } from './content-files.ts'
import type { FetchSlice, SlicedFile, Span } from './sliced-bytes.ts'

interface Piece {
  readonly start: number
  readonly bytes: Uint8Array<ArrayBuffer>
}

interface Wanted {
  readonly span: Span
  readonly sliceEnd: number
  readonly signal: AbortSignal | undefined
}

/** So much is asked for, hashed and sent in a fraction of what a whole slice takes. */
export const firstPieceBytes = 64 * 1024
/** They do not queue behind whole slices. */
const fetchesAtOnce = 32
/** What is held until the slice itself is here, so that nothing is asked for twice meanwhile. */
const maxHeldBytes = 4 * 2 ** 20

/**
 * Of a slice that is not here, a small piece from where its first reader begins: checked as slices are,
 * once for all who wait, and held in memory for those who come before the slice does.
 */
export class FirstPieces {
  readonly #fetchSlice: FetchSlice
  readonly #fetches: SingleFlight<Piece> = createSingleFlight()
  readonly #slots = new Slots(fetchesAtOnce)
  readonly #held = new LruCache<Piece>({
    maxWeight: maxHeldBytes,
    weigh: ({ bytes }) => bytes.length,
  })

  constructor(fetchSlice: FetchSlice) {
    this.#fetchSlice = fetchSlice
  }

  held(slice: string): Piece | undefined {
    return this.#held.get(slice)
  }

  /** The beginning of the span; `undefined` where another reader's piece was on its way, and has none of it. */
  async fetch(
    slice: string,
    file: SlicedFile,
    { span, sliceEnd, signal }: Wanted,
  ): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const { value } = await this.#fetches.run(slice, signal, async (leaving) => {
      using _slot = await this.#slots.take()
      leaving.throwIfAborted()
      const { start } = span
      const end = Math.min(start + firstPieceBytes, sliceEnd)
      const piece = { start, bytes: await this.#fetchSlice(file, { start, end }, leaving) }
      this.#held.set(slice, piece)
      return piece
    })
    return beginningIn(value, span)
  }

  /** Lets go of the piece of a slice that has come, which must have it in its place. */
  check(slice: string, bytes: Uint8Array, start: number): void {
    const piece = this.#held.get(slice)
    if (piece === undefined) return
    this.#held.delete(slice)
    const from = piece.start - start
    if (Buffer.compare(bytes.subarray(from, from + piece.bytes.length), piece.bytes) !== 0)
      throw new WrongContentError('Other bytes came in a slice than in its first piece')
  }
}

/** So much of the beginning of a span as is in a piece. */
export function beginningIn(
  { start, bytes }: Piece,
  span: Span,
): Uint8Array<ArrayBuffer> | undefined {
  const from = span.start - start
  return from >= 0 && from < bytes.length ? bytes.slice(from, span.end - start) : undefined
}
