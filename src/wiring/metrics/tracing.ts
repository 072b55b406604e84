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
import { parseTraceparent } from '../../http/request/request-id.ts'

/**
 * One server span for each response of the API, through OpenTelemetry's API alone: without a tracer
 * provider every call does nothing. Whoever wants traces registers a provider before the service
 * starts (`bun --preload`), with the exporter of their choice; without one nothing is done at all.
 */
export function createTracing(
  tracer: Tracer | undefined = usualTracer(),
): ((answered: MeasuredResponse) => void) | undefined {
  if (tracer === undefined) return undefined
  return ({ operation, request, response, milliseconds }: MeasuredResponse): void => {
    const endTime = Date.now()
    const span = tracer.startSpan(
      operation === undefined ? request.method : `${request.method} ${operation.path}`,
      {
        kind: SpanKind.SERVER,
        startTime: endTime - milliseconds,
        attributes: {
          'http.request.method': request.method,
          'http.response.status_code': response.status,
          ...(operation === undefined ? {} : { 'http.route': operation.path }),
          'sedge.plane': operation?.plane ?? 'none',
          'sedge.request_id': response.headers.get('x-request-id') ?? '',
        },
      },
      parentOf(request),
    )
    if (response.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(endTime)
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
function parentOf({ headers }: Pick<Request, 'headers'>): Context {
  const parent = parseTraceparent(headers.get('traceparent'))
  if (parent === undefined) return ROOT_CONTEXT
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId: parent.traceId,
    spanId: parent.parentId,
    traceFlags: parent.isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
  })
}
