import { ServiceError } from '../../../domain/errors.ts'
import { errorTable } from '../../../http/response/error-table.ts'
import { readRateLimitState } from '../../../http/response/rate-limit-fields.ts'
import { refusal } from '../invoke/refusal.ts'
import { refusedResult } from '../tools/result.ts'

interface Sent {
  readonly body: unknown
  /** Of the revision before the newest, whose results do not say whether they are complete. */
  readonly isLegacy: boolean
}

interface Call {
  readonly id?: unknown
  readonly method?: unknown
}

/**
 * The response to a call of a tool for which a limit is used up: a result that the agent reads, with how long to
 * wait. A refusal of HTTP's would end the conversation at most clients. `undefined` of everything else.
 */
export function refusedCall(error: unknown, { body, isLegacy }: Sent): Response | undefined {
  if (!(error instanceof ServiceError) || error.code !== 'limit_reached') return undefined
  const { id, method } = body as Call
  if (method !== 'tools/call' || (typeof id !== 'string' && typeof id !== 'number'))
    return undefined
  const { resetSeconds } = readRateLimitState(error.context['limit'])
  const result = refusedResult({
    ...refusal(errorTable.limit_reached.status, error.code, error.message),
    retryAfterSeconds: resetSeconds,
  })
  const kind = isLegacy ? {} : { resultType: 'complete' }
  return Response.json({ jsonrpc: '2.0', id, result: { ...kind, ...result } })
}
