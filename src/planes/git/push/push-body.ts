import { invalid, ServiceError } from '../../../domain/errors.ts'

/** Whoever sends slower than this, after a while to begin, is cut off. */
const slowestBytesPerSecond = 16_384
const graceMs = 60_000

/**
 * The body of a push as it comes, unpacked where it is packed. Whatever is wrong with it is the caller's:
 * fails with `InvalidParameter` where it breaks off or comes too slowly.
 */
export async function* readPushBody(
  request: Request,
  monotonicMs: () => number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const type = request.headers.get('content-type')
  if (type !== 'application/x-git-receive-pack-request')
    throw new ServiceError('UnsupportedMediaType', 'the body must be a request of git receive-pack')
  if (request.body === null) return
  const begun = monotonicMs()
  let sizeBytes = 0
  try {
    for await (const chunk of unpacked(request, request.body)) {
      sizeBytes += chunk.length
      const isSlow = monotonicMs() - begun > graceMs + (sizeBytes / slowestBytesPerSecond) * 1000
      if (isSlow) throw invalid('body', 'must come faster')
      yield chunk
    }
  } catch (thrown) {
    throw thrown instanceof ServiceError ? thrown : invalid('body', 'must be complete', thrown)
  }
}

function unpacked(
  { headers }: Request,
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): ReadableStream<Uint8Array> {
  const coding = headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity'
  if (coding === 'identity') return body
  if (coding !== 'gzip' && coding !== 'x-gzip')
    throw new ServiceError('UnsupportedMediaType', 'Content-Encoding must be gzip or identity')
  return body.pipeThrough(new DecompressionStream('gzip'))
}
