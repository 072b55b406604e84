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
  /** What the socket has not taken yet, in its order. */
  readonly waiting: Uint8Array[]
  /** Nothing comes after what waits. */
  ends: boolean
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
      if (state !== 'open' || other === undefined) return
      other.data.waiting.push(kept)
      writeWaiting(other)
    },
    drain: writeWaiting,
    async close(socket: Socket<Side>) {
      open.delete(socket)
      const other = await socket.data.other.catch(() => undefined)
      if (state === 'black hole' || other === undefined) return
      other.data.ends = true
      writeWaiting(other)
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
          socket.data = { other: new Promise(() => {}), waiting: [], ends: false }
          socket.terminate()
          return
        }
        open.add(socket)
        const other = Bun.connect<Side>({
          hostname: '127.0.0.1',
          port: serverPort,
          data: { other: Promise.resolve(socket), waiting: [], ends: false },
          socket: handlers,
        })
        other.then((each) => open.add(each)).catch(() => socket.end())
        socket.data = { other, waiting: [], ends: false }
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

/** As much as the socket takes now; the rest goes when it is drained, before anything later. */
function writeWaiting(socket: Socket<Side>): void {
  const { waiting } = socket.data
  for (let [next] = waiting; next !== undefined; [next] = waiting) {
    const written = Math.max(0, socket.write(next))
    if (written < next.length) {
      waiting[0] = next.subarray(written)
      return
    }
    waiting.shift()
  }
  if (socket.data.ends) socket.end()
}

function ignore(): void {}
