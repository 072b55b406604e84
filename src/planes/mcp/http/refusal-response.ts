import { toServiceError } from '../../../http/response/envelopes.ts'
import { errorTable } from '../../../http/response/error-table.ts'
import { readRateLimitState } from '../../../http/response/rate-limit-fields.ts'
import type { Log } from '../../../lib/log.ts'

/** JSON-RPC 2.0 §5.1: what is no JSON, what is no request, and what went wrong here. */
const codes = { parse: -32_700, invalid: -32_600, internal: -32_603 } as const

/** What was thrown before a message was understood, as JSON-RPC says it. */
export function refusalResponse(
  thrown: unknown,
  { request, log }: { readonly request: Request; readonly log: Log },
): Response {
  const error = toServiceError(thrown)
  const { status } = errorTable[error.code]
  if (status >= 500)
    log.error('an agent could not be answered', { error: thrown, url: request.url })
  const code =
    status >= 500 ? codes.internal : error.message.includes('JSON') ? codes.parse : codes.invalid
  const headers: Record<string, string> = {}
  if (error.code === 'limit_reached')
    headers['Retry-After'] = String(readRateLimitState(error.context['limit']).resetSeconds)
  return Response.json(
    {
      jsonrpc: '2.0',
      id: null,
      error: { code, message: error.message, data: { code: error.code } },
    },
    { status, headers },
  )
}
