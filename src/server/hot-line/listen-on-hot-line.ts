import type { RespondHere } from './client-options.ts'
import { ClientRequest } from './client-request.ts'
import { PeerRequest } from './peer-request.ts'
import { type HotLine, openHotLine } from './hot-line.ts'
import type { FullServers, PeerOf, Place } from '../full-server.ts'
import type { RespondOnWire } from '../../http/wire/wire-response.ts'

export interface InFront extends Place {
  readonly respondOnWire: RespondOnWire
  readonly respondHere: RespondHere
  readonly idleTimeoutSeconds: number
}

/** The full server behind a hot line: nobody else reaches it. */
export interface ServerBehind {
  readonly server: Bun.Server<undefined>
  readonly hotLine: HotLine
}

const loopback = '127.0.0.1'

/** Throws where the port is in use. */
export function listenOnHotLine(options: InFront, servers: FullServers): ServerBehind {
  const { respondOnWire: respond, respondHere } = options
  const hotLine = openHotLine({
    ...options,
    respond,
    respondHere,
    innerPort: () => server.port ?? 0,
    now: Date.now,
  })
  const peerOf: PeerOf = (request, inner) => {
    if (request instanceof ClientRequest || request instanceof PeerRequest) return request.peer
    const near = request instanceof Request ? inner.requestIP(request) : null
    // Another address of the loopback may have a connection from the same port.
    return near?.address === loopback ? hotLine.peerOf(near.port) : undefined
  }
  const place = { port: 0, hostname: loopback, sharesPort: false, seenPort: hotLine.port }
  const server = servers.start({ place, peerOf })
  return { server, hotLine }
}
