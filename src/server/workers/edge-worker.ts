import { join } from 'node:path'

import { DiskBlobStore } from '../../adapters/disk/disk-blob-store.ts'
import type { Database } from '../../adapters/sql/database.ts'
import { SqlDomainStore } from '../../adapters/sql/domains/sql-domain-store.ts'
import { SqlPublicationStore } from '../../adapters/sql/content/sql-publication-store.ts'
import { openSqliteReader } from '../../adapters/sql/sqlite/sqlite-database.ts'
import { openFollowedManifest } from '../../domain/publishing/followed-manifest.ts'
import { createPurgeGenerations } from '../../edge/purge/purge-generations.ts'
import type { EdgeBlobs } from '../../edge/response/edge-blobs.ts'
import { createEdge } from '../../edge/asset/edge.ts'
import { createHitTap, type HitTap } from '../../edge/hits/hit-tap.ts'
import { trustedProxies } from '../../http/request/client-address.ts'
import { hasValidHost } from '../../http/request/host-field.ts'
import { type Log, openLog } from '../../lib/log.ts'
import { openCountries } from '../../wiring/countries.ts'
import { isDelivered } from '../routes.ts'
import { createForward } from './worker-proxy.ts'
import { createHitReporter } from './hit-reports.ts'
import type { Certificate } from '../tls/certificates.ts'
import { type Connections, openConnections } from '../connections.ts'
import { openListener, type Respond } from '../listener.ts'
import { createSecureAnswers } from '../tls/secure-responses.ts'
import type { FromWorker, ToWorker, WorkerSettings } from './worker-messages.ts'

/** The worker's end of the channel to the process that started it. */
export interface MainProcess {
  send(message: FromWorker): void
  /** Tells `listener` of each message; of `undefined` where the main process is gone. */
  listen(listener: (message: ToWorker | undefined) => void): void
}

/** A doorbell that was not heard is made up for so soon. */
const pollEveryMs = 200
/** What is older than this is not served: whoever cannot keep up lets the main process answer. */
const maxAgeMs = 750
/** A crash loses no more hits than of so long. */
const reportEveryMs = 500
/** Less than the main process waits. */
const graceMs = 9_000

/** Delivers assets beside the main process until told to end. */
export async function runEdgeWorker(settings: WorkerSettings, main: MainProcess): Promise<void> {
  const log = openLog(settings.logLevel)
  const ending = Promise.withResolvers<void>()
  const firstCertificates = Promise.withResolvers<readonly Certificate[]>()
  let worker: Worker | undefined
  // From the first moment on: the main process may end before this one is ready.
  process.once('SIGTERM', () => ending.resolve()).once('SIGINT', () => ending.resolve())
  main.listen((message) => {
    if (message === undefined || message.kind === 'stop') {
      ending.resolve()
      firstCertificates.resolve([])
    } else if (worker !== undefined) worker.heed(message)
    else if (message.kind === 'certificates') firstCertificates.resolve(message.certificates)
  })
  await using opening = new AsyncDisposableStack()
  const certificates = settings.hasTls ? await firstCertificates.promise : undefined
  if (certificates?.length === 0) return
  worker = await openWorker(settings, { main, log, opening, certificates })
  main.send({ kind: 'listening' })
  await ending.promise
  await worker.finish()
}

interface Worker {
  heed(message: ToWorker): void
  /** Answers once nothing is in flight and all hits are handed over. */
  finish(): Promise<void>
}

interface Opening {
  readonly main: MainProcess
  readonly log: Log
  readonly opening: AsyncDisposableStack
  readonly certificates: readonly Certificate[] | undefined
}

