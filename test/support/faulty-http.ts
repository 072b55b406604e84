import type { Socket } from 'bun'

export type HttpFault = 'status 503' | 'reset' | 'truncate' | 'damage' | 'black hole'

/** Stands between a client and an HTTP server of this machine, and answers wrongly when told to. */
export interface FaultyHttp extends AsyncDisposable {
  readonly port: number
  /** Requests that came, answered rightly or not. */
  readonly requests: number
  /** The responses to the next so many requests. */
  failNext(count: number, fault: HttpFault): void
}

interface Side {
  readonly other: Promise<Socket<Side>>
  /** What happens to the response to the newest request. */
  fault: HttpFault | undefined
}

const requestLine = /^(?:GET|HEAD|PUT|POST|DELETE) /u

export async function openFaultyHttp(serverPort: number): Promise<FaultyHttp> {
  let [failing, nextFault, requests]: [number, HttpFault, number] = [0, 'reset', 0]
  const open = new Set<Socket<Side>>()

  function heed(client: Socket<Side>, bytes: Uint8Array): void {
    if (!requestLine.test(Buffer.from(bytes.subarray(0, 8)).toString('latin1'))) return
    requests += 1
    client.data.fault = failing > 0 ? nextFault : undefined
    failing -= failing > 0 ? 1 : 0
  }

  async function fromClient(client: Socket<Side>, bytes: Uint8Array): Promise<void> {
    const kept = Uint8Array.from(bytes)
    heed(client, kept)
    const { fault } = client.data
    if (fault === 'reset') client.terminate()
    else if (fault === 'status 503')
      client.end('HTTP/1.1 503 Slow Down\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
    else if (fault !== 'black hole') writeWhole(await client.data.other, kept)
  }

  function fromServer(client: Socket<Side>, bytes: Uint8Array): void {
    const kept = Uint8Array.from(bytes)
    const { fault } = client.data
    if (fault === 'truncate') client.end(kept.subarray(0, kept.length / 2))
    else {
      if (fault === 'damage' && kept.length > 2_000)
        kept.set([~(kept.at(-1) ?? 0)], kept.length - 1)
      writeWhole(client, kept)
    }
  }

  const listener = Bun.listen<Side>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open(client) {
        open.add(client)
        const other = Bun.connect<Side>({
          hostname: '127.0.0.1',
          port: serverPort,
          data: { other: Promise.resolve(client), fault: undefined },
          socket: {
            data: (_server, bytes) => fromServer(client, bytes),
            close: () => void client.end(),
            error() {},
          },
        })
        client.data = { other, fault: undefined }
      },
      data: (client, bytes) => void fromClient(client, bytes),
      close(client) {
        open.delete(client)
        void client.data.other.then((server) => server.terminate())
      },
      error() {},
    },
  })
  return {
    port: listener.port,
    get requests() {
      return requests
    },
    failNext(count, fault) {
      ;[failing, nextFault] = [count, fault]
    },
    async [Symbol.asyncDispose]() {
      for (const client of open) client.terminate()
      listener.stop(true)
    },
  }
}

/** What does not fit into the socket's buffer now is written a little later. */
function writeWhole(socket: Socket<Side>, bytes: Uint8Array): void {
  const written = Math.max(socket.write(bytes), 0)
  if (written < bytes.length && socket.readyState > 0)
    setTimeout(() => writeWhole(socket, bytes.subarray(written)), 1)
}
