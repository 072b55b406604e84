/** So much is taken at once on the word of whoever sends; of more an eighth has to be there first. */
const believedBytes = 2 ** 20
const shareThere = 8

/**
 * The whole of a stream in one array. Where `expectedBytes` is right, hardly a byte is held twice; where it is
 * wrong or unknown the array grows by doubling. Memory that was in use before costs its clearing, more than half
 * a millisecond for each megabyte, so that nobody gets much of it for a number in a header.
 */
export async function collectBytes(
  source: ReadableStream<Uint8Array>,
  expectedBytes = 0,
): Promise<Uint8Array> {
  let bytes = new Uint8Array(Math.min(Math.max(expectedBytes, 4096), believedBytes))
  let length = 0
  for await (const chunk of source) {
    const needed = length + chunk.length
    if (needed > bytes.length) {
      const larger = new Uint8Array(
        needed <= expectedBytes
          ? Math.min(expectedBytes, needed * shareThere)
          : Math.max(bytes.length * 2, needed),
      )
      larger.set(bytes.subarray(0, length))
      bytes = larger
    }
    bytes.set(chunk, length)
    length = needed
  }
  return bytes.subarray(0, length)
}

/** As the body of a `Response`: what is no `Blob` is read as the connection takes it. */
export const bodyOf = (bytes: Pick<Blob, 'stream'>): BodyInit =>
  bytes instanceof Blob ? bytes : bytes.stream()

/** The same once its first byte is there: what cannot be had is then refused, and not broken off. */
export async function readableBody(
  bytes: Pick<Blob, 'stream'> & { slice(start: number, end: number): Pick<Blob, 'bytes'> },
): Promise<BodyInit> {
  if (!(bytes instanceof Blob)) await bytes.slice(0, 1).bytes()
  return bodyOf(bytes)
}

/** A stream that asks for the next chunk when it is wanted, and ends the source where it is cancelled. */
export function readableStreamOf(
  chunks: AsyncGenerator<Uint8Array, void, undefined>,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next()
        if (done === true) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await chunks.return()
      },
    },
    { highWaterMark: 0 },
  )
}

/**
 * Gives back the memory of bytes that nobody looks at any more: garbage collection does so only once there
 * is about as much garbage as there is else in the process. A view of a part of something is left alone.
 */
export function releaseBytes({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength) buffer.transfer(0)
}

/** A stream whose chunks are good until the next one is asked for, so that it takes no more memory than one. */
export const passingStream = (source: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> =>
  readableStreamOf(passing(source))

async function* passing(
  source: ReadableStream<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of source) {
    yield chunk
    releaseBytes(chunk)
  }
}
