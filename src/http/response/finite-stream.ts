export const encoder = new TextEncoder()

interface Ending {
  readonly leaving: AbortController
  readonly heartbeatMs: number
  readonly onEnd: () => void
}

/** A stream of what is yielded, with comments while nothing is. Takes the next frame when the client has room for it. */
export function finiteStream(
  frames: AsyncIterable<string>,
  { leaving, heartbeatMs, onEnd }: Ending,
): ReadableStream<Uint8Array> {
  const iterator = frames[Symbol.asyncIterator]()
  let timer: Timer | undefined
  const end = (): void => {
    clearInterval(timer)
    onEnd()
  }
  return new ReadableStream<Uint8Array>({
    start(controller) {
      timer = setInterval(() => controller.enqueue(encoder.encode(': ping\n\n')), heartbeatMs)
      leaving.signal.addEventListener('abort', () => {
        end()
        closeQuietly(controller)
        // What it holds open is let go, be it in the middle of waiting.
        iterator.return?.().catch(() => {})
      })
    },
    async pull(controller) {
      const { value, done } = await iterator.next()
      if (leaving.signal.aborted) return
      if (done !== true) return controller.enqueue(encoder.encode(value))
      end()
      controller.close()
    },
    cancel() {
      leaving.abort()
    },
  })
}

/** A stream that its reader has cancelled is closed already. */
export function closeQuietly(controller: ReadableStreamDefaultController<Uint8Array>): void {
  try {
    controller.close()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
}
