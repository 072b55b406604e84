import { ServiceError } from '../../domain/errors.ts'
import { closeQuietly, encoder, finiteStream } from './finite-stream.ts'

export type SendEvent = (event: string, data: unknown) => void

/** Answers that go on until the client leaves or the service stops (Server-Sent Events). */
export interface EventStreams {
  /** `start` begins to send; what it answers is disposed of when the stream ends. */
  open(request: Request, start: (send: SendEvent) => Disposable): Response
  /**
   * Sends what `start` yields, each as it is, and ends with it. The signal aborts once the client leaves
   * or the service stops; nothing is sent from then on.
   */
  answer(request: Request, start: (signal: AbortSignal) => AsyncIterable<string>): Response
  /** Ends them all, so that the listener can stop. */
  closeAll(): void
  /**
   * Names how the listener is told not to cut off a quiet connection. Bun does so after its idle
   * timeout, however much is written to a stream meanwhile.
   */
  keepOpenWith(keepOpen: (request: Request) => void): void
}

interface Options {
  /** So that proxies and browsers see that the stream lives. */
  readonly heartbeatMs?: number
  readonly maxStreams?: number
  /** A client that reads too slowly misses events beyond so many. */
  readonly maxWaiting?: number
}

const streamHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
}

/** A frame of an event stream. JSON has no line ends of its own, so no text in it can begin another. */
export const eventFrame = (event: string, data: unknown): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

export function createEventStreams({
  heartbeatMs = 10_000,
  maxStreams = 100,
  maxWaiting = 256,
}: Options = {}): EventStreams {
  const closers = new Set<() => void>()
  const endless = new Set<() => void>()
  let keepOpen: ((request: Request) => void) | undefined
  let isClosed = false

  function bodyOf(start: (send: SendEvent) => Disposable): ReadableStream<Uint8Array> {
    let end: (() => void) | undefined
    return new ReadableStream<Uint8Array>(
      {
        start(controller) {
          const stream = openStream(controller, start, heartbeatMs)
          const close = () => {
            closers.delete(close)
            endless.delete(close)
            stream[Symbol.dispose]()
          }
          closers.add(close)
          endless.add(close)
          end = close
        },
        cancel: () => end?.(),
      },
      { highWaterMark: maxWaiting },
    )
  }

  return {
    open(request, start) {
      if (isClosed || endless.size >= maxStreams)
        throw new ServiceError('Unavailable', 'There are too many open event streams')
      const body = request.method === 'HEAD' ? null : bodyOf(start)
      keepOpen?.(request)
      return new Response(body, { headers: streamHeaders })
    },
    answer(request, start) {
      keepOpen?.(request)
      const leaving = new AbortController()
      const close = () => leaving.abort()
      closers.add(close)
      request.signal.addEventListener('abort', close)
      const body = finiteStream(start(leaving.signal), {
        leaving,
        heartbeatMs,
        onEnd: () => closers.delete(close),
      })
      return new Response(body, { headers: streamHeaders })
    },
    keepOpenWith(given) {
      keepOpen = given
    },
    closeAll() {
      isClosed = true
      for (const close of closers) close()
    },
  }
}

function openStream(
  controller: ReadableStreamDefaultController<Uint8Array>,
  start: (send: SendEvent) => Disposable,
  heartbeatMs: number,
): Disposable {
  let missed = 0
  const write = (frame: string): void => {
    if ((controller.desiredSize ?? 0) <= 0) missed += 1
    else {
      const note = missed === 0 ? '' : `: ${missed} events were left out\n\n`
      missed = 0
      controller.enqueue(encoder.encode(note + frame))
    }
  }
  write(': open\n\n')
  const timer = setInterval(() => write(': heartbeat\n\n'), heartbeatMs)
  const source = start((event, data) => write(eventFrame(event, data)))
  let isEnded = false
  return {
    [Symbol.dispose]() {
      if (isEnded) return
      isEnded = true
      clearInterval(timer)
      source[Symbol.dispose]()
      closeQuietly(controller)
    },
  }
}
