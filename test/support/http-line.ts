import { connect } from 'node:net'

/** What came over a connection for one request. */
export interface LineResponse {
  readonly status: number
  /** Names in lower case. */
  readonly fields: ReadonlyMap<string, string>
  readonly body: Buffer
}

/** A connection of HTTP/1.1 over which whatever is given is sent as it is. */
export interface HttpLine extends Disposable {
  /** Resolves once the kernel has taken it; it goes out by itself, before what is sent next. */
  send(bytes: string | Uint8Array): Promise<void>
  /** The next response; `undefined` where the other side closes instead. */
  next(method: string): Promise<LineResponse | undefined>
  /** Resolves once the other side has closed. */
  readonly closed: Promise<void>
}

export async function openHttpLine(port: number): Promise<HttpLine> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const closed = Promise.withResolvers<void>()
  let received: Buffer = Buffer.alloc(0)
  let isClosed = false
  let wake = Promise.withResolvers<void>()
  const woken = () => {
    wake.resolve()
    wake = Promise.withResolvers()
  }
  socket.on('data', (bytes: Buffer) => {
    received = Buffer.concat([received, bytes])
    woken()
  })
  const end = () => {
    isClosed = true
    closed.resolve()
    woken()
  }
  socket.on('close', end)
  // A client that is cut off is told by the close that follows.
  socket.on('error', () => undefined)
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve).once('error', reject)
  })
  return {
    closed: closed.promise,
    send: (bytes) =>
      new Promise((resolve) => {
        // What is sent to a connection that is closed is told by its close.
        socket.write(bytes, 'latin1', () => resolve())
      }),
    async next(method) {
      for (;;) {
        const found = takeResponse(received, method)
        if (found !== undefined) {
          received = found.rest
          return found.response
        }
        if (isClosed) return undefined
        await wake.promise
      }
    },
    [Symbol.dispose]: () => void socket.destroy(),
  }
}

interface Taken {
  readonly response: LineResponse
  readonly rest: Buffer
}

function takeResponse(received: Buffer, method: string): Taken | undefined {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const [statusLine = '', ...lines] = received.toString('latin1', 0, headEnd).split('\r\n')
  const fields = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
    }),
  )
  const status = Number(statusLine.split(' ')[1])
  const bodyOf =
    method === 'HEAD' || status === 304 || status === 204
      ? { body: Buffer.alloc(0), end: headEnd + 4 }
      : fields.get('transfer-encoding') === 'chunked'
        ? chunkedBody(received, headEnd + 4)
        : sizedBody(received, { start: headEnd + 4, length: Number(fields.get('content-length')) })
  if (bodyOf === undefined) return undefined
  const { body, end } = bodyOf
  return { response: { status, fields, body }, rest: received.subarray(end) }
}

interface Sized {
  readonly start: number
  readonly length: number
}

const sizedBody = (received: Buffer, { start, length }: Sized) =>
  received.length < start + length
    ? undefined
    : { body: received.subarray(start, start + length), end: start + length }

function chunkedBody(received: Buffer, start: number) {
  const chunks: Buffer[] = []
  let at = start
  for (;;) {
    const lineEnd = received.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const length = Number.parseInt(received.toString('latin1', at, lineEnd), 16)
    const end = lineEnd + 2 + length + 2
    if (received.length < end) return undefined
    if (length === 0) return { body: Buffer.concat(chunks), end }
    chunks.push(received.subarray(lineEnd + 2, end - 2))
    at = end
  }
}
