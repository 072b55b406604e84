import type { MultipartLayout } from './ranges.ts'

/** Bytes that can be read a part at a time. */
export interface Sliceable {
  slice(start: number, end: number): { bytes(): Promise<Uint8Array> }
}

/** A multipart/byteranges body (RFC 9110 §14.6) from bytes in memory. */
export const multipartBlob = (body: Blob, { parts, tail }: MultipartLayout): Blob =>
  new Blob([...parts.flatMap(({ head, span }) => [head, body.slice(span.start, span.end)]), tail])

/**
 * The same from a file, read as the connection takes it: a slow client holds one piece in memory. (A
 * Blob with parts of files in it would come out empty there under Bun 1.4.)
 */
export function sliceStream(body: Sliceable, layout: MultipartLayout): ReadableStream<Uint8Array> {
  const pieces = multipartPieces(body, layout)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await pieces.next()
        if (done === true) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await pieces.return(undefined)
      },
    },
    { highWaterMark: 1 },
  )
}

const encoder = new TextEncoder()
const pieceBytes = 256 * 1024

async function* multipartPieces(
  body: Sliceable,
  { parts, tail }: MultipartLayout,
): AsyncGenerator<Uint8Array> {
  for (const { head, span } of parts) {
    yield encoder.encode(head)
    for (let start = span.start; start < span.end; start += pieceBytes)
      yield await body.slice(start, Math.min(start + pieceBytes, span.end)).bytes()
  }
  yield encoder.encode(tail)
}
