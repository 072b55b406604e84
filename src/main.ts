import { join } from 'node:path'

import {
  completeConfig,
  type Config,
  ConfigError,
  type Environment,
  chosenKeys,
  keySettings,
  previousName,
  readSettings,
  type Settings,
} from './config/config.ts'
import { telemetryOf } from './config/observability/telemetry-settings.ts'
import { lockDataDirectory, restoringName } from './lib/files/data-directory-lock.ts'
import { unpackLooseFiles } from './lib/files/loose-files.ts'
import { keyStrength } from './lib/secrets/key-strength.ts'
import { type Log, openLog } from './lib/log.ts'
import { reportProcess } from './lib/otlp/report-process.ts'
import type { Secret } from './lib/secrets/secret.ts'
import { createUnderWay } from './lib/under-way.ts'
import { openService } from './service.ts'
import type { Service } from './server/responder.ts'
import {
  createOpenWorkers,
  type OpenWorkers,
  possibleWorkers,
} from './server/workers/open-workers.ts'
import { deliverySettingsOf } from './wiring/delivery/worker-delivery.ts'
import { CertificateError } from './server/tls/certificates.ts'
import { type Connections, openConnections } from './server/connections.ts'
import { listen } from './server/listen.ts'
import { logLongTurns } from './server/log-long-turns.ts'
import { serveMetrics } from './server/metrics-listener.ts'
import { createTalk } from './server/console-messages.ts'
import { isUnavailable } from './ports/store-unavailable-error.ts'
import type { World } from './wiring/world.ts'

/** What is in flight when the process is told to end may take this long. */
const graceMs = 10_000

/** The process: runs the service until it is told to end, and resolves to the exit code. */
export async function serve(environment: Environment): Promise<number> {
  const world = await openWorld(environment)
  if (world === undefined) return 1
  await using _lock = world.lock
  const { config, generated } = world
  await using reported = await reportProcess(telemetryOf(config), {
    ...world,
    ...config,
    role: config.clusterAddress === undefined ? 'service' : 'node',
  })
  const { log, telemetry } = reported
  const talk = createTalk({
    ...worldClock,
    config,
    isTerminal: process.stdout.isTTY,
    write: (text) => void process.stdout.write(text),
  })
  if (generated.size > 0) talk.keysMade(generated)

  const ending = Promise.withResolvers<number>()
  const outside = { ...worldClock, log, underWay: createUnderWay() }
  using connections = openConnections(outside)
  const open = config.clusterAddress === undefined ? openService : openNode
  const opened = await open({
    ...outside,
    config,
    telemetry,
    connections,
    ...talk,
    onFatal(cause) {
      log.error('the service cannot go on and ends; start it again', { error: cause })
      ending.resolve(1)
      // Whatever is in the way of an orderly end must not keep what starts it again waiting.
      setTimeout(() => process.exit(1), graceMs).unref()
    },
  }).catch(sayWhatIsMissing)
  if (opened === undefined) return 1
  await using service = opened
  const listening = await listen({
    settings: config,
    responder: service,
    log,
    connections,
    requestLines: talk.onAnswered && { ...worldClock, write: talk.onAnswered },
    openWorkers: workersBeside(service, { config, log, connections }),
  }).catch(sayWhyNot)
  if (listening === undefined) return 1
  // Before anybody is told that it is ready: from then on an end is an orderly one.
  const stop = () => {
    talk.stopping()
    ending.resolve(0)
  }
  process.once('SIGTERM', stop).once('SIGINT', stop)
  const metricsServer = serveMetrics(config, () => service.metrics())
  if (metricsServer !== undefined) process.stdout.write(`Metrics are at ${metricsServer.url}\n`)
  talk.ready(listening)
  using _turns = logLongTurns({ ...outside, ...config })

  const exitCode = await ending.promise
  service.endStreams()
  await metricsServer?.stop()
  await listening.stop(graceMs)
  return exitCode
}

