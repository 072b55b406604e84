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
import type { Trace } from '../../http/request/request-id.ts'
import { spanOf } from './spans.ts'

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
