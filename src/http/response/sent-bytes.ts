/**
 * Tells how many bytes of the body are sent: at once where the answer says so itself, else when the
 * body has ended or the client has left. Answers what is to be sent instead of `response`.
 */
export function withSentBytes(
  { method }: Request,
  response: Response,
  tell: (bytes: number) => void,
): Response {
  const { body, headers } = response
  const length = headers.get('content-length')
  if (method === 'HEAD' || body === null || length !== null) {
    tell(method === 'HEAD' || body === null ? 0 : Number(length))
    return response
  }
  return new Response(counted(body, tell), response)
}

function counted(
  body: ReadableStream<Uint8Array>,
  tell: (bytes: number) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let bytes = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await reader.read().catch((error: unknown) => {
          tell(bytes)
          throw error
        })
        if (done) {
          // Before the client can know that this was all.
          tell(bytes)
          controller.close()
        } else {
          bytes += value.byteLength
          controller.enqueue(value)
        }
      },
      async cancel(reason) {
        tell(bytes)
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
