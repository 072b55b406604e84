import type { ResponseOf } from '../../client/types.ts'
import { UsageError } from '../support/command.ts'
import { commonExitCodes, commonUsage, serviceCommand } from '../support/service-command.ts'
import { table } from '../support/table.ts'

export const limitsCommand = serviceCommand({
  name: 'limits',
  summary: 'show what is bounded, and how much of it is used',
  usage: `sedge limits [<zone>]

Shows each bound with what is used of it, and when it begins anew. What is stored and
delivered is in sedge usage.

${commonUsage}

${commonExitCodes}`,
  options: {},
  plan({ positionals: [zone, ...rest] }) {
    if (rest.length > 0) throw new UsageError('Name one zone')
    return async ({ client, print }) => {
      const limits = await client.getLimits(zone === undefined ? {} : { zone })
      print(limits, () =>
        table(['WHAT', 'OF', 'USED', 'LIMIT', 'EACH', 'SETTING'], limits.Limits.map(rowOf)),
      )
    }
  },
})

type Limit = ResponseOf<'getLimits'>['Limits'][number]

const rowOf = ({ Name, Scope, Zone, Used, Limit, Window, Setting }: Limit) => [
  Name,
  Zone ?? (Scope === 'network' ? 'your network' : 'all'),
  Used,
  Limit,
  Window ?? '',
  Setting,
]
