import type { TlsSettings } from '../../config.ts'
import { readCertificates } from './certificates.ts'

export type Respond = (
  request: Request,
  peerAddress: string,
  /** For an answer that may be silent for long. */
  keepOpen: KeepOpen,
) => Response | Promise<Response>

export type KeepOpen = (request: Request) => void

export interface ListenerOptions {
  readonly port: number
  readonly hostname: string
  /** Whether other processes, or a later listener of this one, may listen on the same port. */
  readonly sharesPort: boolean
  /** Absent: plain HTTP. */
  readonly tls?: TlsSettings | undefined
  readonly http3?: boolean
  readonly respond: Respond
}

/** A port that is answered on. */
export interface Listener {
  readonly url: URL
  readonly port: number
  readonly keepOpen: KeepOpen
  /**
   * Reads the certificate files again. Connections that are there keep theirs to their end, new ones
   * get the new. Rejects, and nothing changes, where the files are not what they should be.
   */
  renewCertificates(): Promise<void>
  /** Takes no connection any more, and cuts off after `graceMs` what is not answered by then. */
  stop(graceMs: number): Promise<void>
}

/** A client that sends nothing for so long is cut off. */
const idleTimeoutSeconds = 30
/** The largest request, a batch, and a little for its framing. */
export const maxRequestBytes = 136 * 2 ** 20

export async function openListener(options: ListenerOptions): Promise<Listener> {
  const { respond, sharesPort, hostname } = options
  const retiring = new Set<Bun.Server<undefined>>()
  const keepOpen: KeepOpen = (request) => server.timeout(request, 0)
  let server = await start(options.port)

  async function start(port: number): Promise<Bun.Server<undefined>> {
    const tls = options.tls && (await readCertificates(options.tls))
    return Bun.serve({
      port,
      hostname,
      reusePort: sharesPort,
      idleTimeout: idleTimeoutSeconds,
      maxRequestBodySize: maxRequestBytes,
      development: false,
      ...(tls && { tls, http2: true, http3: options.http3 === true }),
      fetch: (request: Request, listener: Bun.Server<undefined>) =>
        respond(request, listener.requestIP(request)?.address ?? 'unknown', keepOpen),
    })
  }

  async function retire(old: Bun.Server<undefined>): Promise<void> {
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
    /** Bun cannot change the certificates of a listener, so another takes its place on the port. */
    async renewCertificates() {
      if (options.tls === undefined || !sharesPort) return
      const old = server
      server = await start(old.port ?? options.port)
      void retire(old)
    },
    async stop(graceMs) {
      const all = [server, ...retiring]
      const { promise: timeIsUp, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, graceMs)
      await Promise.race([Promise.all(all.map((each) => each.stop())), timeIsUp])
      // A timer that is left running would keep the process alive for as long.
      clearTimeout(timer)
      await Promise.all(all.map((each) => each.stop(true)))
    },
  }
}

/**
 * Rejects where somebody listens on the port already. Where listeners share ports, a second service
 * would otherwise quietly take half of the first one's connections.
 */
export async function requireFreePort(port: number, hostname: string): Promise<void> {
  if (port === 0) return
  const probe = Bun.serve({ port, hostname, fetch: () => new Response(null, { status: 503 }) })
  await probe.stop(true)
}
