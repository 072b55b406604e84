import type { AudienceRow } from '../ports/traffic/traffic-store.ts'
import type { HitRow } from '../edge/hits/hit-counter.ts'
import type { TakenLines } from '../ports/traffic/request-log-store.ts'
import type { KeepOpen } from './full-server.ts'
import type { KeptCertificates } from './tls/certificates.ts'
import type { PlainDomain } from './tls/plain-responses.ts'
import type { RespondOnWire } from '../http/wire/wire-response.ts'

/** What a listener stands in front of: the service, a node that stands by, or an edge node. */
export interface Responder extends AsyncDisposable {
  /** Never rejects. `peerAddress` is the other end of the connection. */
  fetch(request: Request, peerAddress: string): Response | Promise<Response>
  /** The same where all of it is at hand. Absent where nothing ever is. */
  readonly respondOnWire?: RespondOnWire | undefined
  /** Those of custom domains; `undefined` where no TLS is done. */
  readonly certificates: KeptCertificates | undefined
  /** The custom domain of that host name. */
  domainOf(hostname: string): PlainDomain | undefined
  /** For Prometheus; `undefined` where nothing is measured. */
  metrics(): Promise<string> | undefined
  /** Names how the listener is told that a response may be silent for long. */
  keepOpenWith(keepOpen: KeepOpen): void
  /** Tells a worker beside it what no database says. Rejects with a `ServiceError` where it cannot. */
  respondToQuery(query: unknown): Promise<unknown>
  /** Ends the responses that would go on for ever, so that the listener can stop. */
  endStreams(): void
}

/** The service: what publishes, beside which worker processes deliver. */
export interface Service extends Responder {
  /** The newest number of the feed that is shown here. */
  readonly newestSeq: number
  /** Calls `listener` after each publication, before its writer has its response. */
  onPublished(listener: () => void): Disposable
  /** Adds what processes that deliver beside this one counted. */
  countHits(rows: readonly HitRow[], audience: readonly AudienceRow[]): void
  /** Takes over lines of requests that they noted. */
  takeLines(taken: TakenLines): void
  /** Names how to fetch what they counted and have not sent yet. */
  collectHitsWith(collect: () => Promise<void>): void
}
