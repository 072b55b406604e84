import type { LogLevel } from '../log-levels.ts'
import { createLog, type Log, logToBoth } from '../log.ts'
import type { Telemetry, TelemetryOptions } from './telemetry.ts'

export interface ReportedProcess extends AsyncDisposable {
  /** What is said to it is reported too. */
  readonly log: Log
  /** `undefined` where nothing is reported. */
  readonly telemetry: Telemetry | undefined
}

interface Reporting {
  /** What this process does, e.g. `worker`. */
  readonly role: string
  readonly version: string
  readonly log: Log
  readonly logLevel: LogLevel
}

/** Reports what this process does until it ends, where somebody wants that. Nothing of it is loaded where nobody does. */
export async function reportProcess(
  options: TelemetryOptions | undefined,
  { role, version, log, logLevel }: Reporting,
): Promise<ReportedProcess> {
  if (options === undefined)
    return { log, telemetry: undefined, [Symbol.asyncDispose]: () => Promise.resolve() }
  const { openTelemetry } = await import('./telemetry.ts')
  const telemetry = openTelemetry(options, {
    role,
    version,
    instanceId: crypto.randomUUID(),
    newId: () => crypto.randomUUID(),
    now: () => new Date(),
    monotonicMs: () => performance.now(),
    random: Math.random,
    warn: (message, fields) => log.warn(message, fields),
  })
  const { addLogLine: write } = telemetry
  return {
    telemetry,
    log:
      write === undefined
        ? log
        : logToBoth(log, createLog({ level: logLevel, pretty: false, write })),
    [Symbol.asyncDispose]: () => telemetry[Symbol.asyncDispose](),
  }
}
