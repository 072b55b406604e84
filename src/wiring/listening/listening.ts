import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Config } from '../../config.ts'
import type { Log } from '../../lib/log.ts'
import type { Service } from '../../service.ts'
import { type EdgeWorkers, startEdgeWorkers } from './edge-workers.ts'
import { openInlet } from './hand-over.ts'
import { type Listener, openListener, requireFreePort } from './listener.ts'

/** The service on its port, and the processes that share it. */
export interface Listening {
  readonly url: URL
  /** Lets what is in flight end, for at most so long. */
  stop(graceMs: number): Promise<void>
}

interface Dependencies {
  readonly config: Config
  readonly log: Log
  readonly service: Service
  readonly monotonicMs: () => number
}

export async function listen(dependencies: Dependencies): Promise<Listening> {
  const { config, log, service } = dependencies
  const workerCount = possibleWorkers(config, log)
  const sharesPort = workerCount > 0 || (config.tls !== undefined && process.platform !== 'win32')
  if (sharesPort) await requireFreePort(config.port, config.host)
  const listener = await openListener({
    port: config.port,
    hostname: config.host,
    sharesPort,
    tls: config.tls,
    http3: config.http3,
    respond: (request, peerAddress) => service.fetch(request, peerAddress),
  })
  service.keepOpenWith(listener.keepOpen)
  await using opening = new AsyncDisposableStack()
  const workers =
    workerCount > 0 ? await openWorkers(workerCount, { ...dependencies, listener, opening }) : []
  const onHangUp = () => void renewCertificates(listener, workers, log)
  process.on('SIGHUP', onHangUp)
  opening.defer(() => void process.off('SIGHUP', onHangUp))
  for (const each of workers) service.collectHitsWith(() => each.collect())
  const opened = opening.move()
  return {
    url: listener.url,
    async stop(graceMs) {
      await Promise.all([
        listener.stop(graceMs),
        ...workers.map((each) => each.stop(graceMs + 2_000)),
      ])
      await opened.disposeAsync()
    },
  }
}

/** The kernel spreads connections over the processes of a port on Linux alone. */
function possibleWorkers({ edgeWorkers }: Config, log: Log): number {
  if (edgeWorkers === 0 || process.platform === 'linux') return edgeWorkers
  log.warn('EDGE_WORKERS is ignored: processes can share a port on Linux alone', {
    platform: process.platform,
  })
  return 0
}

interface Opened extends Dependencies {
  readonly listener: Listener
  readonly opening: AsyncDisposableStack
}

async function openWorkers(
  count: number,
  { config, log, service, monotonicMs, listener, opening }: Opened,
): Promise<readonly EdgeWorkers[]> {
  // Nobody else can enter it: so whoever speaks on the socket is a worker.
  const directory = await mkdtemp(join(tmpdir(), 'sedge-'))
  opening.defer(() => rm(directory, { recursive: true, force: true }))
  const socket = join(directory, 'main.sock')
  opening.use(openInlet(socket, (request, peerAddress) => service.fetch(request, peerAddress)))
  const { dataDirectory, host, tls, baseUrl, trustedProxies, countryHeader, logLevel } = config
  return [
    startEdgeWorkers({
      count,
      settings: {
        dataDirectory,
        port: listener.port,
        hostname: host,
        tls,
        socket,
        baseUrl,
        trustedProxies,
        countryHeader,
        logLevel,
      },
      onPublished: (told) => service.onPublished(told),
      countHits: (rows) => service.countHits(rows),
      log,
      monotonicMs,
    }),
  ]
}

async function renewCertificates(
  listener: Listener,
  workers: readonly EdgeWorkers[],
  log: Log,
): Promise<void> {
  try {
    await listener.renewCertificates()
    for (const each of workers) each.renewCertificates()
    log.info('the certificate files were read again')
  } catch (error) {
    log.error('certificates could not be renewed; the former ones stay', { error })
  }
}
