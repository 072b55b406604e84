import { isSecretName, type LogFields } from '../../lib/log.ts'
import type { LogRecord } from '../../ports/traffic/log-store.ts'

const maxTextLength = 500
const maxFields = 20

/**
 * A record that may be shown over the interface: plain values alone. Of an error its name and code
 * stay, as messages of libraries and stack traces are for the log of the process.
 */
export function logRecordOf(
  { at, level, message }: Pick<LogRecord, 'at' | 'level' | 'message'>,
  { code, requestId, zone, ...rest }: LogFields,
): LogRecord {
  return {
    at,
    level,
    message: message.slice(0, maxTextLength),
    code: textOf(code),
    requestId: textOf(requestId),
    zone: textOf(zone),
    fields: Object.fromEntries(
      Object.entries(rest)
        .flatMap(([name, value]) => plainFields(name, value))
        .slice(0, maxFields),
    ),
  }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.slice(0, maxTextLength) : undefined

type Plain = string | number | boolean

function plainFields(name: string, value: unknown): readonly (readonly [string, Plain])[] {
  if (isSecretName(name)) return []
  if (typeof value === 'string') return [[name, value.slice(0, maxTextLength)]]
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
    return [[name, value]]
  if (!(value instanceof Error)) return []
  const code: unknown = Reflect.get(value, 'code')
  return [[name, value.name], ...(typeof code === 'string' ? [[`${name}Code`, code] as const] : [])]
}
