import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Config } from '../config/config.ts'
import { trustedProxies } from '../http/request/client-address.ts'
import type { Log } from '../lib/log.ts'
import type { Service } from '../service.ts'
import { s3Options } from '../wiring/content/stores.ts'
import { type Certificate, readCertificates, withKept } from './tls/certificates.ts'
import type { Connections } from './connections.ts'
import { type EdgeWorkers, startEdgeWorkers } from './workers/worker-pool.ts'
import { followCertificates, ignoreHangUps } from './tls/follow-certificates.ts'
import { openInlet } from './workers/worker-proxy.ts'
import { type Listener, openListener, requireFreePort, type Respond } from './listener.ts'
import { createPlainAnswers } from './tls/plain-responses.ts'
import { withRequestLines } from './request-lines.ts'
import { holderOf } from './tls/certificate-rotation.ts'
import { createSecureAnswers, type SecureAnswers } from './tls/secure-responses.ts'

/** The service on its port, and the processes that share it. */
export interface Listening {
  readonly url: URL
  /** Where plain HTTP is answered beside TLS. */
  readonly plainUrl: URL | undefined
  /** Lets what is in flight end, for at most so long. */
  stop(graceMs: number): Promise<void>
}

interface Dependencies {
  readonly config: Config
  readonly log: Log
  readonly service: Service
  readonly now: () => Date
  readonly monotonicMs: () => number
  readonly connections?: Connections
  /** Told of each answer in a line; nothing is measured where nobody is. */
  readonly onAnswered?: (line: string) => void
}

export async function listen(dependencies: Dependencies): Promise<Listening> {
  const { config, log, service } = dependencies
  const workerCount = possibleWorkers(config, log)
  const sharesPort = workerCount > 0 || canRollOver(config)
  if (sharesPort) await requireFreePort(config.port, config.host)
  const files = config.tls && (await readCertificates(config.tls))
  const { listener, main, certificates } = openMain(dependencies, { files, sharesPort })
  service.keepOpenWith(listener.keepOpen)
  await using opening = new AsyncDisposableStack()
  const plain = openPlain(dependencies)
  const parts = { ...dependencies, listener, opening, certificates }
  const workers = workerCount > 0 ? await openWorkers(workerCount, parts) : []
  for (const each of workers) service.collectHitsWith(() => each.collect())
  if (config.tls !== undefined && files !== undefined && sharesPort) {
    const { tls } = config
    followCertificates({
      tls,
      files,
      kept: service.certificates,
      log,
      opening,
      port: listener.port,
      isAlone: true,
      holders: [main, ...workers],
    })
  } else ignoreHangUps(opening)
  const opened = opening.move()
  return {
    url: listener.url,
    plainUrl: plain?.url,
    async stop(graceMs) {
      await Promise.all([
        listener.stop(graceMs),
        plain?.stop(graceMs),
        ...workers.map((each) => each.stop(graceMs + 2_000)),
      ])
      await opened.disposeAsync()
    },
  }
}

/** Whether a listener can be opened beside another one. */
const canRollOver = ({ tls }: Config): boolean => tls !== undefined && process.platform !== 'win32'

interface MainOptions {
  readonly files: readonly Certificate[] | undefined
  readonly sharesPort: boolean
}

/** What this process itself answers on the port. */
function openMain(dependencies: Dependencies, { files, sharesPort }: MainOptions) {
  const { config, service, connections } = dependencies
  const certificates = files && withKept(files, service.certificates.all())
  const secure = secureAnswers(dependencies)
  if (certificates !== undefined) secure.useCertificates(certificates)
  const listener = openListener({
    port: config.port,
    hostname: config.host,
    sharesPort,
    certificates,
    http3: config.http3,
    connections,
    respond: certificates === undefined ? respondOf(dependencies) : secure.respond,
  })
  const main = holderOf(listener, (newer) => secure.useCertificates(newer))
  return { listener, main, certificates }
}

function respondOf({ service, now, monotonicMs, onAnswered }: Dependencies): Respond {
  const respond: Respond = (request, peerAddress) => service.fetch(request, peerAddress)
  if (onAnswered === undefined) return respond
  return withRequestLines(respond, { write: onAnswered, now, monotonicMs })
}

const secureAnswers = (dependencies: Dependencies): SecureAnswers => {
  const { config, service } = dependencies
  return createSecureAnswers({
    respond: respondOf(dependencies),
    isDomain: (hostname) => service.domainOf(hostname) !== undefined,
    trustedProxies: trustedProxies(config.trustedProxies),
    hstsMaxAgeSeconds: config.hstsMaxAgeSeconds,
  })
}

function openPlain(dependencies: Dependencies): Listener | undefined {
  const { config, service, connections } = dependencies
  if (config.httpPort === undefined) return undefined
  return openListener({
    port: config.httpPort,
    hostname: config.host,
    sharesPort: false,
    connections,
    respond: createPlainAnswers({
      respond: respondOf(dependencies),
      domainOf: (hostname) => service.domainOf(hostname),
      trustedProxies: trustedProxies(config.trustedProxies),
      baseUrl: config.baseUrl,
    }),
  })
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
  readonly certificates: readonly Certificate[] | undefined
}

async function openWorkers(
  count: number,
  { config, log, service, monotonicMs, listener, opening, certificates, connections }: Opened,
): Promise<readonly EdgeWorkers[]> {
  // Nobody else can enter it: so whoever speaks on the socket is a worker.
  const directory = await mkdtemp(join(tmpdir(), 'sedge-'))
  opening.defer(() => rm(directory, { recursive: true, force: true }))
  const socket = join(directory, 'main.sock')
  opening.use(
    openInlet(socket, (request, peerAddress, peerPort) => {
      if (peerPort !== undefined)
        connections?.addHandedOver(request, { address: peerAddress, port: peerPort })
      return service.fetch(request, peerAddress)
    }),
  )
  const { dataDirectory, host, baseUrl, countryHeader, logLevel, hstsMaxAgeSeconds } = config
  const { dashboardHost } = config
  return [
    startEdgeWorkers({
      count,
      settings: {
        dataDirectory,
        databaseUrl: config.databaseUrl?.reveal(),
        s3: s3Options(config),
        port: listener.port,
        hostname: host,
        hasTls: certificates !== undefined,
        hstsMaxAgeSeconds,
        socket,
        baseUrl,
        dashboardHost,
        trustedProxies: config.trustedProxies,
        countryHeader,
        logLevel,
      },
      certificates,
      onPublished: (told) => service.onPublished(told),
      countHits: (rows) => service.countHits(rows),
      log,
      monotonicMs,
    }),
  ]
}
