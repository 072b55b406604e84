import { openFileSender } from '../../adapters/linux/send-file.ts'
import { ClientConnection } from './client-connection.ts'
import type { RespondHere } from './client-options.ts'
import type { Peer } from '../connections.ts'
import { createKnownFields } from './request-heads.ts'
import { createInnerConnections } from './inner-connections.ts'
import type { RespondOnWire } from '../../http/wire/wire-response.ts'

export interface HotLineOptions {
  readonly port: number
  readonly hostname: string
  /** Whether other processes listen on the same port. */
  readonly sharesPort: boolean
  readonly respond: RespondOnWire
  readonly respondHere: RespondHere
  /** Where the full server listens on the loopback. */
  readonly innerPort: () => number
  /** A client that neither sends nor takes anything for so long is cut off. */
  readonly idleTimeoutSeconds: number
  readonly now: () => number
}

/** A port in front of the full server, which responds by itself to what is at hand. */
export interface HotLine {
  readonly port: number
  readonly url: URL
  /** Who is at the other end of what the full server gets from that port; nothing of a stranger's. */
  peerOf(port: number): Peer | undefined
  /**
   * Takes no connection and no further request. Resolves once whatever the full server is to be asked is on its
   * way there; the full server may stop then.
   */
  finish(): Promise<void>
  /** Resolves once all that were there have ended. */
  readonly ended: Promise<void>
  /** Cuts off whoever is left. */
  cut(): void
}

const sweepEverySeconds = 5

export function openHotLine(options: HotLineOptions): HotLine {
  const { now, respond, respondHere, innerPort } = options
  const clients = new Set<ClientConnection>()
  const inner = createInnerConnections(innerPort)
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  let isFinishing = false
  const fileSender = openFileSender()
  const parts = { respond, respondHere, inner, fileSender, fields: createKnownFields() }
  const given = { ...parts, second: () => Math.floor(now() / 1000) }

  function remove(client: ClientConnection): void {
    if (!clients.delete(client)) return
    client.onClose()
    if (isFinishing) inner.closeIdle()
    if (isFinishing && clients.size === 0) end()
  }

  const listener = listenOrSay<ClientConnection>({
    ...placeOf(options),
    socket: {
      open(socket) {
        const peer = { address: socket.remoteAddress, port: socket.remotePort }
        socket.data = new ClientConnection(withDescriptor(socket), peer, given)
        clients.add(socket.data)
      },
      data: (socket, bytes) => socket.data.onData(bytes),
      drain: (socket) => socket.data.onDrain(),
      close: (socket) => remove(socket.data),
      error: (socket) => socket.data.cut(),
    },
  })

  const maxSweeps = Math.ceil(options.idleTimeoutSeconds / sweepEverySeconds)
  const timer = setInterval(() => {
    for (const client of clients)
      if (!client.mayBeSilent && (client.idleSweeps += 1) > maxSweeps) client.cut()
    inner.sweep()
  }, sweepEverySeconds * 1000)

  return {
    port: listener.port,
    url: urlOf(options.hostname, listener.port),
    peerOf: (port) => inner.peerOf(port),
    async finish() {
      isFinishing = true
      listener.stop()
      inner.closeIdle()
      for (const client of clients) client.finish()
      if (clients.size === 0) end()
      await Promise.all([...clients].map((client) => client.decided))
      await inner.heard()
    },
    ended: ended.finally(() => clearInterval(timer)),
    cut() {
      for (const client of clients) client.cut()
      end()
    },
  }
}

/** Bun's types do not tell of it. */
function withDescriptor<Socket extends object>(socket: Socket): Socket & { readonly fd: number } {
  if (hasDescriptor(socket)) return socket
  throw new Error('a socket has no descriptor')
}

const hasDescriptor = <Socket extends object>(
  socket: Socket,
): socket is Socket & { readonly fd: number } => 'fd' in socket && typeof socket.fd === 'number'

type Listening<Data> = Bun.TCPSocketListenOptions<Data>

/** Bun says less of a port that is in use here than it does for a server. */
function listenOrSay<Data>(options: Listening<Data>): Bun.TCPSocketListener<Data> {
  try {
    return Bun.listen<Data>(options)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    const { code } = error
    const message = `Is port ${options.port} in use?`
    throw Object.assign(new Error(message, { cause: error }), { code })
  }
}

/** As Bun tells that of a server. */
const urlOf = (hostname: string, port: number): URL =>
  new URL(`http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}/`)

/** Bun takes `reusePort` here as it does for a server, without saying so. */
const placeOf = ({ port, hostname, sharesPort }: HotLineOptions) => ({
  port,
  hostname,
  reusePort: sharesPort,
})