async function openWorker(settings: WorkerSettings, given: Opening): Promise<Worker> {
  const { main, log, opening, certificates } = given
  const connections = opening.use(openConnections({ log, monotonicMs: () => performance.now() }))
  const tap = createHitTap({ beforeDrain: () => connections.transfers?.settle() })
  const delivering = { tap, connections, log, opening }
  const { manifest, respond: deliver } = await openDelivery(settings, delivering)
  const secure = createSecureAnswers({
    respond: deliver,
    isDomain: (hostname) => manifest.zoneOfHost(hostname) !== undefined,
    trustedProxies: trustedProxies(settings.trustedProxies),
    hstsMaxAgeSeconds: settings.hstsMaxAgeSeconds,
  })
  if (certificates !== undefined) secure.useCertificates(certificates)
  const respond = certificates === undefined ? deliver : secure.respond
  const answering = { certificates, sharesPort: true, respond, connections }
  const listener = openListener({ ...settings, ...answering })
  const reporter = createHitReporter({ tap, send: (message) => main.send(message) })
  const follow = () =>
    manifest
      .catchUp()
      .catch((error: unknown) => log.warn('an edge worker could not follow the feed', { error }))
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
  opening.defer(every(reportEveryMs, () => reporter.report()))
  return {
    heed(message) {
      if (message.kind === 'published') void follow()
      else if (message.kind === 'certificates') openBeside(message.certificates, message.turn)
      else if (message.kind === 'close-former') listener.closeFormer()
      else if (message.kind === 'counted') reporter.counted(message.number)
      else if (message.kind === 'report') {
        reporter.report()
        main.send({ kind: 'reported', turn: message.turn })
      }
    },
    async finish() {
      await listener.stop(graceMs)
      connections.transfers?.finish()
      await reporter.finish()
    },
  }
}

function every(milliseconds: number, task: () => void): () => void {
  const timer = setInterval(task, milliseconds)
  return () => clearInterval(timer)
}

async function openReader({ databaseUrl, dataDirectory }: WorkerSettings): Promise<Database> {
  if (databaseUrl === undefined) return openSqliteReader({ file: join(dataDirectory, 'sedge.db') })
  const { openPostgresDatabase } = await import('../../adapters/sql/postgres/postgres-database.ts')
  return await openPostgresDatabase({ url: databaseUrl, limits: { readers: 2 } })
}

async function openBlobs({ s3, dataDirectory }: WorkerSettings): Promise<EdgeBlobs> {
  if (s3 === undefined) return new DiskBlobStore({ directory: join(dataDirectory, 'blobs') })
  const { S3BlobStore } = await import('../../adapters/s3/s3-blob-store.ts')
  return new S3BlobStore({ ...s3, now: () => new Date(), random: Math.random })
}

interface Delivering extends Omit<Opening, 'main' | 'certificates'> {
  readonly tap: HitTap
  readonly connections: Connections
}

/** Reads what the main process writes; the repository is not touched. */
async function openDelivery(
  settings: WorkerSettings,
  { tap, connections, log, opening }: Delivering,
) {
  const { baseUrl, dashboardHost, socket } = settings
  const database = opening.use(await openReader(settings))
  const purges = createPurgeGenerations()
  const manifest = await openFollowedManifest({
    store: new SqlPublicationStore(database),
    domains: new SqlDomainStore(database),
    monotonicMs: () => performance.now(),
    onEntries: (entries) => purges.applyFeed(entries),
  })
  const forward = createForward(socket, {
    log,
    peerPortOf: (request) => connections.peerPortOf(request),
  })
  const edge = opening.use(
    createEdge({
      manifest,
      blobs: await openBlobs(settings),
      purges,
      tap,
      transfers: connections.transfers,
      countryOf: await openCountries(settings),
      settings: { baseUrl, dashboardHost },
      elsewhere: (request, peerAddress) =>
        forward(request, peerAddress ?? 'unknown', () => undefined),
    }),
  )
  const isCurrent = () => performance.now() - manifest.confirmedAtMs < maxAgeMs
  const respond: Respond = (request, peerAddress, keepOpen) =>
    !hasValidHost(request) || (isDelivered(request.url) && isCurrent())
      ? edge.fetch(request, peerAddress)
      : forward(request, peerAddress, keepOpen)
  return { manifest, respond }
}
