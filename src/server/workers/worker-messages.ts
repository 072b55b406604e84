import type { ErrorCode } from '../../domain/errors.ts'
import type { AudienceRow } from '../../ports/traffic/traffic-store.ts'
import type { HitRow } from '../../edge/hits/hit-counter.ts'
import type { TakenLines } from '../../ports/traffic/request-log-store.ts'
import type { LogLevel } from '../../lib/log-levels.ts'
import type { TelemetryOptions } from '../../lib/otlp/telemetry.ts'
import type { Certificate } from '../tls/certificates.ts'

/**
 * All that a worker is told at its start, as JSON. No key is among it, but what opens stores elsewhere and
 * what telemetry is sent with; certificates come over the channel.
 */
export interface WorkerSettings<Delivery> {
  readonly port: number
  readonly hostname: string
  /** Whether it waits for certificates before it listens. */
  readonly hasTls: boolean
  readonly hstsMaxAgeSeconds: number | undefined
  /** Where the main process takes the requests that it proxies. */
  readonly socket: string
  readonly trustedProxies: readonly string[]
  /** Whether plain HTTP is answered from a hot line where it can be. */
  readonly hotLine: boolean
  readonly logLevel: LogLevel
  /** Each turn of the loop that is longer is said in the log; none is where there is no limit. */
  readonly turnLimitMs: number | undefined
  /** Where it reports what it does, if anywhere. */
  readonly telemetry: TelemetryOptions | undefined
  /** The program's own. */
  readonly version: string
  /** What it delivers, and from where: not for the server to know. */
  readonly delivery: Delivery
}

/** The environment variable that carries them. */
export const workerSettingsName = 'SEDGE_EDGE_WORKER'

export type ToWorker =
  /** There is something new in the feed. */
  | { readonly kind: 'published' }
  /** The hits of this number are counted. */
  | { readonly kind: 'counted'; readonly number: number }
  /** Send what is counted now, and say so. */
  | { readonly kind: 'report'; readonly turn: number }
  /** Listen with these, beside the former listener where there is one, and say so. */
  | {
      readonly kind: 'certificates'
      readonly turn: number
      readonly certificates: readonly Certificate[]
    }
  /** What came of the query of this number. */
  | { readonly kind: 'query-outcome'; readonly turn: number; readonly outcome: QueryOutcome }
  /** Close the former listener. */
  | { readonly kind: 'close-former' }
  /** Finish what is in flight, send what is counted, end. */
  | { readonly kind: 'stop' }

export type QueryOutcome =
  | { readonly result: unknown }
  | { readonly refusal: { readonly code: ErrorCode; readonly message: string } }

export type FromWorker =
  | { readonly kind: 'listening' }
  | { readonly kind: 'reported'; readonly turn: number }
  | { readonly kind: 'certificates-shown'; readonly turn: number }
  /** Tell this, with the number. */
  | { readonly kind: 'query'; readonly turn: number; readonly query: unknown }
  /** What was noted since the last time; lost with a worker that crashes. */
  | { readonly kind: 'lines'; readonly taken: TakenLines }
  /** What was counted since the last number. Numbers grow by one from 1. */
  | {
      readonly kind: 'hits'
      readonly number: number
      readonly rows: readonly HitRow[]
      readonly audience: readonly AudienceRow[]
      /** Hits that could not be counted, since the start. */
      readonly dropped: number
    }
