import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Config } from '../../config/config.ts'
import type { Log } from '../../lib/log.ts'
import type { Connections } from '../connections.ts'
import type { Service } from '../responder.ts'
import type { Certificate } from '../tls/certificates.ts'
import type { WorkerSettings } from './worker-messages.ts'
import { startWorkerPool, type WorkerPool } from './worker-pool.ts'
import { openProxyTarget } from './worker-proxy.ts'

/** Opens workers beside the listener of the main process. */
export type OpenWorkers = (beside: {
  readonly port: number
  /** What each listens with; `undefined`: plain HTTP. */
  readonly certificates: readonly Certificate[] | undefined
  readonly opening: AsyncDisposableStack
}) => Promise<WorkerPool>

interface Dependencies {
  readonly count: number
  readonly service: Service
  readonly settings: Omit<WorkerSettings<unknown>, 'port' | 'hasTls' | 'socket'>
  readonly connections: Connections
  readonly log: Log
  readonly monotonicMs: () => number
}

/** The kernel spreads connections over the processes of a port on Linux alone. */
export function possibleWorkers({ edgeWorkers }: Config, log: Pick<Log, 'warn'>): number {
  if (edgeWorkers === 0 || process.platform === 'linux') return edgeWorkers
  log.warn('EDGE_WORKERS is ignored: processes can share a port on Linux alone', {
    platform: process.platform,
  })
  return 0
}

/** Workers that deliver beside the service, and the socket over which they proxy the rest to it. */
export function createOpenWorkers(dependencies: Dependencies): OpenWorkers {
  const { count, service, connections, log, monotonicMs } = dependencies
  return async ({ port, certificates, opening }) => {
    // Nobody else can enter it: so whoever speaks on the socket is a worker.
    const directory = await mkdtemp(join(tmpdir(), 'sedge-'))
    opening.defer(() => rm(directory, { recursive: true, force: true }))
    const socket = join(directory, 'main.sock')
    opening.use(
      openProxyTarget(socket, (request, peerAddress, peerPort) => {
        if (peerPort !== undefined)
          connections.addProxied(request, { address: peerAddress, port: peerPort })
        return service.fetch(request, peerAddress)
      }),
    )
    const hasTls = certificates !== undefined
    const pool = startWorkerPool({
      count,
      settings: { ...dependencies.settings, port, socket, hasTls },
      certificates,
      onPublished: (listener) => service.onPublished(listener),
      countHits: (rows, audience) => service.countHits(rows, audience),
      takeLines: (taken) => service.takeLines(taken),
      respondToQuery: (query) => service.respondToQuery(query),
      log,
      monotonicMs,
    })
    service.collectHitsWith(() => pool.collect())
    return pool
  }
}
