/**
 * Tells how many bytes of the body are sent: at once where the answer says so itself, else when the
 * body has ended or the client has left. Answers what is to be sent instead of `response`.
 */
export function withSentBytes(
  { method }: Request,
  response: Response,
  tell: (bytes: number) => void,
): Response {
  const length = lengthOf(method, response)
  // To ask for the body is to make a stream of it, which costs several times what sending it does.
  const body = length === undefined ? response.body : null
  if (body !== null) return new Response(counted(body, tell), response)
  tell(length ?? 0)
  return response
}

const withoutBody: ReadonlySet<number> = new Set([204, 304])

/** What a response says of its length; `undefined` where it does not. */
function lengthOf(method: string, { status, headers }: Response): number | undefined {
  if (method === 'HEAD' || withoutBody.has(status)) return 0
  const length = headers.get('content-length')
  return length === null ? undefined : Number(length)
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
