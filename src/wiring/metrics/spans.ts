import type { MeasuredResponse } from '../../http/observed/observed-response.ts'
import { parseTraceparent } from '../../http/request/request-id.ts'
import type { ServerSpan } from '../../lib/otlp/span-records.ts'

/** What a trace has of a response: its route, never what fills it, and nothing of who asked. */
export function spanOf({
  operation,
  request,
  response,
  milliseconds,
}: MeasuredResponse): ServerSpan {
  const endMs = Date.now()
  return {
    name: operation === undefined ? request.method : `${request.method} ${operation.path}`,
    startMs: endMs - milliseconds,
    endMs,
    attributes: {
      'http.request.method': request.method,
      'http.response.status_code': response.status,
      ...(operation === undefined ? {} : { 'http.route': operation.path }),
      'sedge.plane': operation?.plane ?? 'none',
      'sedge.request_id': response.headers.get('x-request-id') ?? '',
    },
    parent: parseTraceparent(request.headers.get('traceparent')),
    isError: response.status >= 500,
  }
}
