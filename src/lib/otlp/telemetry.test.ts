import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Counter, Histogram, Registry } from 'prom-client'

import { readGauge } from '../metrics.ts'
import { openTelemetry, type ProcessOf, type TelemetryOptions } from './telemetry.ts'
import type { ServerSpan } from './span-records.ts'

interface Received {
  readonly path: string
  readonly headers: Headers
  readonly body: Uint8Array
}

/** A receiver of OTLP that keeps what it is sent. */
const received: Received[] = []
let respond: () => Response | Promise<Response> = () => new Response()
const server = Bun.serve({
  port: 0,
  async fetch(request) {
    received.push({
      path: new URL(request.url).pathname,
      headers: request.headers,
      body: new Uint8Array(await request.arrayBuffer()),
    })
    return await respond()
  },
})
beforeAll(() => undefined)
afterAll(() => server.stop(true))

function setUp(changed: Partial<TelemetryOptions> = {}, target: Record<string, unknown> = {}) {
  received.length = 0
  respond = () => new Response()
  const warnings: unknown[] = []
  const targetOf = (signal: string) => ({
    url: `${server.url.origin}/v1/${signal}`,
    headers: { 'x-api-key': 'known-there' },
    protocol: 'http/json' as const,
    isCompressed: false,
    timeoutMs: 10_000,
    ...target,
  })
  let id = 0
  const own: ProcessOf = {
    instanceId: 'instance-1',
    role: 'service',
    version: '1.2.3',
    newId: () => `00000000-0000-4000-8000-${String((id += 1)).padStart(12, '0')}`,
    now: () => new Date(1_700_000_000_000),
    monotonicMs: () => performance.now(),
    random: () => 0,
    warn: (message, fields) => void warnings.push([message, fields['signal']]),
  }
  const telemetry = openTelemetry(
    {
      targets: { traces: targetOf('traces'), metrics: targetOf('metrics'), logs: targetOf('logs') },
      resource: { 'service.name': 'assets' },
      sampling: { name: 'parentbased_always_on', ratio: 1 },
      metricsEveryMs: 86_400_000,
      ...changed,
    },
    own,
  )
  return { telemetry, warnings }
}

const span = (changed: Partial<ServerSpan> = {}): ServerSpan => ({
  name: 'GET /api/core/zones/{id}',
  startMs: 1_700_000_000_000.25,
  endMs: 1_700_000_000_005,
  attributes: { 'http.response.status_code': 200 },
  parent: undefined,
  isError: false,
  ...changed,
})

const jsonOf = (path: string) =>
  received
    .filter((each) => each.path === path)
    .map(({ body }) => JSON.parse(Buffer.from(body).toString()) as unknown)

test('a span goes out as JSON of OTLP, with who reports it and what lets it in', async () => {
  const { telemetry } = setUp()
  telemetry.addSpan?.(span({ isError: true }))
  await telemetry[Symbol.asyncDispose]()

  expect(received[0]?.headers.get('x-api-key')).toBe('known-there')
  expect(received[0]?.headers.get('content-type')).toBe('application/json')
  expect(jsonOf('/v1/traces')).toEqual([
    {
      resourceSpans: [
        {
          resource: {
            attributes: [
              { key: 'service.version', value: { stringValue: '1.2.3' } },
              { key: 'service.instance.id', value: { stringValue: 'instance-1' } },
              { key: 'sedge.role', value: { stringValue: 'service' } },
              { key: 'process.pid', value: { intValue: String(process.pid) } },
              { key: 'service.name', value: { stringValue: 'assets' } },
            ],
          },
          scopeSpans: [
            {
              scope: { name: 'sedge', version: '1.2.3' },
              spans: [
                {
                  traceId: '00000000000040008000000000000001',
                  spanId: '0000000000004000',
                  name: 'GET /api/core/zones/{id}',
                  kind: 2,
                  startTimeUnixNano: '1700000000000250000',
                  endTimeUnixNano: '1700000000005000000',
                  attributes: [{ key: 'http.response.status_code', value: { intValue: '200' } }],
                  status: { code: 2 },
                  flags: 1,
                },
              ],
            },
          ],
        },
      ],
    },
  ])
})

test('the caller’s trace goes on, and what it does not follow is not reported', async () => {
  const { telemetry } = setUp()
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const parent = { traceId, parentId: '00f067aa0ba902b7', isSampled: true }
  telemetry.addSpan?.(span({ parent }))
  telemetry.addSpan?.(span({ parent: { ...parent, isSampled: false } }))
  await telemetry[Symbol.asyncDispose]()

  const [message] = jsonOf('/v1/traces')
  expect(message).toMatchObject({
    resourceSpans: [{ scopeSpans: [{ spans: [{ traceId, parentSpanId: '00f067aa0ba902b7' }] }] }],
  })
  expect(JSON.stringify(message).match(/traceId/gu)).toHaveLength(1)
})

