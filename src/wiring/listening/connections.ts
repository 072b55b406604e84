import { openKernelSentBytes } from '../../adapters/linux/kernel-sent-bytes.ts'
import { createTransfers, type Transfers } from '../../edge/transfers.ts'
import type { Log } from '../../lib/log.ts'
import type { ConnectionEnds } from '../../ports/sent-bytes.ts'

/** The connections of this process's listeners, and how much of large bodies has gone over them. */
export interface Connections extends Disposable {
  readonly transfers: Transfers | undefined
  /** To be told of each listener that clients come to. */
  add(server: Bun.Server<undefined>): void
}

interface Dependencies {
  readonly log: Log
  readonly monotonicMs: () => number
}

/** Bun names the client's end alone, and that for requests of any listener. */
export function openConnections({ log, monotonicMs }: Dependencies): Connections {
  const sentBytes = openKernelSentBytes(monotonicMs)
  if (sentBytes === undefined) {
    log.info('large bodies that clients break off count whole: the system tells of no connections')
    return { transfers: undefined, add: () => undefined, [Symbol.dispose]: () => undefined }
  }
  const ports = new Set<number>()
  let latest: Bun.Server<undefined> | undefined
  function endsOf(request: Request): readonly ConnectionEnds[] {
    const peer = latest?.requestIP(request)
    if (peer === null || peer === undefined) return []
    const { address: peerAddress, port: peerPort } = peer
    return [...ports].map((localPort) => ({ localPort, peerAddress, peerPort }))
  }
  const transfers = createTransfers({ sentBytes, endsOf })
  return {
    transfers,
    add(server) {
      latest = server
      if (server.port !== undefined) ports.add(server.port)
    },
    [Symbol.dispose]() {
      transfers.finish()
      sentBytes[Symbol.dispose]()
    },
  }
}
