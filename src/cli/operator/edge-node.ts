import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { type Environment, readSettings, tlsOf } from '../../config/config.ts'
import { telemetryOf } from '../../config/observability/telemetry-settings.ts'
import { lockDataDirectory } from '../../lib/files/data-directory-lock.ts'
import { unpackLooseFiles } from '../../lib/files/loose-files.ts'
import { openLog } from '../../lib/log.ts'
import { createUnderWay } from '../../lib/under-way.ts'
import { reportProcess } from '../../lib/otlp/report-process.ts'
import type { Secret } from '../../lib/secrets/secret.ts'
import { filePath } from '../../config/setting.ts'
import { EdgeOriginError } from '../../ports/edges/edge-origin.ts'
import { openConnections } from '../../server/connections.ts'
import { serveMetrics } from '../../server/metrics-listener.ts'
import { listen } from '../../server/listen.ts'
import { logLongTurns } from '../../server/log-long-turns.ts'
import { openEdgeNode, type EdgeNode } from '../../edge-node/edge-node.ts'
import { isMeasured } from '../../wiring/metrics/measuring.ts'
import { programVersion } from '../support/program-version.ts'
import { exitCodes, type Terminal } from '../support/command.ts'
import type { EdgeSettings } from './edge-settings.ts'

/** What knows an older state waits so long for the newest before it is served. */
const newestWithinMs = 5_000
/** What is in flight when the process is told to end may take this long. */
const graceMs = 10_000
/** Many edges lose one origin at once. */
const maxPauseMs = 15_000
const defaultDirectory = './edge-data'

const clock = {
  now: () => new Date(),
  newId: () => crypto.randomUUID(),
  monotonicMs: () => performance.now(),
}

/** An edge of a Sedge service, until the process is told to end. */
export async function runEdgeNode(
  settings: EdgeSettings & { readonly token: Secret },
  terminal: Terminal,
): Promise<number> {
  const ending = Promise.withResolvers<number>()
  process
    .once('SIGTERM', () => ending.resolve(exitCodes.ok))
    .once('SIGINT', () => ending.resolve(exitCodes.ok))
  const version = await programVersion()
  const read = readWorld(terminal.environment)
  await using reported = await reportProcess(read.telemetry, { ...read, version, role: 'edge' })
  const { log, telemetry } = reported
  const config = { ...read.config, isMeasured: isMeasured(read.config, telemetry) }
  const directory = settings.cacheDirectory ?? filePath(defaultDirectory)
  await using _lock = await lockDataDirectory(directory)
  await unpackLooseFiles(directory)
  const name = settings.name ?? (await keptName(directory))
  using connections = openConnections({ ...clock, log })
  const underWay = createUnderWay()
  await using edgeNode = await openEdgeNode({
    ...clock,
    connections,
    underWay,
    onFatal(cause) {
      log.error('the edge cannot go on and ends; start it again', { error: cause })
      ending.resolve(exitCodes.failed)
    },
    log,
    telemetry,
    settings: {
      ...config,
      ...settings,
      origin: () => settings.origin,
      maxPauseMs,
      name,
      directory,
      version,
    },
  })
  terminal.out.write(`${name} follows ${settings.origin.href}\n`)
  const first = await Promise.race([ready(edgeNode, terminal), ending.promise])
  if (first !== undefined) return first
  const listening = await listen({
    settings: { ...config, ...settings },
    responder: edgeNode,
    log,
    connections,
  })
  using _turns = logLongTurns({ ...clock, ...read, log, underWay })
  terminal.out.write(`Sedge edge ${name} is ready at ${listening.url.href}\n`)
  if (listening.plainUrl !== undefined)
    terminal.out.write(`Plain HTTP is answered at ${listening.plainUrl.href}\n`)
  const metrics = serveMetrics(config, () => edgeNode.metrics())
  if (metrics !== undefined) terminal.out.write(`Metrics are at ${metrics.url}\n`)
  const exitCode = await ending.promise
  edgeNode.endStreams()
  await metrics?.stop()
  await listening.stop(graceMs)
  return exitCode
}

/** Without any state it waits for the origin; with an older one only for a while. */
async function ready(edgeNode: EdgeNode, terminal: Terminal): Promise<number | undefined> {
  const stopping = new AbortController()
  const patience = edgeNode.hasState
    ? pause(newestWithinMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    : edgeNode.caughtUp
  try {
    await Promise.race([edgeNode.caughtUp, patience])
    return undefined
  } catch (error) {
    if (!(error instanceof EdgeOriginError)) throw error
    terminal.error.write(`The edge did not start: the token is refused. (${error.message})\n`)
    return exitCodes.failed
  } finally {
    stopping.abort()
  }
}

/** An edge listens, trusts and signs by the same settings as the service. */
function readWorld(environment: Environment) {
  const settings = readSettings(environment)
  const { secretsKey, secretsKeyPrevious } = settings
  const tls = tlsOf(settings)
  return {
    log: openLog(settings.logLevel),
    logLevel: settings.logLevel,
    turnLimitMs: settings.turnLimitMs,
    telemetry: telemetryOf(settings),
    config: {
      baseUrl: settings.baseUrl,
      dashboardHost: settings.dashboardHost,
      previewHost: settings.previewHost,
      trustedProxies: settings.trustedProxies,
      countryHeader: settings.countryHeader,
      signedUrlMaxAgeSeconds: settings.signedUrlMaxAgeSeconds,
      historyPerMinute: settings.historyPerMinute,
      transformMode: settings.transformMode,
      transformMaxMs: settings.transformMaxMs,
      sessionSecrets: [],
      tls,
      hasTls: tls !== undefined,
      checksResponses: settings.checksResponses,
      metricsPort: settings.metricsPort,
      metricsHost: settings.metricsHost,
      httpPort: settings.httpPort,
      hstsMaxAgeSeconds: settings.hstsMaxAgeSeconds,
      edgeKeysOverHttp: settings.edgeKeysOverHttp,
      secretsKeys: [secretsKey, secretsKeyPrevious].filter((secret) => secret !== undefined),
      signedUrlSecret: settings.keys.signedUrlSecret,
      previousSignedUrlSecret: settings.previousKeys.signedUrlSecret,
    },
  }
}

/** Made once and kept, so that the origin knows the edge again. */
async function keptName(directory: string): Promise<string> {
  const file = join(directory, 'name')
  const kept = await readFile(file, 'utf8').catch(() => undefined)
  if (kept !== undefined && kept.trim() !== '') return kept.trim()
  const host = hostname()
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/gu, '-')
    .replaceAll(/^-+|(?<!-)-+$/gu, '')
    .slice(0, 40)
  const name = `${host === '' ? 'edge' : host}-${randomBytes(3).toString('hex')}`
  await writeFile(file, `${name}\n`)
  return name
}