test('a line of the log is a record with its level, its trace and no whole address', async () => {
  const { telemetry } = setUp()
  const line = {
    level: 'warn',
    time: '2026-11-28T12:00:00.000Z',
    msg: 'something is odd',
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    address: '203.0.113.77',
    error: { code: 'EIO' },
  }
  telemetry.addLogLine?.(`${JSON.stringify(line)}\n`)
  await telemetry[Symbol.asyncDispose]()

  expect(jsonOf('/v1/logs')).toMatchObject([
    {
      resourceLogs: [
        {
          scopeLogs: [
            {
              logRecords: [
                {
                  severityNumber: 13,
                  severityText: 'WARN',
                  body: { stringValue: 'something is odd' },
                  traceId: line.traceId,
                  attributes: [
                    { key: 'address', value: { stringValue: '203.0.113.0/24' } },
                    { key: 'error', value: { stringValue: '{"code":"EIO"}' } },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
  ])
})

function someMetrics(): Registry {
  const metrics = new Registry()
  const registers = [metrics]
  new Counter({ name: 'a_total', help: 'All.', labelNames: ['plane'], registers }).inc(
    { plane: 'core' },
    3,
  )
  readGauge(metrics, { name: 'b', help: 'Now.' }, () => 0.5)
  readGauge(metrics, { name: 'unknown', help: 'Not known.' }, () => undefined)
  const times = new Histogram({ name: 'c_seconds', help: 'Time.', buckets: [1, 5], registers })
  for (const value of [0.5, 2, 2, 9]) times.observe(value)
  return metrics
}

test('metrics are those of the registry, buckets counted each by itself', async () => {
  const { telemetry } = setUp()
  telemetry.report(someMetrics())
  await telemetry[Symbol.asyncDispose]()

  const times = {
    startTimeUnixNano: '1700000000000000000',
    timeUnixNano: '1700000000000000000',
  }
  const text = JSON.stringify(jsonOf('/v1/metrics'))
  const [{ resourceMetrics }] = JSON.parse(text) as [
    { resourceMetrics: [{ scopeMetrics: [{ metrics: { name: string }[] }] }] },
  ]
  const shown = resourceMetrics[0].scopeMetrics[0].metrics
  expect(shown.filter(({ name }) => !name.startsWith('sedge_'))).toEqual([
    {
      name: 'a_total',
      description: 'All.',
      sum: {
        dataPoints: [
          {
            ...times,
            asDouble: 3,
            attributes: [{ key: 'plane', value: { stringValue: 'core' } }],
          },
        ],
        aggregationTemporality: 2,
        isMonotonic: true,
      },
    },
    {
      name: 'b',
      description: 'Now.',
      gauge: { dataPoints: [{ ...times, asDouble: 0.5, attributes: [] }] },
    },
    {
      name: 'c_seconds',
      description: 'Time.',
      histogram: {
        dataPoints: [
          {
            ...times,
            count: '4',
            sum: 13.5,
            bucketCounts: ['1', '2', '1'],
            explicitBounds: [1, 5],
            attributes: [],
          },
        ],
        aggregationTemporality: 2,
      },
    },
  ] as never)
})

test('a receiver that refuses is not asked again for the same, and it is counted and said once', async () => {
  const { telemetry, warnings } = setUp()
  const metrics = new Registry()
  respond = () => new Response('no', { status: 400 })
  telemetry.report(metrics)
  for (let each = 0; each < 1_100; each += 1) telemetry.addSpan?.(span())
  await telemetry[Symbol.asyncDispose]()

  expect(await metrics.metrics()).toMatch(/^sedge_telemetry_traces_dropped_total [1-9]/mu)
  expect(warnings.filter((each) => String(each).includes('traces'))).toHaveLength(1)
})

test('what a receiver that is away keeps waiting is bounded, and the end waits a second at most', async () => {
  const { telemetry } = setUp()
  const metrics = new Registry()
  telemetry.report(metrics)
  const never = Promise.withResolvers<Response>()
  respond = () => never.promise
  const start = performance.now()
  for (let each = 0; each < 10_000; each += 1) telemetry.addSpan?.(span())
  expect(await metrics.metrics()).toContain('sedge_telemetry_traces_dropped_total 7952\n')
  await telemetry[Symbol.asyncDispose]()
  // A receiver that never responds would be waited for ten seconds.
  expect(performance.now() - start).toBeLessThan(9_000)
  never.resolve(new Response())
})

test('a receiver that is busy gets the same spans later', async () => {
  const { telemetry } = setUp()
  const second = Promise.withResolvers<void>()
  respond = () => {
    if (received.length === 2) second.resolve()
    return received.length === 1 ? new Response(null, { status: 503 }) : new Response()
  }
  for (let each = 0; each < 512; each += 1) telemetry.addSpan?.(span())
  await second.promise
  await telemetry[Symbol.asyncDispose]()

  const [first, again] = jsonOf('/v1/traces')
  expect(again).toEqual(first)
})

test('nobody is led elsewhere with what lets in', async () => {
  const { telemetry, warnings } = setUp()
  respond = () => new Response(null, { status: 307, headers: { Location: '/elsewhere' } })
  telemetry.addSpan?.(span())
  await telemetry[Symbol.asyncDispose]()

  expect(received.map(({ path }) => path)).toEqual(['/v1/traces'])
  expect(warnings).toEqual([['telemetry is not taken', 'traces']])
})

test('bytes of Protocol Buffers are what the schema of OTLP says', async () => {
  const { telemetry } = setUp({}, { protocol: 'http/protobuf', isCompressed: true })
  telemetry.addLogLine?.(
    '{"level":"info","time":"2026-11-28T12:00:00.000Z","msg":"hello","n":-1}\n',
  )
  await telemetry[Symbol.asyncDispose]()

  const [sent] = received
  expect(sent?.headers.get('content-type')).toBe('application/x-protobuf')
  expect(sent?.headers.get('content-encoding')).toBe('gzip')
  const bytes = Buffer.from(Bun.gunzipSync(new Uint8Array(sent?.body ?? [])))
  // log_records (2) of scope_logs: observed time (11), fixed64; body (5) with string_value (1);
  // attributes (6) with key (1) and value (2) of int_value (3), ten bytes for a negative number.
  expect(bytes.toString('hex')).toContain(
    Buffer.from('\u002a\u0007\u000a\u0005hello').toString('hex'),
  )
  expect(bytes.toString('hex')).toContain('32100a016e120b18ffffffffffffffffff01')
  expect(bytes.toString('hex')).toContain('1a04494e464f')
})
