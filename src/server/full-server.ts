import type { RequestHead } from '../http/wire/request-head.ts'
import { DirectRequest } from '../http/wire/held-response.ts'
import type { Connections, MadeResponse, Peer } from './connections.ts'
import { withLiveBody } from './live-bodies.ts'
import { rawPathRoutes } from './raw-paths.ts'
import type { Certificate } from './tls/certificates.ts'

export type Respond = (
  request: Request,
  peerAddress: string,
  /** For a response that may be silent for long. */
  keepOpen: KeepOpen,
) => Response | Promise<Response>

export type KeepOpen = (request: Request) => void

/** Where is listened. */
export interface Place {
  readonly port: number
  readonly hostname: string
  /** Whether other processes, or a later listener of this one, may listen on the same port. */
  readonly sharesPort: boolean
  /** The port that clients come to, where it is another one. */
  readonly seenPort?: number
}

/** Who is at the other end of the connection that a request came by. */
export type PeerOf = (request: RequestHead, server: Bun.Server<undefined>) => Peer | undefined

export interface Started {
  readonly place: Place
  /** Absent: plain HTTP. */
  readonly certificates?: readonly Certificate[] | undefined
  /** Where it is told, whoever is not known there is nobody to respond to. */
  readonly peerOf?: PeerOf
}

/** Starts servers that read all of HTTP and have `respond` respond. */
export interface FullServers {
  start(started: Started): Bun.Server<undefined>
  keepOpenAt(server: Bun.Server<undefined>): KeepOpen
}

/**
 * Bun refuses a request that announces more without a word of ours: no envelope, no limit, no request id.
 * Each operation bounds its own body before it reads it, and what nobody reads Bun takes no faster
 * than it forgets it.
 */
export const maxRequestBytes = Number.MAX_SAFE_INTEGER

interface Options {
  readonly respond: Respond
  readonly connections?: Connections | undefined
  readonly http3?: boolean
  /** A client that sends nothing for so long is cut off. */
  readonly idleTimeoutSeconds: number
  readonly keepOpen: KeepOpen
}

export function createFullServers(options: Options): FullServers {
  const { respond, connections, idleTimeoutSeconds, keepOpen } = options
  /** Bun knows requests by what it made itself. */
  const sent = new WeakMap<Request, Request>()

  function sendMade(made: MadeResponse, asked: Request, server: Bun.Server<undefined>) {
    sent.set(made.request, asked)
    if (made.request.isKeptOpen) server.timeout(asked, 0)
    return made.response
  }

  const handleWith =
    (peerOf: PeerOf, refusesStrangers: boolean) =>
    /** Bun knows by what connection `asSent` came. */
    (request: Request, server: Bun.Server<undefined>, asSent = request) => {
      const peer = peerOf(asSent, server)
      if (peer === undefined && refusesStrangers) return new Response(null, { status: 403 })
      const made = peer?.takeMade?.()
      if (made !== undefined) return sendMade(made, request, server)
      const isAlive = () => server.timeout(request, idleTimeoutSeconds)
      const live = withLiveBody(withHost(request), isAlive)
      if (live !== request) sent.set(live, request)
      return respond(live, peer?.address ?? 'unknown', keepOpen)
    }

  return {
    start({ place, certificates, peerOf }) {
      const peerAt = peerOf ?? peerByConnection
      const handle = handleWith(peerAt, peerOf !== undefined)
      const server = Bun.serve({
        port: place.port,
        hostname: place.hostname,
        reusePort: place.sharesPort,
        idleTimeout: idleTimeoutSeconds,
        maxRequestBodySize: maxRequestBytes,
        development: false,
        ...(certificates && secured(certificates, options.http3 === true)),
        routes: rawPathRoutes(handle),
        fetch: handle,
      })
      connections?.add({
        port: place.seenPort ?? server.port ?? place.port,
        peerOf: (request) => peerAt(request, server),
      })
      return server
    },
    keepOpenAt: (server) => (request) => {
      if (request instanceof DirectRequest) request.isKeptOpen = true
      server.timeout(sent.get(request) ?? request, 0)
    },
  }
}

const peerByConnection: PeerOf = (request, server) =>
  request instanceof Request ? (server.requestIP(request) ?? undefined) : undefined

const secured = (certificates: readonly Certificate[], http3: boolean) => ({
  tls: certificates.map(({ cert, key, serverName }) => ({
    cert,
    key,
    ...(serverName !== undefined && { serverName }),
  })),
  http2: true,
  http3,
})

/**
 * HTTP/1.0 needs no Host, and simple health checks send none; Bun then leaves the address without a
 * host. One that Bun could not read stays as it is, for whoever responds to refuse.
 */
const withHost = (request: Request): Request =>
  request.url.startsWith('/') && !request.headers.has('host')
    ? new Request(`http://localhost${request.url}`, request)
    : request
