/** Bodies up to this size come in a few pieces, or soon enough. */
const smallBytes = 65_536
/** A client is said to be alive no more often than so. */
const everyMs = 1_000

/**
 * Bun counts a client as idle that sends its body in small pieces, however many: one at 10 KB a second is cut
 * off when its time is over. Each piece of such a body has `onPiece` say that the client is alive.
 */
export function withLiveBody(request: Request, onPiece: () => void): Request {
  const { body, headers } = request
  if (body === null || !isLarge(headers) || !URL.canParse(request.url)) return request
  const reader = body.getReader()
  let toldAtMs = performance.now()
  const live = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read()
        if (done) return controller.close()
        const nowMs = performance.now()
        if (nowMs - toldAtMs >= everyMs) {
          toldAtMs = nowMs
          onPiece()
        }
        controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
  const { url, method, signal } = request
  return new Request(url, { method, headers, body: live, signal })
}

function isLarge(headers: Headers): boolean {
  const length = headers.get('content-length')
  return length === null || headers.has('transfer-encoding') || Number(length) > smallBytes
}
