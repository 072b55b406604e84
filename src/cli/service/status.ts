import type { ResponseOf } from '../../client/types.ts'
import { exitCodes, UsageError } from '../support/command.ts'
import { paint } from '../support/paint.ts'
import { serviceCommand, commonUsage } from '../support/service-command.ts'
import { printable } from '../support/table.ts'

export const statusCommand = serviceCommand({
  name: 'status',
  summary: 'say which service is meant, and whether it is healthy',
  usage: `sedge status

Prints the address and version of the service and probes each of its parts: repository,
database, stored files, feed, renderer.

${commonUsage}

Exit codes: 0 healthy, 1 a part is not, 2 wrong use, 5 no service answers.`,
  options: {},
  plan({ positionals }) {
    if (positionals.length > 0) throw new UsageError('sedge status takes no other words')
    return async ({ client, connection, print, terminal }) => {
      const health = await client.getHealth({ deep: '1' })
      print({ url: connection.url, ...health }, () =>
        [
          `${printable(connection.url)}  Sedge ${health.version}  ${stateOf(health.status === 'ok', terminal)}`,
          ...health.checks.map(
            ({ name, healthy, latencyMs }) =>
              `  ${name.padEnd(12)} ${stateOf(healthy, terminal)}  ${Math.round(latencyMs)} ms`,
          ),
          ...health.warnings.map(warningText),
        ]
          .map((line) => `${line}\n`)
          .join(''),
      )
      return health.status === 'ok' ? exitCodes.ok : exitCodes.failed
    }
  },
})

const stateOf = (isHealthy: boolean, { out, environment }: Parameters<typeof paint>[2]): string =>
  isHealthy
    ? paint('healthy', 'green', { out, environment })
    : paint('not healthy', 'red', { out, environment })

type Warning = ResponseOf<'getHealth'>['warnings'][number]

const warningText = ({ name, count }: Warning): string =>
  `  ${count} ${name === 'fields' ? 'definitions of fields' : 'files of metadata'} came by git and are left out; sedge logs says why`
