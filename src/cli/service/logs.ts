import { setTimeout as wait } from 'node:timers/promises'

import { SedgeConnectionError, SedgeError } from '../../client/client.ts'
import type { Input, LogEntry } from '../../client/types.ts'
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
  summary: "show or follow the service's log",
  usage: `sedge logs [--days <1..7>] [--level <level>] [--limit <1..500>]
sedge logs tail [--level <level>]

Shows warnings, errors and refused requests, the newest last. With tail, what is logged
from now on, until Ctrl-C; it goes on after the service was started again.

  --days <number>      so far back (1)
  --level <level>      info, warn or error alone
  --limit <number>     at most so many (100)
${commonUsage}; tail prints an object a line

${commonExitCodes}`,
  options: {
    days: { type: 'string' },
    level: { type: 'string' },
    limit: { type: 'string' },
  },
  plan({ values, positionals: [action, ...rest] }) {
    if (rest.length > 0 || (action !== undefined && action !== 'tail'))
      throw new UsageError('Say sedge logs, or sedge logs tail')
    const level = levelOf(values.level)
    const days = wholeNumber(values.days, { name: 'days', min: 1, max: 7 })
    const limit = wholeNumber(values.limit, { name: 'limit', min: 1, max: 500 })
    const query = { ...(level && { level }) }
    if (action === 'tail') return (session) => tail(query, session)
    return async ({ client, print }) => {
      const { Entries: entries } = await client.listLogs({
        ...query,
        ...(days && { days }),
        ...(limit && { limit }),
      })
      print(entries, () => entries.toReversed().map(lineOf).join(''))
    }
  },
})

function levelOf(text: string | undefined): Level | undefined {
  const level = levels.find((each) => each === text)
  if (text !== undefined && level === undefined)
    throw new UsageError(`--level must be one of ${levels.join(', ')}`)
  return level
}

async function tail(query: { level?: Level }, session: Session): Promise<void> {
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

function lineOf({ timestamp, level, code, message, requestId }: LogEntry): string {
  const parts = [timestamp, level.padEnd(5), code ?? '', message, requestId ?? '']
  return `${printable(parts.filter((part) => part !== '').join('  '))}\n`
}
