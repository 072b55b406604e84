import type { Socket } from 'bun'

/**
 * Requests for one path, or for several in turn, over connections that stay open unless something else is said; each
 * waits for its response before the next.
 */
export interface Load {
  readonly url: URL
  /** With its query. Of several the requests begin with the one at `first`. */
  readonly path: string | readonly string[]
  readonly first?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly status: number
  readonly requests: number
  readonly connections: number
  /** Whether each request comes over a connection of its own, which the client ends. */
  readonly reconnects?: boolean
}

/** One connection: what is left of the response that comes in. */
interface Progress {
  /** Bytes of an incomplete header section. */
  head: string
  bodyBytes: number
  isDone: boolean
}

/** Sends them over bare sockets, so that the client costs as little as it can; rejects at any other status. */
export async function sendAll(load: Load): Promise<void> {
  const { url, path, status, connections } = load
  const fields = { Host: url.host, ...load.headers }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  const paths = typeof path === 'string' ? [path] : path
  const requests = paths.map((each) => Buffer.from(`GET ${each} HTTP/1.1\r\n${lines.join('')}\r\n`))
  let next = load.first ?? 0
  const done = Promise.withResolvers<void>()
  const sockets = new Set<Socket<Progress>>()
  let unsent = load.requests
  let unanswered = load.requests

  function sendNext(socket: Socket<Progress>): void {
    if (unsent === 0) return
    unsent -= 1
    const request = requests[next++ % requests.length] ?? Buffer.alloc(0)
    if (socket.write(request) < request.length) done.reject(new Error('a request was cut'))
  }

  function readHead(socket: Socket<Progress>, bytes: Buffer): Buffer | undefined {
    const { data } = socket
    data.head += bytes.toString('latin1')
    const end = data.head.indexOf('\r\n\r\n')
    if (end < 0) return undefined
    const head = data.head.slice(0, end)
    const got = Number(head.slice(9, 12))
    if (got !== status)
      done.reject(new Error(`${paths[0]} got ${got}: ${data.head.slice(0, 2000)}`))
    const readBytes = bytes.length - (data.head.length - end - 4)
    data.bodyBytes = got === 304 ? 0 : Number(/\r\ncontent-length: (\d+)/iu.exec(head)?.[1])
    data.head = ''
    return bytes.subarray(readBytes)
  }

  function read(socket: Socket<Progress>, bytes: Buffer): void {
    const { data } = socket
    const body = data.bodyBytes > 0 ? bytes : readHead(socket, bytes)
    if (body === undefined) return
    data.bodyBytes -= body.length
    if (data.bodyBytes !== 0) {
      if (!(data.bodyBytes > 0)) done.reject(new Error(`${paths[0]} sent too much`))
      return
    }
    unanswered -= 1
    if (unanswered === 0) done.resolve()
    else if (load.reconnects === true) replace(socket)
    else sendNext(socket)
  }

  function replace(socket: Socket<Progress>): void {
    socket.data.isDone = true
    sockets.delete(socket)
    socket.end()
    if (unsent > 0) connect().then(sendNext, done.reject)
  }

  async function connect(): Promise<Socket<Progress>> {
    const socket = await Bun.connect<Progress>({
      hostname: url.hostname,
      port: Number(url.port),
      data: { head: '', bodyBytes: 0, isDone: false },
      socket: {
        data: read,
        close: ({ data }) => {
          if (!data.isDone) done.reject(new Error('a connection was closed'))
        },
        error: (_socket, error) => done.reject(error),
      },
    })
    sockets.add(socket)
    return socket
  }

  for (let count = 0; count < connections; count += 1) await connect()
  for (const socket of sockets) sendNext(socket)
  try {
    await done.promise
  } finally {
    for (const socket of sockets) socket.terminate()
  }
}
