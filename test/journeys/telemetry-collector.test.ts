import { expect, test } from 'bun:test'

import { have, otelCollector } from '../support/needs.ts'
import { startOtelCollector } from '../support/otel-collector.ts'
import { access, account, startService, temporaryDirectory } from '../support/service-process.ts'
import { until } from '../support/until.ts'

const hasCollector = have('telemetry that a collector of OpenTelemetry takes', otelCollector)
const traceId = '0af7651916cd43dd8448eb211c80319c'

for (const [protocol, compression] of [
  ['http/protobuf', 'gzip'],
  ['http/protobuf', 'none'],
  ['http/json', 'gzip'],
] as const)
  test.if(hasCollector)(
    `a collector takes traces, metrics and logs as ${protocol}, compression ${compression}`,
    async () => {
      await using directory = await temporaryDirectory()
      await using collector = await startOtelCollector()
      await using service = await startService({
        dataDirectory: directory.path,
        environment: {
          OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
          OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
          OTEL_EXPORTER_OTLP_COMPRESSION: compression,
          OTEL_SERVICE_NAME: 'assets',
          OTEL_METRIC_EXPORT_INTERVAL: '1000',
          LOG_LEVEL: 'debug',
        },
      })
      const traceparent = `00-${traceId}-b7ad6b7169203331-01`
      const zone = { method: 'POST', headers: { ...account, traceparent }, body: '{"Name":"acme"}' }
      expect((await fetch(`${service.url}/api/core/zones`, zone)).status).toBe(201)
      const put = { method: 'PUT', headers: access, body: 'hello' }
      await fetch(`${service.url}/api/storage/acme/v1/a.txt`, put)
      for (let each = 0; each < 3; each += 1) await fetch(`${service.url}/acme/v1/a.txt`)

      expect((await fetch(`${service.url}/api/core/zones`)).status).toBe(401)

      const printed = async () => await collector.printed()
      await until(async () => deliveriesIn(await printed()) === 3)
      await until(async () =>
        (await printed()).includes('Name           : PUT /api/storage/{path}'),
      )
      await until(async () => (await printed()).includes('SeverityText: DEBUG'))
      // A clean stop reports what is left; nobody complains, nothing was dropped.
      expect(await service.stop()).toBe(0)
      const text = await printed()
      for (const part of expected) expect(text).toContain(part)
      expect(text).not.toMatch(/telemetry is not taken|\terror\t|\twarn\t/u)
      for (const signal of ['traces', 'metrics', 'logs'])
        expect(text).not.toMatch(droppedAny(signal))
    },
    60_000,
  )

const expected = [
  'service.name: Str(assets)',
  'sedge.role: Str(service)',
  `Trace ID       : ${traceId}`,
  'Parent ID      : b7ad6b7169203331',
  'Kind           : Server',
  'http.route: Str(/api/core/zones)',
  'http.response.status_code: Int(201)',
  '-> DataType: Sum',
  '-> IsMonotonic: true',
  '-> AggregationTemporality: Cumulative',
  '-> DataType: Histogram',
  '-> DataType: Gauge',
]

const countersOf = (name: string): RegExp =>
  new RegExp(`-> Name: ${name}\\n(?:(?!Descriptor:)[\\s\\S])*`, 'gu')

/** What the last report says was answered with the file. */
function deliveriesIn(printed: string): number {
  const last = [...printed.matchAll(countersOf('sedge_deliveries_total'))].at(-1)?.[0] ?? ''
  return [...last.matchAll(/^Value: (\d+)/gmu)].reduce((sum, [, value]) => sum + Number(value), 0)
}

const droppedAny = (signal: string): RegExp =>
  new RegExp(
    `-> Name: sedge_telemetry_${signal}_dropped_total\\n(?:(?!Descriptor:)[\\s\\S])*Value: [1-9]`,
    'u',
  )
