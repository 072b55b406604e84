import { ServiceError } from '../../domain/errors.ts'

/** Streams of events (Server-Sent Events) that tell many clients the same, each event written once. */
export interface Broadcasts {
  /**
   * Opens a stream that begins with `first`. `start` is given a way to send and says, by what it
   * answers, how to end. Nothing is ever left out: a client that reads too slowly is cut off, and
   * comes back with the place where it was.
   */
  open(request: Request, first: Uint8Array, start: (send: Send) => Disposable): Response
  /** Ends them all, so that the listener can stop. */
  closeAll(): void
  /** As for other streams of events: names how the listener is told not to cut off a quiet one. */
  keepOpenWith(keepOpen: (request: Request) => void): void
  readonly count: number
}

export type Send = (frame: Uint8Array) => void

interface Options {
  readonly heartbeatMs?: number
  readonly maxStreams?: number
  /** What may wait for a client that reads slowly. */
  readonly maxWaitingBytes?: number
}

const encoder = new TextEncoder()
const heartbeat = encoder.encode(': heartbeat\n\n')

/** One event. `data` has no line ends. */
export const eventFrame = (event: string, id: string, data: string): Uint8Array =>
  encoder.encode(`id: ${id}\nevent: ${event}\ndata: ${data}\n\n`)

interface Stream {
  readonly send: Send
  readonly close: () => void
}

export function createBroadcasts({
  heartbeatMs = 5_000,
  maxStreams = 4_096,
  maxWaitingBytes = 16 * 2 ** 20,
}: Options = {}): Broadcasts {
  const streams = new Set<Stream>()
  let keepOpen: ((request: Request) => void) | undefined
  let isClosed = false

  const timer = setInterval(() => {
    for (const stream of streams) stream.send(heartbeat)
  }, heartbeatMs)
  // It must not keep an ending process alive.
  timer.unref()
  return {
    get count() {
      return streams.size
    },
    open(request, first, start) {
      if (isClosed || streams.size >= maxStreams)
        throw new ServiceError('Unavailable', 'There are too many open feeds')
      keepOpen?.(request)
      return new Response(
        request.method === 'HEAD' ? null : bodyOf({ streams, maxWaitingBytes }, first, start),
        {
          headers: {
            'Content-Type': 'text/event-stream',
            'Cache-Control': 'no-store',
            'X-Accel-Buffering': 'no',
          },
        },
      )
    },
    keepOpenWith(given) {
      keepOpen = given
    },
    closeAll() {
      isClosed = true
      clearInterval(timer)
      for (const stream of streams) stream.close()
    },
  }
}

interface Shared {
  readonly streams: Set<Stream>
  readonly maxWaitingBytes: number
}

function bodyOf(
  { streams, maxWaitingBytes }: Shared,
  first: Uint8Array,
  start: (send: Send) => Disposable,
): ReadableStream<Uint8Array> {
  let stream: Stream | undefined
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const source = new DisposableStack()
        const opened: Stream = {
          send(frame) {
            // One frame may be larger than all that may wait.
            const hasRoom = (controller.desiredSize ?? 0) > 0
            if (hasRoom) controller.enqueue(frame)
            else opened.close()
          },
          close() {
            if (!streams.delete(opened)) return
            source.dispose()
            closeQuietly(controller)
          },
        }
        stream = opened
        streams.add(opened)
        opened.send(first)
        source.use(start(opened.send))
      },
      cancel: () => stream?.close(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxWaitingBytes }),
  )
}

/** A stream that its reader has cancelled is closed already. */
function closeQuietly(controller: ReadableStreamDefaultController<Uint8Array>): void {
  try {
    controller.close()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
}
