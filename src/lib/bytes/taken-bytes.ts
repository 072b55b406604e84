/** Bytes of a stream, taken in pieces of any length; holds one chunk of it. */
export interface TakenBytes {
  /** A copy of the next so many; fewer where the stream ends before. */
  take(length: number): Promise<Uint8Array<ArrayBuffer>>
  /** Passes the next so many over; answers how many there were. */
  skip(length: number): Promise<number>
  /** The next so many, in pieces as they come, good until the next one is asked for. */
  pieces(length: number): AsyncGenerator<Uint8Array, void, undefined>
}

export function takeBytes(source: ReadableStream<Uint8Array>): TakenBytes {
  const chunks = source[Symbol.asyncIterator]()
  let chunk: Uint8Array = new Uint8Array(0)
  let at = 0

  /** Some of the next `length`; none at the end. */
  async function some(length: number): Promise<Uint8Array> {
    while (at === chunk.length) {
      const { done, value } = await chunks.next()
      if (done === true) return new Uint8Array(0)
      chunk = value
      at = 0
    }
    const piece = chunk.subarray(at, at + length)
    at += piece.length
    return piece
  }

  async function* pieces(length: number): AsyncGenerator<Uint8Array, void, undefined> {
    for (let left = length; left > 0;) {
      const piece = await some(left)
      if (piece.length === 0) return
      left -= piece.length
      yield piece
    }
  }

  return {
    pieces,
    async take(length) {
      if (at + length <= chunk.length) {
        at += length
        return chunk.slice(at - length, at)
      }
      const taken = new Uint8Array(length)
      let count = 0
      for await (const piece of pieces(length)) {
        taken.set(piece, count)
        count += piece.length
      }
      return taken.subarray(0, count)
    },
    async skip(length) {
      let count = 0
      for await (const piece of pieces(length)) count += piece.length
      return count
    },
  }
}
