import pino from 'pino'

import type { LogLevel } from './log-levels.ts'

export type { LogLevel }

/** What happened, for the operator. `fields` are data; `error` among them is shown with its causes. */
export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

export type LogFields = Readonly<Record<string, unknown>>

export interface LogOptions {
  readonly level: LogLevel
  /** One readable line an event, for a terminal; else one JSON object a line. */
  readonly pretty: boolean
  readonly write: (line: string) => void
}

/** Names under which no value may be printed, whatever it is. Matched at any depth, in any case. */
const secretNames =
  /^(?:access-?key|account-?key|x-api-key|api-?key|(?:proxy-)?authorization|(?:set-)?cookie|password|secret|.*secret(?:key)?|token|purge-?key|analytics-?key)$/iu
export const isSecretName = (name: string): boolean => secretNames.test(name)

const redacted = '[secret]'
const maxDepth = 6

export function createLog(options: LogOptions): Log {
  const { level, pretty, write } = options
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line: string) => write(pretty ? prettyLine(line) : line) },
  )
  const at =
    (method: Exclude<LogLevel, 'silent'>) =>
    (message: string, fields: LogFields = {}) => {
      if (logger.isLevelEnabled(method)) logger[method](printable(fields, 0) as object, message)
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

/** To standard error, so that what a command prints stays apart. */
export const openLog = (level: LogLevel): Log =>
  createLog({
    level,
    pretty: process.stderr.isTTY,
    write: (line) => void process.stderr.write(line),
  })

/** Says everything to both. */
export const logToBoth = (one: Log, other: Log): Log => ({
  debug(message, fields) {
    one.debug(message, fields)
    other.debug(message, fields)
  },
  info(message, fields) {
    one.info(message, fields)
    other.info(message, fields)
  },
  warn(message, fields) {
    one.warn(message, fields)
    other.warn(message, fields)
  },
  error(message, fields) {
    one.error(message, fields)
    other.error(message, fields)
  },
})

/** Plain data in which secrets are blotted out and errors are spelled out with their causes. */
function printable(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth >= maxDepth) return '[deep]'
  if (value instanceof Error) return printableError(value, depth)
  if (Array.isArray(value)) return value.slice(0, 100).map((item) => printable(item, depth + 1))
  if (hasToJson(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      isSecretName(name) ? redacted : printable(member, depth + 1),
    ]),
  )
}

const hasToJson = (value: object): boolean => typeof Reflect.get(value, 'toJSON') === 'function'

function printableError(error: Error, depth: number): unknown {
  const { name, message, stack, cause } = error
  return {
    name,
    message,
    ...('code' in error ? { code: error.code } : {}),
    ...(stack === undefined ? {} : { stack }),
    ...(cause === undefined ? {} : { cause: printable(cause, depth + 1) }),
  }
}

/** JSON keeps every text on its line; here control characters are escaped for the same reason. */
function prettyLine(line: string): string {
  const { time, level, msg, ...fields } = JSON.parse(line) as Record<string, unknown>
  const clock = String(time).slice(11, 23)
  const details = Object.entries(fields).map(([name, value]) => `${name}=${plain(value)}`)
  return `${[clock, String(level).padEnd(5), escapeControls(String(msg)), ...details].join(' ')}\n`
}

function plain(value: unknown): string {
  if (typeof value === 'string' && /^[\w.:/@-]+$/u.test(value)) return value
  return escapeControls(JSON.stringify(value))
}

/** C0, DEL, C1, line separators and characters that reorder text: a terminal acts on all of them. */
const escapeControls = (text: string): string =>
  text.replace(
    /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
