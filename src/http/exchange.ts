import type { ServiceError } from '../domain/errors.ts'
import type { Credential } from './access/authorize.ts'
import { apiVersion } from './response/envelopes.ts'
import type { Operation } from './operation.ts'
import type { Trace } from './request/request-id.ts'

/** One request and what is already known of its response. */
export interface Exchange {
  readonly request: Request
  readonly at: Date
  readonly requestId: string
  readonly clientAddress: string
  /** Whether nobody on the way could read along. */
  readonly cameOverTls: boolean
  readonly trace: Trace | undefined
  /** Unknown until the request is routed. */
  operation: Operation | undefined
  /** What the response is about, where its handler said so. */
  asset: string | undefined
  /** The tenant that the URL names, whether or not there is one; `''` for none. */
  zone: string
  /** What opened the operation, once that is known. */
  credential: Credential | undefined
  /** Of a body that was made here. */
  bodyBytes: number | undefined
  /** Why the request was refused, where it was. */
  refusal: ServiceError | undefined
  /** Sent with the response, whatever it turns out to be, unless it has its own. */
  headers: Record<string, string>
}

export const commonHeaders = (requestId: string): Record<string, string> => ({
  'X-Request-ID': requestId,
  'X-API-Version': apiVersion,
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
})
