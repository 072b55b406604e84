import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { edgeTokenOf, startEdge } from '../support/edge-process.ts'
import { type OtlpReceiver, startOtlpReceiver } from '../support/otlp-receiver.ts'
import {
  access,
  account,
  startService,
  temporaryDirectory,
  testKeys,
} from '../support/service-process.ts'
import { until } from '../support/until.ts'

const limitMs = 90_000

const reportingTo = ({ url }: OtlpReceiver) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-receiver',
  OTEL_METRIC_EXPORT_INTERVAL: '200',
  LOG_LEVEL: 'debug',
})

test(
  'each process reports what it does by itself, and nothing that opens anything or names a client',
  async () => {
    await using directory = await temporaryDirectory()
    await using receiver = startOtlpReceiver()
    const environment = reportingTo(receiver)
    await using service = await startService({
      dataDirectory: join(directory.path, 'origin'),
      environment: { ...environment, EDGE_WORKERS: '1', TRUSTED_PROXIES: '127.0.0.1' },
    })
    const token = await edgeTokenOf(service.url)
    await using edge = await startEdge({
      origin: service.url,
      token,
      name: 'far',
      directory: join(directory.path, 'far'),
      environment,
    })
    const client = { 'X-Forwarded-For': '198.51.100.77' }
    const zone = { method: 'POST', headers: account, body: '{"Name":"acme"}' }
    await fetch(`${service.url}/api/core/zones`, zone)
    const put = { method: 'PUT', headers: { ...access, ...client }, body: 'hello' }
    await fetch(`${service.url}/api/storage/acme/v1/a.txt`, put)
    await fetch(`${service.url}/acme/v1/a.txt?signature=of-a-query`, { headers: client })
    await fetch(`${service.url}/api/core/zones?signature=of-a-query`, { headers: client })
    await fetch(`${edge.url}/api/health`)

    const of = (signal: string, role: string) =>
      receiver.reports.filter((report) => report.signal === signal && report.role === role)
    const names = (signal: string, role: string) =>
      of(signal, role).flatMap(({ items }) => items.map(({ name }) => name))
    await until(() => ['service', 'worker', 'edge'].every((role) => of('metrics', role).length > 0))
    await until(() => names('traces', 'service').includes('PUT /api/storage/{path}'))
    await until(() => names('traces', 'edge').includes('GET /api/health'))
    await until(() => of('logs', 'service').length > 0)

    expect(names('metrics', 'service')).toContain('sedge_request_seconds')
    expect(names('metrics', 'service')).toContain('sedge_telemetry_traces_dropped_total')
    expect(names('metrics', 'edge')).toContain('sedge_edge_connected')
    expect(names('metrics', 'worker')).toContain('process_resident_memory_bytes')
    expect(new Set(receiver.reports.map(({ role, instance }) => `${role} ${instance}`)).size).toBe(
      3,
    )
    for (const secret of [...Object.values(testKeys), token, 'of-a-query', '198.51.100.77'])
      expect(receiver.text).not.toContain(secret)
  },
  limitMs,
)

test(
  'a receiver that never responds holds up neither answers nor the end',
  async () => {
    await using directory = await temporaryDirectory()
    await using receiver = startOtlpReceiver({ hangs: true })
    await using service = await startService({
      dataDirectory: directory.path,
      environment: reportingTo(receiver),
    })
    await until(() => receiver.reports.length > 0)
    for (let each = 0; each < 20; each += 1)
      expect((await fetch(`${service.url}/api/health`)).status).toBe(200)
    expect(await service.stop()).toBe(0)
  },
  limitMs,
)
