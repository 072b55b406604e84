import { asRefusal, ServiceError } from '../../domain/errors.ts'
import { errorTable } from './error-table.ts'
import type { Envelope } from '../operation.ts'
import type { Protocol } from '../protocol.ts'
import { unsatisfiedContentRange } from './ranges.ts'
import { rateLimitHeaders, readRateLimitState } from './rate-limit-fields.ts'

export interface RefusalContext {
  readonly envelope: Envelope
  /** What the operation speaks, which may ask for more than the envelope. */
  readonly protocol?: Protocol | undefined
  readonly requestId: string
  readonly at: Date
  /** Besides those that the error itself brings. */
  readonly headers?: Readonly<Record<string, string>>
}

const unavailableRetrySeconds = 5

/**
 * What was thrown, as something a caller may see. Whatever is not a refusal is a fault of the service,
 * and nothing of it may reach the wire.
 */
export const toServiceError = (thrown: unknown): ServiceError =>
  asRefusal(thrown) ??
  new ServiceError(
    'InternalError',
    'the service failed to answer; the operator finds the cause in the log by the request id',
    { cause: thrown },
  )

/** The error as an answer, in its envelope and with the headers its code calls for. */
export function errorResponse(error: ServiceError, context: RefusalContext): Response {
  const asked = context.protocol?.refusal(error)
  const members = errorBody(error, context)
  const status = asked?.status ?? errorTable[error.code].status
  const body = JSON.stringify({
    ...members,
    HttpCode: status,
    ...(asked?.problem && { ...asked.problem, status, detail: error.message }),
  })
  return new Response(body, {
    status,
    headers: {
      'Content-Type': asked?.problem ? 'application/problem+json' : 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-ID': context.requestId,
      'X-API-Version': apiVersion,
      ...retryHeaders(error),
      ...rangeHeaders(error),
      ...context.headers,
      ...asked?.headers,
    },
  })
}

/** A used-up limit looks the same on every endpoint: flat. */
export function errorBody(error: ServiceError, context: RefusalContext): Record<string, unknown> {
  const isFlat = context.envelope === 'flat' || error.code === 'limit_reached'
  const { limit: _limit, ...members } = error.context
  return {
    ...members,
    ...(isFlat ? flatMembers(error) : standardMembers(error)),
    HttpCode: errorTable[error.code].status,
    requestId: context.requestId,
    timestamp: context.at.toISOString(),
    apiVersion,
  }
}

const standardMembers = ({ code, message, target, details }: ServiceError) => ({
  error: { code, message, target: target ?? null, details, innererror: null },
  Message: message,
  message,
})

function flatMembers({ code, message, target, details }: ServiceError) {
  // Clients compare `error` with this very code, and `Message` has to repeat `error`.
  const text = code === 'limit_reached' ? code : message
  return {
    error: text,
    Message: text,
    message: text,
    code,
    detail: message,
    target: target ?? null,
    details,
  }
}

/** For a range of which no byte is there; the answer names how many there are, as it must. */
export const rangeNotSatisfiable = (sizeBytes: number): ServiceError =>
  new ServiceError(
    'RangeNotSatisfiable',
    `Range must name bytes that are there: there are ${sizeBytes}`,
    { target: 'Range', context: { [sizeMember]: sizeBytes } },
  )

/** In the envelope too, for whoever cannot read the field. */
const sizeMember = 'Size'

const rangeHeaders = ({ code, context }: ServiceError): Readonly<Record<string, string>> =>
  code === 'RangeNotSatisfiable'
    ? {
        'Accept-Ranges': 'bytes',
        'Content-Range': unsatisfiedContentRange(Number(context[sizeMember])),
      }
    : {}

function retryHeaders(error: ServiceError): Readonly<Record<string, string>> {
  if (error.code === 'Unavailable') return { 'Retry-After': String(unavailableRetrySeconds) }
  if (error.code !== 'limit_reached') return {}
  const state = readRateLimitState(error.context['limit'])
  return { 'Retry-After': String(state.resetSeconds), ...rateLimitHeaders(state) }
}

/** The newest first. Each is a date; a path never carries one. */
export const supportedApiVersions = ['2026-04-01'] as const
export const [apiVersion] = supportedApiVersions
