import { expect, test } from 'bun:test'
import { type Context, type Span, type SpanOptions, trace, type Tracer } from '@opentelemetry/api'

import { allOperations } from '../../planes/operations.ts'
import { createTracing } from './tracing.ts'

interface Recorded {
  readonly name: string
  readonly options: SpanOptions | undefined
  readonly parent: string | undefined
  readonly statuses: unknown[]
}

/** A tracer that keeps what it is asked to trace. */
function setUp() {
  const spans: Recorded[] = []
  const tracer = {
    startSpan(name: string, options?: SpanOptions, context?: Context): Span {
      const parent = context && trace.getSpanContext(context)?.traceId
      const recorded: Recorded = { name, options, parent, statuses: [] }
      spans.push(recorded)
      const span = trace.wrapSpanContext({ traceId: '', spanId: '', traceFlags: 0 })
      span.setStatus = (status) => {
        recorded.statuses.push(status)
        return span
      }
      return span
    },
  } as Tracer
  const operation = allOperations.find(({ id }) => id === 'getZone')
  const respond = (status: number, headers: Record<string, string> = {}) =>
    createTracing(tracer)?.({
      operation,
      asset: undefined,
      request: new Request('http://x/api/core/zones/acme', { headers }),
      response: new Response(null, { status, headers: { 'X-Request-ID': 'id-1' } }),
      peerAddress: '127.0.0.1',
      milliseconds: 5,
    })
  return { spans, answer: respond }
}

test('a response is a server span named for its route, never for what fills it', () => {
  const { spans, answer: respond } = setUp()
  respond(200)

  expect(spans[0]).toMatchObject({
    name: 'GET /api/core/zones/{id}',
    options: {
      attributes: {
        'http.response.status_code': 200,
        'sedge.plane': 'core',
        'sedge.request_id': 'id-1',
      },
    },
    parent: undefined,
    statuses: [],
  })
})

test('the caller’s trace goes on, and a fault of ours marks the span', () => {
  const { spans, answer: respond } = setUp()
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  respond(503, { traceparent: `00-${traceId}-00f067aa0ba902b7-01` })

  expect(spans[0]?.parent).toBe(traceId)
  expect(spans[0]?.statuses).toHaveLength(1)
})

test('without a provider nothing happens', () => {
  expect(() =>
    createTracing()?.({
      operation: undefined,
      asset: undefined,
      request: new Request('http://x/'),
      response: new Response(),
      peerAddress: '127.0.0.1',
      milliseconds: 1,
    }),
  ).not.toThrow()
})
