import { type AttributeValue, anyValueOf, keyValuesOf, nanosecondsOf } from './attributes.ts'
import type { Message } from './protobuf.ts'

/** OpenTelemetry's numbers for how grave something is. */
const severities: Readonly<Record<string, number>> = { debug: 5, info: 9, warn: 13, error: 17 }

/** A line of the log as it is printed: JSON in which secrets are blotted out already. */
export function logRecordOf(line: string): Message {
  const { time, level, msg, traceId, ...fields } = JSON.parse(line) as Record<string, unknown>
  const severity = String(level)
  const at = nanosecondsOf(Date.parse(String(time)))
  return {
    timeUnixNano: at,
    observedTimeUnixNano: at,
    severityNumber: severities[severity],
    severityText: severity.toUpperCase(),
    body: anyValueOf(String(msg)),
    attributes: keyValuesOf(
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, attributeOf(value)])),
    ),
    traceId: typeof traceId === 'string' ? traceId : undefined,
  }
}

/** What has parts goes as JSON. */
function attributeOf(value: unknown): AttributeValue {
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value
  return JSON.stringify(value)
}
