import { ServiceError } from '../domain/errors.ts'

export type SendEvent = (event: string, data: unknown) => void

/** Answers that go on until the client leaves or the service stops (Server-Sent Events). */
export interface EventStreams {
  /** `start` begins to send; what it answers is disposed of when the stream ends. */
  open(request: Request, start: (send: SendEvent) => Disposable): Response
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

const encoder = new TextEncoder()

export function createEventStreams({
  heartbeatMs = 10_000,
  maxStreams = 100,
  maxWaiting = 256,
}: Options = {}): EventStreams {
  const closers = new Set<() => void>()
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
            stream[Symbol.dispose]()
          }
          closers.add(close)
          end = close
        },
        cancel: () => end?.(),
      },
      { highWaterMark: maxWaiting },
    )
  }

  return {
    open(request, start) {
      if (isClosed || closers.size >= maxStreams)
        throw new ServiceError('Unavailable', 'There are too many open event streams')
      const body = request.method === 'HEAD' ? null : bodyOf(start)
      keepOpen?.(request)
      return new Response(body, {
        headers: {
          'Content-Type': 'text/event-stream',
          'Cache-Control': 'no-store',
          'X-Accel-Buffering': 'no',
        },
      })
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
  // JSON has no line ends of its own, so no text in it can begin another line or event.
  const source = start((event, data) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
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

/** A stream that its reader has cancelled is closed already. */
function closeQuietly(controller: ReadableStreamDefaultController<Uint8Array>): void {
  try {
    controller.close()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
}
