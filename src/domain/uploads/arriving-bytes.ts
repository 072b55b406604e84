import { releaseBytes } from '../../lib/bytes/byte-streams.ts'
import { invalid, ServiceError } from '../errors.ts'

/** Less than this in so long, and a body is let go: even a phone at the edge of its network sends more. */
const slowestBytes = 1024
const paceMs = 30_000

interface Arrival {
  readonly body: ReadableStream<Uint8Array> | Uint8Array
  /** How many bytes the upload still takes; any number where that is not known yet. */
  readonly missingBytes: number | undefined
  /** Told of each chunk before it is handed on; throws to refuse it and what follows. */
  readonly onChunk: (chunk: Uint8Array) => void
  readonly signal: AbortSignal
  readonly after: (ms: number, run: () => void) => () => void
}

/**
 * A body as it arrives, held to what the upload still takes. The chunk that would make the upload whole is
 * handed on only once the body has ended, so that one that is too long never makes it look whole.
 *
 * Ends with an error where the body breaks off, is too long, comes to a standstill, or is taken over; the
 * body is then let go.
 */
export async function* arrivingBytes(
  arrival: Arrival,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { missingBytes = Number.POSITIVE_INFINITY, onChunk, signal } = arrival
  let arrivedBytes = 0
  let last: Uint8Array | undefined
  await using body = openBody(arrival)
  for (;;) {
    const chunk = await body.next()
    signal.throwIfAborted()
    if (chunk === undefined) break
    if (chunk.length === 0) continue
    arrivedBytes += chunk.length
    if (arrivedBytes > missingBytes) throw tooLong()
    onChunk(chunk)
    if (arrivedBytes === missingBytes) last = Uint8Array.from(chunk)
    else yield chunk
    body.release(chunk)
  }
  if (last !== undefined) yield last
}

interface OpenBody extends AsyncDisposable {
  next(): Promise<Uint8Array | undefined>
  release(chunk: Uint8Array): void
}

function openBody({ body, signal, after }: Arrival): OpenBody {
  if (body instanceof Uint8Array) return bodyOf(body)
  const reader = body.getReader()
  let isWaiting = false
  let sinceLook = 0
  let failure: unknown
  let stopLooking = after(paceMs, look)

  /** Only a body that is waited for can be slow: a disk that is slow is no fault of its sender. */
  function look(): void {
    if (isWaiting && sinceLook < slowestBytes) return end(tooSlow())
    sinceLook = 0
    stopLooking = after(paceMs, look)
  }

  /** A read that waits resolves as if the body had ended. */
  function end(reason: unknown): void {
    failure ??= reason
    void reader.cancel(reason).catch(() => {})
  }

  const onAbort = (): void => end(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  return {
    async next() {
      isWaiting = true
      const { value } = await reader.read().catch(brokenOff)
      isWaiting = false
      if (failure !== undefined) throw failure
      sinceLook += value?.length ?? 0
      return value
    },
    release: releaseBytes,
    async [Symbol.asyncDispose]() {
      stopLooking()
      signal.removeEventListener('abort', onAbort)
      void reader.cancel().catch(() => {})
    },
  }
}

function bodyOf(bytes: Uint8Array): OpenBody {
  const rest = [bytes]
  return { next: async () => rest.pop(), release: () => {}, async [Symbol.asyncDispose]() {} }
}

function brokenOff(cause: unknown): never {
  throw cause instanceof ServiceError ? cause : invalid('body', 'must be complete', cause)
}

const tooLong = (): ServiceError =>
  new ServiceError('UploadLengthMismatch', 'body has more bytes than the upload is to have', {
    target: 'body',
  })

const tooSlow = (): ServiceError =>
  invalid('body', `came to a standstill: send at least ${slowestBytes} bytes in 30 seconds`)
