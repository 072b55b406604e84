import type { MessageSchema } from './protobuf.ts'
import type { Signal } from './signal-names.ts'

/** What of OTLP 1 is sent, by the names of its JSON (opentelemetry-proto, stable since 1.0). */

const anyValue: MessageSchema = {
  stringValue: [1, 'string'],
  boolValue: [2, 'bool'],
  intValue: [3, 'varint'],
  doubleValue: [4, 'double'],
}
const keyValue: MessageSchema = { key: [1, 'string'], value: [2, anyValue] }
const resource: MessageSchema = { attributes: [1, keyValue] }
const scope: MessageSchema = { name: [1, 'string'], version: [2, 'string'] }

const span: MessageSchema = {
  traceId: [1, 'hex'],
  spanId: [2, 'hex'],
  parentSpanId: [4, 'hex'],
  name: [5, 'string'],
  kind: [6, 'varint'],
  startTimeUnixNano: [7, 'fixed64'],
  endTimeUnixNano: [8, 'fixed64'],
  attributes: [9, keyValue],
  status: [15, { code: [3, 'varint'] }],
  flags: [16, 'fixed32'],
}

const logRecord: MessageSchema = {
  timeUnixNano: [1, 'fixed64'],
  severityNumber: [2, 'varint'],
  severityText: [3, 'string'],
  body: [5, anyValue],
  attributes: [6, keyValue],
  traceId: [9, 'hex'],
  observedTimeUnixNano: [11, 'fixed64'],
}

const numberPoint: MessageSchema = {
  startTimeUnixNano: [2, 'fixed64'],
  timeUnixNano: [3, 'fixed64'],
  asDouble: [4, 'double'],
  attributes: [7, keyValue],
}
const histogramPoint: MessageSchema = {
  startTimeUnixNano: [2, 'fixed64'],
  timeUnixNano: [3, 'fixed64'],
  count: [4, 'fixed64'],
  sum: [5, 'double'],
  bucketCounts: [6, 'fixed64', 'packed'],
  explicitBounds: [7, 'double', 'packed'],
  attributes: [9, keyValue],
}
const metric: MessageSchema = {
  name: [1, 'string'],
  description: [2, 'string'],
  gauge: [5, { dataPoints: [1, numberPoint] }],
  sum: [
    7,
    {
      dataPoints: [1, numberPoint],
      aggregationTemporality: [2, 'varint'],
      isMonotonic: [3, 'bool'],
    },
  ],
  histogram: [9, { dataPoints: [1, histogramPoint], aggregationTemporality: [2, 'varint'] }],
}

/** The names of the lists that lead from a message to its items. */
type ListNames = readonly [resources: string, scopes: string, items: string]

const request = ([resources, scopes, items]: ListNames, item: MessageSchema): MessageSchema => ({
  [resources]: [
    1,
    { resource: [1, resource], [scopes]: [2, { scope: [1, scope], [items]: [2, item] }] },
  ],
})

const listNames = {
  traces: ['resourceSpans', 'scopeSpans', 'spans'],
  metrics: ['resourceMetrics', 'scopeMetrics', 'metrics'],
  logs: ['resourceLogs', 'scopeLogs', 'logRecords'],
} as const satisfies Readonly<Record<Signal, ListNames>>

/** The messages that are sent. */
export const signals = {
  traces: { names: listNames.traces, schema: request(listNames.traces, span) },
  metrics: { names: listNames.metrics, schema: request(listNames.metrics, metric) },
  logs: { names: listNames.logs, schema: request(listNames.logs, logRecord) },
} as const
