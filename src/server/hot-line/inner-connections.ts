import type { Peer } from '../connections.ts'

/** Whoever uses a connection to the full server. */
export interface InnerUser {
  readonly peer: Peer
  /** Bytes that the full server sent. */
  onInnerData(bytes: Uint8Array): void
  /** It takes bytes again. */
  onInnerDrain(): void
  /** It is gone, or could not be opened. */
  onInnerClose(): void
}

/** A connection to the full server, for one user at a time. */
export interface InnerConnection {
  /** To be told before a request is written of which it is known where it ends. */
  beginRequest(): void
  /** Answers how many of the bytes were taken; the others are to be sent once it drains. */
  write(bytes: Uint8Array): number
  pause(): void
  resume(): void
  close(): void
}

/** Connections over the loopback to the server that reads all of HTTP. */
export interface InnerConnections {
  open(user: InnerUser): InnerConnection
  /** Gives one back over which nothing is on its way. */
  giveBack(connection: InnerConnection): void
  /**
   * Who really is at the other end of the connection that comes from that port; nothing of a stranger's. Whoever asks
   * has a request of his.
   */
  peerOf(port: number): Peer | undefined
  /** Closes those that nobody has used since the last time but one. */
  sweep(): void
  closeIdle(): void
  /** Resolves once none is being opened, and each request that was begun has been heard of. */
  heard(): Promise<void>
}

const maxIdle = 64
const maxIdleSweeps = 2

type Socket = Bun.Socket<Inner>

/** Before it is open, and while the kernel takes nothing, bytes wait with whoever sends them. */
class Inner implements InnerConnection {
  user: InnerUser | undefined
  socket: Socket | undefined
  sweeps = 0
  #isClosed = false
  #unheard: PromiseWithResolvers<void> | undefined

  constructor(user: InnerUser) {
    this.user = user
  }

  /** Resolves once the full server has what was begun, or never will. */
  get heard(): Promise<void> | undefined {
    return this.#unheard?.promise
  }

  beginRequest(): void {
    this.#unheard = Promise.withResolvers()
  }

  hear(): void {
    this.#unheard?.resolve()
    this.#unheard = undefined
  }

  write(bytes: Uint8Array): number {
    return Math.max(this.socket?.write(bytes) ?? 0, 0)
  }

  pause(): void {
    this.socket?.pause()
  }

  resume(): void {
    this.socket?.resume()
  }

  close(): void {
    this.#isClosed = true
    this.user = undefined
    this.hear()
    this.socket?.terminate()
  }

  get isClosed(): boolean {
    return this.#isClosed
  }
}

export function createInnerConnections(port: () => number): InnerConnections {
  const inUse = new Map<number, Inner>()
  const idle: Inner[] = []
  const opening = new Set<Promise<unknown>>()

  function forget(inner: Inner, localPort: number): void {
    inUse.delete(localPort)
    const place = idle.indexOf(inner)
    if (place !== -1) idle.splice(place, 1)
    const { user } = inner
    inner.close()
    user?.onInnerClose()
  }

  const handlers = handlersOf(inUse, forget)

  return {
    open(user) {
      const known = idle.pop()
      if (known !== undefined) {
        known.user = user
        return known
      }
      const inner = new Inner(user)
      const options = { hostname: '127.0.0.1', port: port(), socket: handlers, data: inner }
      // What fails is told to the handlers.
      const opened = Bun.connect(options)
        .catch(() => undefined)
        .finally(() => opening.delete(opened))
      opening.add(opened)
      return inner
    },
    giveBack(connection) {
      if (!(connection instanceof Inner) || connection.isClosed) return
      connection.user = undefined
      connection.sweeps = 0
      if (idle.length < maxIdle) idle.push(connection)
      else connection.close()
    },
    peerOf(localPort) {
      const inner = inUse.get(localPort)
      inner?.hear()
      return inner?.user?.peer
    },
    sweep() {
      for (const inner of idle.toReversed()) if ((inner.sweeps += 1) > maxIdleSweeps) inner.close()
    },
    closeIdle() {
      for (const inner of idle.toReversed()) inner.close()
    },
    async heard() {
      await Promise.all(opening)
      await Promise.all(Array.from(inUse.values(), (inner) => inner.heard ?? Promise.resolve()))
    },
  }
}

const handlersOf = (
  inUse: Map<number, Inner>,
  forget: (inner: Inner, localPort: number) => void,
): Bun.SocketHandler<Inner> => ({
  open(socket) {
    const inner = socket.data
    if (inner.isClosed) {
      socket.terminate()
      return
    }
    inner.socket = socket
    inUse.set(socket.localPort, inner)
    inner.user?.onInnerDrain()
  },
  data: (socket, bytes) => socket.data.user?.onInnerData(bytes),
  drain: (socket) => socket.data.user?.onInnerDrain(),
  close: (socket) => forget(socket.data, socket.localPort),
  end: (socket) => forget(socket.data, socket.localPort),
  error: (socket) => forget(socket.data, socket.localPort),
  connectError: (socket) => forget(socket.data, 0),
})
