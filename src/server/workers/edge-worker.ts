import { Registry } from 'prom-client'

import type { Edge } from '../../edge/asset/edge.ts'
import { createHitTap, type HitTap } from '../../edge/hits/hit-tap.ts'
import { trustedProxies } from '../../http/request/client-address.ts'
import { hasValidHost } from '../../http/request/host-field.ts'
import type { TakenLines } from '../../ports/traffic/request-log-store.ts'
import { type Log, openLog } from '../../lib/log.ts'
import { reportProcess } from '../../lib/otlp/report-process.ts'
import { measureProcess, observeEventLoop } from '../../lib/process-metrics.ts'
import { type Connections, openConnections } from '../connections.ts'
import type { Respond } from '../full-server.ts'
import { openListener } from '../listener.ts'
import { logLongTurns } from '../log-long-turns.ts'
import { isDelivered } from '../routes.ts'
import type { Certificate } from '../tls/certificates.ts'
import { createSecureResponses } from '../tls/secure-responses.ts'
import { createHitReporter } from './hit-reports.ts'
import type { FromWorker, ToWorker, WorkerSettings } from './worker-messages.ts'
import { createMainProxy } from './worker-proxy.ts'
import { createWorkerQueries, type Query } from './worker-queries.ts'
import type { RequestHead } from '../../http/wire/request-head.ts'
import type { RespondOnWire } from '../../http/wire/wire-response.ts'

/** The worker's end of the channel to the process that started it. */
export interface MainProcess {
  send(message: FromWorker): void
  /** Tells `listener` of each message; of `undefined` where the main process is gone. */
  listen(listener: (message: ToWorker | undefined) => void): void
}

/** Opens what a worker delivers, and from where. */
export type OpenDelivery<Settings> = (
  settings: Settings,
  given: {
    readonly tap: HitTap
    readonly connections: Connections
    /** Has the main process respond. */
    readonly elsewhere: (request: Request, peerAddress: string | undefined) => Promise<Response>
    /** Has the main process tell what no database says. */
    readonly query: Query
    readonly opening: AsyncDisposableStack
  },
) => Promise<Delivery>

interface Delivery {
  readonly edge: Pick<Edge, 'fetch' | 'onWire'>
  /** Whether a URL that could be an asset's is of a protocol that the main process alone speaks. */
  readonly isOfMain: (url: string) => boolean
  /** What was noted of requests since the last time. */
  readonly takeLines: () => TakenLines
  readonly manifest: {
    zoneOfHost(hostname: string): string | undefined
    /** Brings it to where the service is now. Rejects where that cannot be read; call it again later. */
    catchUp(): Promise<void>
    /** At this moment, by `performance.now()`, it was known to show all that was published. */
    readonly confirmedAtMs: number
  }
}

/** A message that got lost is made up for so soon. */
const pollEveryMs = 200
/** What is older than this is not served: who cannot keep up proxies to the main process. */
const maxAgeMs = 750
/** A crash loses no more hits than of so long. */
const reportEveryMs = 500
/** Then it proxies the request to the main process, which may take longer. */
const queryWithinMs = 10_000
/** Less than the main process waits. */
const graceMs = 9_000

/** Delivers assets beside the main process until told to end. */
export async function runEdgeWorker<Settings>(
  settings: WorkerSettings<Settings>,
  main: MainProcess,
  openDelivery: OpenDelivery<Settings>,
): Promise<void> {
  const ending = Promise.withResolvers<void>()
  const firstCertificates = Promise.withResolvers<readonly Certificate[]>()
  let worker: Worker | undefined
  // From the first moment on: the main process may end before this one is ready.
  process.once('SIGTERM', () => ending.resolve()).once('SIGINT', () => ending.resolve())
  main.listen((message) => {
    if (message === undefined || message.kind === 'stop') {
      ending.resolve()
      firstCertificates.resolve([])
    } else if (worker !== undefined) worker.handle(message)
    else if (message.kind === 'certificates') firstCertificates.resolve(message.certificates)
  })
  await using opening = new AsyncDisposableStack()
  const log = await reportWorker(settings, opening)
  const certificates = settings.hasTls ? await firstCertificates.promise : undefined
  if (certificates?.length === 0) return
  worker = await openWorker(settings, { main, openDelivery, log, opening, certificates })
  main.send({ kind: 'listening' })
  using _turns = logLongTurns({ ...settings, log, monotonicMs: () => performance.now() })
  await ending.promise
  await worker.finish()
}

/** The log, and numbers of this process, where somebody wants them; what it delivers is counted by the main process. */
async function reportWorker(
  settings: Pick<WorkerSettings<unknown>, 'telemetry' | 'logLevel' | 'version'>,
  opening: AsyncDisposableStack,
): Promise<Log> {
  const { log, telemetry } = opening.use(
    await reportProcess(settings.telemetry, {
      ...settings,
      role: 'worker',
      log: openLog(settings.logLevel),
    }),
  )
  if (telemetry?.takesMetrics !== true) return log
  const metrics = new Registry()
  measureProcess(metrics)
  opening.use(observeEventLoop(metrics, { monotonicMs: () => performance.now() }))
  telemetry.report(metrics)
  return log
}

