import type { BlobBytes, ByteRange } from '../../ports/content/blob-store.ts'

/**
 * `body`, with the first bytes of `span` read already: whoever asks for the span gets those and what
 * follows, and where they are all of it a `Blob`, whose length is known. To be asked for it once.
 */
export async function beginReading(body: BlobBytes, span: ByteRange): Promise<BlobBytes> {
  const part = body.slice(span.start, span.end)
  const reader = part.stream().getReader()
  const { value } = await reader.read()
  if (value === undefined || value.length === part.size) {
    // To its end, and not broken off: what is fetched besides goes on.
    await reader.read()
    return withPart(body, span, new Blob(value === undefined ? [] : [value]))
  }
  const stream = () => continued(value, reader)
  return withPart(body, span, { ...readOf(part), stream })
}

/** What `body` is, but for that part of it. */
function withPart(body: BlobBytes, { start, end }: ByteRange, part: BlobBytes): BlobBytes {
  const isAll = start === 0 && end === body.size
  return {
    ...readOf(body),
    stream: () => (isAll ? part.stream() : body.stream()),
    slice: (from = 0, to = body.size) =>
      from === start && to === end ? part : body.slice(from, to),
  }
}

const readOf = (bytes: BlobBytes): BlobBytes => ({
  size: bytes.size,
  slice: (start, end) => bytes.slice(start, end),
  bytes: () => bytes.bytes(),
  text: () => bytes.text(),
  stream: () => bytes.stream(),
})

function continued(
  first: Uint8Array<ArrayBuffer>,
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let next: Uint8Array<ArrayBuffer> | undefined = first
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const value = next ?? (await reader.read()).value
        next = undefined
        if (value === undefined) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
