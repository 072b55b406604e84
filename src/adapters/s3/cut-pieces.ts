/** No piece has more bytes than there is room for when it is asked for. */
export async function* cut(
  source: AsyncIterable<Uint8Array>,
  room: () => number,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of source)
    for (let place = 0; place < chunk.length;) {
      const piece = chunk.subarray(place, place + room())
      place += piece.length
      yield piece
    }
}