interface Worker {
  handle(message: ToWorker): void
  /** Resolves once nothing is in flight and all hits are reported. */
  finish(): Promise<void>
}

interface Opening<Settings> {
  readonly main: MainProcess
  readonly openDelivery: OpenDelivery<Settings>
  readonly log: Log
  readonly opening: AsyncDisposableStack
  readonly certificates: readonly Certificate[] | undefined
}

async function openWorker<Settings>(
  settings: WorkerSettings<Settings>,
  given: Opening<Settings>,
): Promise<Worker> {
  const { main, log, opening, certificates } = given
  const connections = opening.use(openConnections({ log, monotonicMs: () => performance.now() }))
  const tap = createHitTap({ beforeDrain: () => connections.transfers?.settle() })
  const queries = createWorkerQueries({
    send: (message) => main.send(message),
    withinMs: queryWithinMs,
  })
  const { manifest, secure, respond, respondOnWire, takeLines } = await openResponding(settings, {
    ...given,
    tap,
    connections,
    query: (query) => queries.query(query),
  })
  const responding = { certificates, sharesPort: true, respond, respondOnWire, connections }
  const listener = openListener({ ...settings, ...responding })
  const reporter = createHitReporter({ tap, send: (message) => main.send(message) })
  const follow = () =>
    manifest
      .catchUp()
      .catch((error: unknown) => log.warn('an edge worker could not follow the feed', { error }))
  function report(): void {
    const taken = takeLines()
    if (taken.lines.length + taken.notKept > 0) main.send({ kind: 'lines', taken })
    reporter.report()
  }

  function openBeside(newer: readonly Certificate[], turn: number): void {
    try {
      listener.openBeside(newer)
      secure.useCertificates(newer)
      main.send({ kind: 'certificates-shown', turn })
    } catch (error) {
      log.error('an edge worker could not take certificates over', { error })
    }
  }
  opening.defer(every(pollEveryMs, () => void follow()))
  opening.defer(every(reportEveryMs, report))
  return {
    handle(message) {
      if (message.kind === 'published') void follow()
      else if (message.kind === 'certificates') openBeside(message.certificates, message.turn)
      else if (message.kind === 'close-former') listener.closeFormer()
      else if (message.kind === 'query-outcome') queries.settled(message.turn, message.outcome)
      else if (message.kind === 'counted') reporter.counted(message.number)
      else if (message.kind === 'report') {
        report()
        main.send({ kind: 'reported', turn: message.turn })
      }
    },
    async finish() {
      await listener.stop(graceMs)
      connections.transfers?.finish()
      report()
      await reporter.finish()
    },
  }
}

interface Counting {
  readonly tap: HitTap
  readonly query: Query
  readonly connections: Connections
}

/** What is published is delivered here while it is known to be the newest; the rest is the main process's. */
async function openResponding<Settings>(
  settings: WorkerSettings<Settings>,
  given: Opening<Settings> & Counting,
) {
  const { openDelivery, certificates, tap, connections, query, log, opening } = given
  const proxy = createMainProxy(settings.socket, {
    log,
    peerPortOf: (request) => connections.peerPortOf(request),
  })
  const elsewhere = async (request: Request, peerAddress = 'unknown') =>
    await proxy(request, peerAddress, () => undefined)
  const { edge, manifest, isOfMain, takeLines } = await openDelivery(settings.delivery, {
    tap,
    connections,
    elsewhere,
    query,
    opening,
  })
  const isCurrent = () => performance.now() - manifest.confirmedAtMs < maxAgeMs
  const isMine = (request: Request) =>
    isDelivered(request.url) && !isOfMain(request.url) && !mayBeDashboards(request) && isCurrent()
  const deliver: Respond = (request, peerAddress, keepOpen) =>
    !hasValidHost(request) || isMine(request)
      ? edge.fetch(request, peerAddress)
      : proxy(request, peerAddress, keepOpen)
  const onWire: RespondOnWire = (request, peerAddress) =>
    isCurrent() && !mayBeDashboards(request) ? edge.onWire(request, peerAddress) : undefined
  const secure = createSecureResponses({
    respond: deliver,
    isDomain: (hostname) => manifest.zoneOfHost(hostname) !== undefined,
    trustedProxies: trustedProxies(settings.trustedProxies),
    hstsMaxAgeSeconds: settings.hstsMaxAgeSeconds,
  })
  if (certificates !== undefined) secure.useCertificates(certificates)
  return {
    manifest,
    secure,
    takeLines,
    respond: certificates === undefined ? deliver : secure.respond,
    respondOnWire: settings.hotLine ? onWire : undefined,
  }
}

/** What the dashboard asks for is not counted, and the main process alone knows sessions. */
const mayBeDashboards = ({ headers }: RequestHead): boolean =>
  headers.has('cookie') && headers.get('referer')?.includes('/dashboard/') === true

function every(milliseconds: number, task: () => void): () => void {
  const timer = setInterval(task, milliseconds)
  return () => clearInterval(timer)
}
