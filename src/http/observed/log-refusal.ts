import type { ServiceError } from '../../domain/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { Exchange } from '../exchange.ts'
import { pathWithoutQuery } from './request-facts.ts'

/** What callers do wrong is for debugging; a fault of ours is an error. */
export function logRefusal(error: ServiceError, exchange: Exchange, log: Log): void {
  const { operation, request, requestId, trace } = exchange
  const isFault = error.code === 'InternalError' || error.code === 'Unavailable'
  log[isFault ? 'error' : 'debug']('request refused', {
    requestId,
    ...(trace && { traceId: trace.traceId }),
    operation: operation?.id,
    method: request.method,
    path: pathWithoutQuery(request.url),
    code: error.code,
    ...(isFault ? { error: error.cause ?? error } : { reason: error.message }),
  })
}
