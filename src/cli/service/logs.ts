import { setTimeout as wait } from 'node:timers/promises'

import { SedgeConnectionError, SedgeError } from '../../client/client.ts'
import type { Input, LogEntry, ResponseOf } from '../../client/types.ts'
import { UsageError } from '../support/command.ts'
import { wholeNumber } from '../support/parse-words.ts'
import {
  commonExitCodes,
  commonUsage,
  serviceCommand,
  type Session,
} from '../support/service-command.ts'
import { printable } from '../support/table.ts'

const levels = ['info', 'warn', 'error'] as const
type Level = NonNullable<Input<'listLogs'>['level']>

/** The service may be starting again. */
const reconnectMs = 2_000

export const logsCommand = serviceCommand({
  name: 'logs',
  aliases: ['log'],
  summary: 'find or follow requests, or what the service noticed',
  usage: `sedge logs [<query>] [--days <1..7>] [--level <level>] [--limit <1..500>]
sedge logs tail [<query>] [--level <level>]
sedge logs --service [--days <1..7>] [--level <level>] [--limit <1..500>]

Shows a line for each request, the newest last: status, method, path, how long it took,
the code of a refusal, the id. A query has conditions that must all hold:
  sedge logs 'status:>=400 -path:/favicon.ico'
  sedge logs 'zone:acme cache:miss ms:>200'
  sedge logs id:b8a3f1de-0000-4000-8000-000000000000
Words: status method zone path ms bytes cache by token country network code id referrer
agent operation; anything else is free text. With tail, what comes from now on, until
Ctrl-C; it goes on after the service was started again.

  --service            what the service noticed: warnings, errors and refused requests
  --days <number>      so far back (1)
  --level <level>      info, warn or error alone
  --limit <number>     at most so many (100)
${commonUsage}; tail prints an object a line

${commonExitCodes}`,
  options: {
    service: { type: 'boolean' },
    days: { type: 'string' },
    level: { type: 'string' },
    limit: { type: 'string' },
  },
  plan({ values, positionals }) {
    const [action, ...rest] = positionals
    const isTail = action === 'tail'
    const q = (isTail ? rest : positionals).join(' ')
    const isService = values.service === true
    if (isService && q !== '') throw new UsageError('--service takes no query')
    const level = levelOf(values.level)
    const days = wholeNumber(values.days, { name: 'days', min: 1, max: 7 })
    const limit = wholeNumber(values.limit, { name: 'limit', min: 1, max: 500 })
    const query = { ...(level && { level }), ...(!isService && { q }) }
    if (isTail) return (session) => tail(query, session)
    return async ({ client, terminal, print }) => {
      const found = await client.listLogs({
        ...query,
        ...(days && { days }),
        ...(limit && { limit }),
      })
      print(found.Entries, () => found.Entries.toReversed().map(lineOf).join(''))
      const note = noteOf(found)
      if (note !== undefined) terminal.error.write(`${note}\n`)
    }
  },
})

/** Where more may be than was looked at. */
function noteOf({ Looked, Count, Limit }: ResponseOf<'listLogs'>): string | undefined {
  if (Looked === undefined || Looked.IsComplete || Count === Limit) return undefined
  return `Looked at ${Looked.Lines} requests, back to ${Looked.BackTo}; ask for less, or for older ones with a narrower query`
}

function levelOf(text: string | undefined): Level | undefined {
  const level = levels.find((each) => each === text)
  if (text !== undefined && level === undefined)
    throw new UsageError(`--level must be one of ${levels.join(', ')}`)
  return level
}

async function tail(query: { level?: Level; q?: string }, session: Session): Promise<void> {
  const { client, terminal, isJson } = session
  // That nobody answers is an error now; later it is a service that is started again.
  await client.getHealth()
  for (;;) {
    try {
      for await (const entry of client.followLogs(query))
        terminal.out.write(isJson ? `${JSON.stringify(entry)}\n` : lineOf(entry))
    } catch (error) {
      const isGone = error instanceof SedgeConnectionError
      if (!isGone && !(error instanceof SedgeError && error.status === 503)) throw error
    }
    terminal.error.write('The log ended; asking again …\n')
    await wait(reconnectMs)
  }
}

function lineOf(entry: LogEntry): string {
  const { timestamp, level, code, message, requestId, status } = entry
  const parts =
    status === undefined
      ? [timestamp, level.padEnd(5), code ?? '', message, requestId ?? '']
      : [timestamp, ...requestParts(entry), code ?? '', requestId ?? '']
  return `${printable(parts.filter((part) => part !== '').join('  '))}\n`
}

const requestParts = ({ status, method = '', path = '', ms = 0 }: LogEntry): readonly string[] => [
  String(status),
  method.padEnd(6),
  `${ms.toFixed(1)} ms`.padStart(9),
  path,
]
