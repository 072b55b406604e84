import { openKernelSentBytes } from '../adapters/linux/kernel-sent-bytes.ts'
import { createTransfers, type Transfers } from '../edge/hits/transfers.ts'
import type { Log } from '../lib/log.ts'
import type { ConnectionEnds } from '../ports/traffic/sent-bytes.ts'

/** The connections of this process's listeners, and how much of large bodies has gone over them. */
export interface Connections extends Disposable {
  readonly transfers: Transfers | undefined
  /** To be told of each listener that clients come to. */
  add(server: Bun.Server<undefined>): void
  /** To be told of a request that a worker proxies: its client came to another process on the same port. */
  addProxied(request: Request, peer: Peer): void
  /** `undefined` where the request came by no connection of a network. */
  peerPortOf(request: Request): number | undefined
}

interface Peer {
  readonly address: string
  readonly port: number
}

interface Dependencies {
  readonly log: Log
  readonly monotonicMs: () => number
}

export function openConnections({ log, monotonicMs }: Dependencies): Connections {
  const sentBytes = openKernelSentBytes(monotonicMs)
  const { endsOf, ...told } = createListeners()
  if (sentBytes === undefined) {
    log.info('large bodies that clients break off count whole: the system tells of no connections')
    return { ...told, transfers: undefined, [Symbol.dispose]: () => undefined }
  }
  const transfers = createTransfers({ sentBytes, endsOf })
  return {
    ...told,
    transfers,
    [Symbol.dispose]() {
      transfers.finish()
      sentBytes[Symbol.dispose]()
    },
  }
}

/** Bun names the client's end alone, and that for requests of any listener. */
function createListeners() {
  const ports = new Set<number>()
  const proxied = new WeakMap<Request, Peer>()
  let latest: Bun.Server<undefined> | undefined
  const peerOf = (request: Request): Peer | undefined =>
    proxied.get(request) ?? latest?.requestIP(request) ?? undefined
  return {
    endsOf: (request: Request): readonly ConnectionEnds[] => {
      const peer = peerOf(request)
      if (peer === undefined) return []
      const { address: peerAddress, port: peerPort } = peer
      return [...ports].map((localPort) => ({ localPort, peerAddress, peerPort }))
    },
    add(server: Bun.Server<undefined>): void {
      latest = server
      if (server.port !== undefined) ports.add(server.port)
    },
    addProxied: (request: Request, peer: Peer) => void proxied.set(request, peer),
    peerPortOf: (request: Request) => peerOf(request)?.port,
  }
}
