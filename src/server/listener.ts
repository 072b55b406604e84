import type { Certificate } from './tls/certificates.ts'
import type { Connections } from './connections.ts'
import { withLiveBody } from './live-bodies.ts'
import { rawPathRoutes } from './raw-paths.ts'

export type Respond = (
  request: Request,
  peerAddress: string,
  /** For a response that may be silent for long. */
  keepOpen: KeepOpen,
) => Response | Promise<Response>

export type KeepOpen = (request: Request) => void

export interface ListenerOptions {
  readonly port: number
  readonly hostname: string
  /** Whether other processes, or a later listener of this one, may listen on the same port. */
  readonly sharesPort: boolean
  /** Absent: plain HTTP. */
  readonly certificates?: readonly Certificate[] | undefined
  readonly http3?: boolean
  readonly respond: Respond
  /** What is to know of those that clients come by. */
  readonly connections?: Connections | undefined
  /** A client that sends nothing for so long is cut off. */
  readonly idleTimeoutSeconds?: number
}

/** A port that is listened on. */
export interface Listener {
  readonly url: URL
  readonly port: number
  readonly keepOpen: KeepOpen
  /**
   * Opens another listener on the port that shows these certificates, beside the former one. Throws,
   * and nothing changes, where they cannot be used.
   */
  openBeside(certificates: readonly Certificate[]): void
  /** Connections of the former one keep what they have to their end. */
  closeFormer(): void
  /** Takes no connection any more, and cuts off after `graceMs` what has no response by then. */
  stop(graceMs: number): Promise<void>
}

const usualIdleSeconds = 30
/**
 * Bun refuses a request that announces more without a word of ours: no envelope, no limit, no request id.
 * Each operation bounds its own body before it reads it, and what nobody reads Bun takes no faster
 * than it forgets it.
 */
export const maxRequestBytes = Number.MAX_SAFE_INTEGER

export function openListener(options: ListenerOptions): Listener {
  const { respond, sharesPort, hostname, idleTimeoutSeconds = usualIdleSeconds } = options
  const former = new Set<Bun.Server<undefined>>()
  const retiring = new Set<Bun.Server<undefined>>()
  /** Bun knows requests by what it made itself. */
  const sent = new WeakMap<Request, Request>()
  const keepOpen: KeepOpen = (request) => server.timeout(sent.get(request) ?? request, 0)
  let server = start(options.port, options.certificates)

  function handle(request: Request, listener: Bun.Server<undefined>) {
    const peerAddress = listener.requestIP(request)?.address ?? 'unknown'
    const isAlive = () => listener.timeout(request, idleTimeoutSeconds)
    const live = withLiveBody(withHost(request), isAlive)
    if (live !== request) sent.set(live, request)
    return respond(live, peerAddress, keepOpen)
  }

  function start(
    port: number,
    certificates: readonly Certificate[] | undefined,
  ): Bun.Server<undefined> {
    const started = Bun.serve({
      port,
      hostname,
      reusePort: sharesPort,
      idleTimeout: idleTimeoutSeconds,
      maxRequestBodySize: maxRequestBytes,
      development: false,
      ...(certificates && secured(certificates, options.http3 === true)),
      routes: rawPathRoutes(handle),
      fetch: handle,
    })
    options.connections?.add(started)
    return started
  }

  async function retire(old: Bun.Server<undefined>): Promise<void> {
    former.delete(old)
    retiring.add(old)
    await old.stop()
    retiring.delete(old)
  }

  return {
    get url() {
      return server.url
    },
    get port() {
      return server.port ?? options.port
    },
    keepOpen,
    openBeside(certificates) {
      const beside = start(server.port ?? options.port, certificates)
      former.add(server)
      server = beside
    },
    closeFormer() {
      for (const old of former) void retire(old)
    },
    stop: (graceMs) => stopAll([server, ...former, ...retiring], graceMs),
  }
}

async function stopAll(all: readonly Bun.Server<undefined>[], graceMs: number): Promise<void> {
  const { promise: timeIsUp, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, graceMs)
  await Promise.race([Promise.all(all.map((each) => each.stop())), timeIsUp])
  // A timer that is left running would keep the process alive for as long.
  clearTimeout(timer)
  await Promise.all(all.map((each) => each.stop(true)))
}

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

/**
 * Rejects where somebody listens on the port already. Where listeners share ports, a second service
 * would otherwise quietly take half of the first one's connections.
 */
export async function requireFreePort(port: number, hostname: string): Promise<void> {
  if (port === 0) return
  const probe = Bun.serve({ port, hostname, fetch: () => new Response(null, { status: 503 }) })
  await probe.stop(true)
}
