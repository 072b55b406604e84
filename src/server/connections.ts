import { openKernelSentBytes } from '../adapters/linux/kernel-sent-bytes.ts'
import { createTransfers, type Transfers } from '../edge/hits/transfers.ts'
import type { Log } from '../lib/log.ts'
import type { ConnectionEnds, OwnSocket } from '../ports/traffic/sent-bytes.ts'
import type { DirectRequest } from '../http/wire/held-response.ts'
import type { RequestHead } from '../http/wire/request-head.ts'

/** The connections of this process's listeners, and how much of large bodies has gone over them. */
export interface Connections extends Disposable {
  readonly transfers: Transfers | undefined
  /** To be told of each listener that clients come to. */
  add(listening: ListeningPort): void
  /** To be told of a request that a worker proxies: its client came to another process on the same port. */
  addProxied(request: Request, peer: Peer): void
  /** `undefined` where the request came by no connection of a network. */
  peerPortOf(request: Request): number | undefined
}

/** The other end of a connection. */
export interface Peer {
  readonly address: string
  readonly port: number
  /** Where Bun tells of it. */
  readonly socket?: OwnSocket
  /** The response to the request that is waited for, where that was asked for before; given once. */
  takeMade?(): MadeResponse | undefined
}

/** A response that the full server is only to send. */
export interface MadeResponse {
  readonly request: DirectRequest
  readonly response: Promise<Response>
}

export interface ListeningPort {
  /** That clients come to. */
  readonly port: number
  peerOf(request: RequestHead): Peer | undefined
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
  const proxied = new WeakMap<RequestHead, Peer>()
  let latest: ListeningPort | undefined
  const peerOf = (request: RequestHead): Peer | undefined =>
    proxied.get(request) ?? latest?.peerOf(request)
  return {
    endsOf: (request: RequestHead): readonly ConnectionEnds[] => {
      const peer = peerOf(request)
      if (peer === undefined) return []
      const { address: peerAddress, port: peerPort, socket } = peer
      return [...ports].map((localPort) => ({ localPort, peerAddress, peerPort, socket }))
    },
    add(listening: ListeningPort): void {
      latest = listening
      ports.add(listening.port)
    },
    addProxied: (request: Request, peer: Peer) => void proxied.set(request, peer),
    peerPortOf: (request: Request) => peerOf(request)?.port,
  }
}