interface Beside {
  readonly config: Config
  readonly log: Log
  readonly connections: Connections
}

/** `undefined` where this process delivers alone. */
function workersBeside(service: Service, beside: Beside): OpenWorkers | undefined {
  const { config, log } = beside
  const count = possibleWorkers(config, log)
  if (count === 0) return undefined
  return createOpenWorkers({
    ...beside,
    count,
    service,
    monotonicMs: worldClock.monotonicMs,
    settings: {
      hostname: config.host,
      hstsMaxAgeSeconds: config.hstsMaxAgeSeconds,
      trustedProxies: config.trustedProxies,
      hotLine: config.hotLine,
      turnLimitMs: config.turnLimitMs,
      logLevel: config.logLevel,
      telemetry: telemetryOf(config),
      version: config.version,
      delivery: deliverySettingsOf(config),
    },
  })
}

/** Loaded where it is wanted: one service alone starts without it. */
async function openNode(opening: World): Promise<Service> {
  const { openClusterNode } = await import('./cluster/cluster-node.ts')
  return await openClusterNode(opening, openService)
}

/** What the service stands on and cannot reach, in words. */
function sayWhatIsMissing(error: unknown): undefined {
  if (!isUnavailable(error)) throw error
  const reason = error.cause instanceof Error ? ` (${error.cause.message})` : ''
  process.stderr.write(`Sedge did not start: ${error.message}${reason}\n`)
}

/** The faults of listening that people meet, in words. */
function sayWhyNot(error: unknown): undefined {
  if (error instanceof CertificateError) {
    process.stderr.write(`Sedge did not start: ${error.message}\n`)
    return
  }
  if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
  process.stderr.write(
    `Sedge did not start: another program listens there already; stop it, or set PORT to another port. (${error.message})\n`,
  )
}

/** The parts of the world that are the same for every process. */
export const worldClock: Pick<World, 'now' | 'newId' | 'monotonicMs'> = {
  now: () => new Date(),
  newId: () => crypto.randomUUID(),
  monotonicMs: () => performance.now(),
}

export interface OpenedWorld {
  readonly config: Config
  readonly log: Log
  readonly generated: ReadonlyMap<string, Secret>
  readonly lock: AsyncDisposable
}

/** Configuration, log and data directory; `undefined`, and the reason said, where they are not to be had. */
export async function openWorld(environment: Environment): Promise<OpenedWorld | undefined> {
  try {
    const settings = readSettings(environment)
    const log = openLog(settings.logLevel)
    await heedKeyStrength(settings, log)
    await requireRestored(settings.dataDirectory)
    const lock = await lockDataDirectory(settings.dataDirectory)
    await unpackLooseFiles(settings.dataDirectory)
    const { config, generated } = await completeConfig(settings)
    return { config, log, generated, lock }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    process.stderr.write(`Sedge did not start: ${reason}\n`)
    return undefined
  }
}

/** Half of a backup would be taken for all there is. */
async function requireRestored(dataDirectory: string): Promise<void> {
  if (await Bun.file(join(dataDirectory, restoringName)).exists())
    throw new Error(
      `${dataDirectory} has half of a backup: give the sedge restore once more that was broken off, which goes on`,
    )
}

/**
 * A new installation does not start with a key that is no protection; one that has had it until now
 * does, and is warned each time.
 */
async function heedKeyStrength(settings: Settings, log: Log): Promise<void> {
  const { faults, short } = keyStrength(chosenKeys(settings), keySettings.dashboardPassword.name)
  const isNew =
    settings.databaseUrl === undefined &&
    !(await Bun.file(join(settings.dataDirectory, 'repository.git', 'HEAD')).exists())
  if (isNew && faults.length > 0) throw new ConfigError(faults)
  for (const name of short)
    log.warn('a key is short enough to be guessed: set a longer one, and this one as the former', {
      setting: name,
      former: previousName(name),
    })
}
