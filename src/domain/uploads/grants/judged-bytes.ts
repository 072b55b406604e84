import { sniffedBytes } from '../../../lib/bytes/sniff-media-type.ts'

/**
 * The same body, which fails with what `judge` throws as soon as enough of it is there to tell its type, so
 * that the rest is never taken. A body that ends before is not judged here.
 */
export function judgedBytes(
  body: ReadableStream<Uint8Array> | Uint8Array,
  judge: (head: Uint8Array) => void,
): ReadableStream<Uint8Array> | Uint8Array {
  if (body instanceof Uint8Array) {
    if (body.length >= sniffedBytes) judge(body.subarray(0, sniffedBytes))
    return body
  }
  let head: Uint8Array | undefined = new Uint8Array(0)
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (head !== undefined) {
          head = Buffer.concat([head, chunk.subarray(0, sniffedBytes - head.length)])
          if (head.length === sniffedBytes) {
            judge(head)
            head = undefined
          }
        }
        controller.enqueue(chunk)
      },
    }),
  )
}
