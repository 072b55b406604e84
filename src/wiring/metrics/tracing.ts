import {
  type Context,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api'

import type { MeasuredResponse } from '../../http/observed/observed-response.ts'
import { parseTraceparent, type Trace } from '../../http/request/request-id.ts'
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

/**
 * One server span for each response of the API, for a tracer provider that somebody registered before the
 * service started (`bun --preload`); without one nothing is done at all.
 */
export function createTracing(
  tracer: Tracer | undefined = usualTracer(),
): ((answered: MeasuredResponse) => void) | undefined {
  if (tracer === undefined) return undefined
  return (answered: MeasuredResponse): void => {
    const { name, startMs, endMs, attributes, parent, isError } = spanOf(answered)
    const options = { kind: SpanKind.SERVER, startTime: startMs, attributes }
    const span = tracer.startSpan(name, options, contextOf(parent))
    if (isError) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(endMs)
  }
}

/** `undefined` where no provider is registered: then nobody hears of any span. */
function usualTracer(): Tracer | undefined {
  const provider = trace.getTracerProvider()
  const isForNobody =
    provider instanceof ProxyTracerProvider && provider.getDelegateTracer('') === undefined
  return isForNobody ? undefined : provider.getTracer('sedge')
}

/** The caller's span, where the request brings one (W3C Trace Context). */
function contextOf(parent: Trace | undefined): Context {
  if (parent === undefined) return ROOT_CONTEXT
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId: parent.traceId,
    spanId: parent.parentId,
    traceFlags: parent.isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
  })
}
