import type { ServiceError } from '../../domain/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { Exchange } from '../exchange.ts'
import { pathWithoutQuery } from './request-facts.ts'

/**
 * What callers do wrong is for debugging; a fault of ours is an error. That too much is asked for is neither: it is
 * said in a line, for there may be hundreds in a second.
 */
export function logRefusal(error: ServiceError, exchange: Exchange, log: Log): void {
  const { operation, request, requestId, trace } = exchange
  const { code, isOverload } = error
  const isFault = code === 'InternalError' || (code === 'Unavailable' && !isOverload)
  const level = isFault ? 'error' : isOverload ? 'warn' : 'debug'
  log[level]('request refused', {
    requestId,
    ...(trace && { traceId: trace.traceId }),
    operation: operation?.id,
    method: request.method,
    path: pathWithoutQuery(request.url),
    code,
    ...(isFault ? { error: error.cause ?? error } : { reason: error.message }),
  })
}
