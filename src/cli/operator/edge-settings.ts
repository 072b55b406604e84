import { parseArgs } from 'node:util'

import { Secret } from '../../lib/secrets/secret.ts'
import { filePath, optional } from '../../config/setting.ts'
import { type Arguments, UsageError } from '../support/command.ts'

export interface EdgeSettings {
  readonly origin: URL
  /** Absent: a shared cache in front of any origin. */
  readonly token: Secret | undefined
  readonly name: string | undefined
  readonly host: string
  readonly port: number
  readonly reusesPort: boolean
  readonly memoryBytes: number
  readonly cacheDirectory: string | undefined
  readonly diskBytes: number
  readonly keepsHost: boolean
  readonly storing: 'guarded' | 'permitted'
}

/** Throws a `UsageError` that says what is wrong. */
export function readEdgeSettings(
  args: Arguments,
  environment: Readonly<Record<string, string | undefined>> = {},
): EdgeSettings {
  const { values } = parseWords(args)
  return {
    origin: readOrigin(values.origin),
    token: readToken(values.token ?? environment['EDGE_TOKEN']),
    name: readName(values.name),
    host: values.host,
    port: readWhole('--port', values.port, 65_535),
    reusesPort: values['reuse-port'],
    memoryBytes: readWhole('--memory', values.memory, 2 ** 20) * 2 ** 20,
    cacheDirectory: optional(filePath)(values['cache-dir'] ?? ''),
    diskBytes: readWhole('--disk', values.disk, 2 ** 30) * 2 ** 20,
    keepsHost: values['keep-host'],
    storing: values.permitted ? 'permitted' : 'guarded',
  }
}

function parseWords(args: Arguments) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        origin: { type: 'string' },
        token: { type: 'string' },
        name: { type: 'string' },
        host: { type: 'string', default: '127.0.0.1' },
        port: { type: 'string', default: '8789' },
        'reuse-port': { type: 'boolean', default: false },
        memory: { type: 'string', default: '256' },
        'cache-dir': { type: 'string' },
        disk: { type: 'string', default: '4096' },
        'keep-host': { type: 'boolean', default: false },
        permitted: { type: 'boolean', default: false },
      },
    })
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : 'bad options', { cause })
  }
}

function readOrigin(text: string | undefined): URL {
  const origin = text === undefined ? null : URL.parse(text)
  if (origin === null || !/^https?:$/u.test(origin.protocol))
    throw new UsageError('--origin must be an http or https URL')
  return origin
}

function readToken(text: string | undefined): Secret | undefined {
  const token = text?.trim() ?? ''
  if (token === '') return undefined
  if (!token.startsWith('cdnsk_'))
    throw new UsageError('--token must be a token of the origin, which begins with cdnsk_')
  return new Secret(token)
}

function readName(name: string | undefined): string | undefined {
  if (name !== undefined && !/^[a-z0-9][a-z0-9.-]{0,62}$/u.test(name))
    throw new UsageError('--name must be of a to z, 0 to 9, dots and hyphens, at most 63')
  return name
}

function readWhole(name: string, text: string, max: number): number {
  const value = /^\d+$/u.test(text) ? Number(text) : Number.NaN
  if (!(value <= max)) throw new UsageError(`${name} must be a whole number up to ${max}`)
  return value
}
