import { invalid, ServiceError } from '../../domain/errors.ts'

/** Larger than any list of commits that git sends; it is held whole in memory. */
const maxRequestBytes = 4 * 2 ** 20
/** A client may take so long to send it. */
const maxRequestMs = 60_000

/** The body of a request of git's protocol, unpacked. Whatever is wrong with it is the caller's. */
export async function readRequestBody(request: Request): Promise<Uint8Array> {
  const type = request.headers.get('content-type')
  if (type !== 'application/x-git-upload-pack-request')
    throw new ServiceError('UnsupportedMediaType', 'the body must be a request of git upload-pack')
  if (request.body === null) return new Uint8Array()
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(invalid('body', `must arrive within ${maxRequestMs / 1000} seconds`)),
    maxRequestMs,
  )
  try {
    return await Promise.race([collect(unpacked(request, request.body)), late.promise])
  } catch (thrown) {
    throw thrown instanceof ServiceError ? thrown : invalid('body', 'must be complete', thrown)
  } finally {
    clearTimeout(timer)
  }
}

/** Git packs what is longer than a kilobyte. */
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

/** Leaving the loop early cancels the stream, so that a bomb is unpacked no further. */
async function collect(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of stream) {
    sizeBytes += chunk.length
    if (sizeBytes > maxRequestBytes)
      throw new ServiceError('PayloadTooLarge', `body must be at most ${maxRequestBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
