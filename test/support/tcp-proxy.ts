import type { Socket } from 'bun'

/** `black hole`: takes everything and says nothing. `cut`: ends what there is and takes nothing new. */
export type ProxyState = 'open' | 'black hole' | 'cut'

/** Stands between a client and a server of this machine, and can fail in the ways that networks do. */
export interface TcpProxy extends AsyncDisposable {
  readonly port: number
  /** In both directions. */
  readonly passedBytes: number
  turnInto(state: ProxyState): void
}

interface Side {
  readonly other: Promise<Socket<Side>>
}

export async function openTcpProxy(serverPort: number): Promise<TcpProxy> {
  let state: ProxyState = 'open'
  let passedBytes = 0
  const open = new Set<Socket<Side>>()
  const handlers = {
    async data(socket: Socket<Side>, bytes: Uint8Array) {
      const kept = Uint8Array.from(bytes)
      passedBytes += kept.length
      const other = await socket.data.other.catch(() => undefined)
      if (state === 'open' && other !== undefined) writeWhole(other, kept)
    },
    close(socket: Socket<Side>) {
      open.delete(socket)
      if (state !== 'black hole') void socket.data.other.then((other) => other.end()).catch(ignore)
    },
    error: ignore,
  }
  const listener = Bun.listen<Side>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      ...handlers,
      open(socket) {
        if (state === 'cut') {
          socket.terminate()
          return
        }
        open.add(socket)
        const other = Bun.connect<Side>({
          hostname: '127.0.0.1',
          port: serverPort,
          data: { other: Promise.resolve(socket) },
          socket: handlers,
        })
        other.then((each) => open.add(each)).catch(() => socket.end())
        socket.data = { other }
      },
    },
  })
  return {
    port: listener.port,
    get passedBytes() {
      return passedBytes
    },
    turnInto(next) {
      state = next
      if (next !== 'black hole') for (const socket of open) socket.terminate()
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.terminate()
      listener.stop(true)
    },
  }
}

/** What does not fit into the socket's buffer now is written a little later; tests send little. */
function writeWhole(socket: Socket<Side>, bytes: Uint8Array<ArrayBuffer>): void {
  const written = socket.write(bytes)
  if (written >= 0 && written < bytes.length)
    setTimeout(() => writeWhole(socket, bytes.subarray(written)), 1)
}

function ignore(): void {}
