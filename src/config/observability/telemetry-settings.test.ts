import { expect, test } from 'bun:test'

import { type Environment, readSettings } from '../config.ts'
import { telemetryOf } from './telemetry-settings.ts'

const read = (environment: Environment) => telemetryOf(readSettings(environment))
const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' }

test('nothing is reported unless somebody says where to', () => {
  expect(read({})).toBeUndefined()
  expect(read({ OTEL_SERVICE_NAME: 'assets' })).toBeUndefined()
  expect(read({ ...endpoint, OTEL_SDK_DISABLED: 'true' })).toBeUndefined()
})

test('one endpoint is for all signals, each below it, and one of their own is taken as it is', () => {
  const targets = read({
    ...endpoint,
    OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: 'https://logs.example.org/otlp',
    OTEL_METRICS_EXPORTER: 'none',
  })?.targets
  expect(targets).toMatchObject({
    traces: { url: 'http://collector:4318/v1/traces' },
    logs: { url: 'https://logs.example.org/otlp' },
  })
  expect(targets).not.toHaveProperty('metrics')
})

test('headers and attributes are lists with encoded values, and the name of the service has a variable of its own', () => {
  const options = read({
    ...endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20YTpi, x-tenant=one',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-tenant=two',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=files,deployment.environment.name=production',
    OTEL_SERVICE_NAME: 'assets',
  })
  expect(options?.targets.metrics?.headers).toEqual({
    authorization: 'Basic YTpi',
    'x-tenant': 'one',
  })
  expect(options?.targets.traces?.headers).toEqual({ 'x-tenant': 'two' })
  expect(options?.resource).toEqual({
    'service.name': 'assets',
    'deployment.environment.name': 'production',
  })
})

for (const [name, value] of [
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'nothing'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'x=%0d%0aHost:%20other'],
  ['OTEL_RESOURCE_ATTRIBUTES', 'a=%zz'],
  ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
] as const)
  test(`${name} is refused as ${value}`, () => {
    expect(() => readSettings({ [name]: value })).toThrow(name)
  })

test('headers are printed nowhere', () => {
  const settings = readSettings({
    ...endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=secret-1',
  })
  expect(JSON.stringify(settings)).not.toContain('secret-1')
})
