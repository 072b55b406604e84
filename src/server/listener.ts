import type { Certificate } from './tls/certificates.ts'
import type { Connections } from './connections.ts'
import type { HotLine } from './hot-line/hot-line.ts'
import { listenOnHotLine } from './hot-line/listen-on-hot-line.ts'
import { createFullServers, type FullServers, type KeepOpen, type Respond } from './full-server.ts'
import type { RespondOnWire } from '../http/wire/wire-response.ts'

export interface ListenerOptions {
  readonly port: number
  readonly hostname: string
  /** Whether other processes, or a later listener of this one, may listen on the same port. */
  readonly sharesPort: boolean
  /** Absent: plain HTTP. */
  readonly certificates?: readonly Certificate[] | undefined
  readonly http3?: boolean
  readonly respond: Respond
  /** What plain HTTP is answered with at once. Absent: `respond` answers everything. */
  readonly respondOnWire?: RespondOnWire | undefined
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
export function openListener(options: ListenerOptions): Listener {
  const { sharesPort, hostname, idleTimeoutSeconds = usualIdleSeconds } = options
  const former = new Set<Bun.Server<undefined>>()
  const retiring = new Set<Bun.Server<undefined>>()
  const keepOpen: KeepOpen = (request) => servers.keepOpenAt(server)(request)
  const servers = createFullServers({ ...options, idleTimeoutSeconds, keepOpen })
  const { hotLine, ...first } = openFirst({ ...options, idleTimeoutSeconds, keepOpen }, servers)
  let { server } = first

  async function retire(old: Bun.Server<undefined>): Promise<void> {
    former.delete(old)
    retiring.add(old)
    await old.stop()
    retiring.delete(old)
  }

  return {
    get url() {
      return hotLine?.url ?? server.url
    },
    get port() {
      return hotLine?.port ?? server.port ?? options.port
    },
    keepOpen,
    openBeside(certificates) {
      const port = server.port ?? options.port
      const beside = servers.start({ place: { port, hostname, sharesPort }, certificates })
      former.add(server)
      server = beside
    },
    closeFormer() {
      for (const old of former) void retire(old)
    },
    stop: (graceMs) => stopAll([server, ...former, ...retiring], { graceMs, hotLine }),
  }
}

interface Stopping {
  readonly graceMs: number
  readonly hotLine: HotLine | undefined
}

async function stopAll(
  all: readonly Bun.Server<undefined>[],
  { graceMs, hotLine }: Stopping,
): Promise<void> {
  const { promise: timeIsUp, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, graceMs)
  await Promise.race([hotLine?.finish(), timeIsUp])
  await Promise.race([Promise.all([...all.map((each) => each.stop()), hotLine?.ended]), timeIsUp])
  // A timer that is left running would keep the process alive for as long.
  clearTimeout(timer)
  hotLine?.cut()
  await Promise.all(all.map((each) => each.stop(true)))
}

/** With the hot line in front of it where that is wanted. */
function openFirst(
  options: ListenerOptions & { readonly idleTimeoutSeconds: number; readonly keepOpen: KeepOpen },
  servers: FullServers,
): { readonly server: Bun.Server<undefined>; readonly hotLine?: HotLine } {
  const { respond, respondOnWire, keepOpen, certificates, idleTimeoutSeconds } = options
  const { port, hostname, sharesPort } = options
  const place = { port, hostname, sharesPort }
  return respondOnWire === undefined || certificates !== undefined
    ? { server: servers.start({ place, certificates }) }
    : listenOnHotLine(
        {
          ...place,
          respondOnWire,
          respondHere: async (request, peerAddress) =>
            await respond(request, peerAddress, keepOpen),
          idleTimeoutSeconds,
        },
        servers,
      )
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
