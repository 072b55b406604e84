import { humanSize } from '../../domain/catalog/human-size.ts'
import type { Input, ResponseOf } from '../../client/types.ts'
import { UsageError } from '../support/command.ts'
import { commonExitCodes, commonUsage, serviceCommand } from '../support/service-command.ts'
import { table } from '../support/table.ts'

const usage = `sedge quotas <zone>                        show what a zone may have and use, and what it does
sedge quotas <zone> <name>=<limit> …       say what it may: bytes=50GB files=none traffic=default
sedge quotas <zone> --when-used-up <what>  degrade: stored files instead; cut: nothing

A limit is a whole number, which may end in KB, MB, GB or TB; none is no limit, and default
what holds for every zone (ZONE_QUOTAS).

${commonUsage}

${commonExitCodes}`

type Quotas = ResponseOf<'getZoneQuotas'>
type Wanted = NonNullable<Input<'setZoneQuotas'>['body']>
type Limits = NonNullable<Wanted['Quotas']>
type QuotaName = Quotas['Quotas'][number]['Name']

export const quotasCommand = serviceCommand({
  name: 'quotas',
  summary: 'show and change what a zone may have and use',
  usage,
  options: { 'when-used-up': { type: 'string' } },
  plan({ values, positionals: [id, ...items] }) {
    if (id === undefined) throw new UsageError('Name the zone: sedge quotas <zone>')
    const mode = modeOf(values['when-used-up'])
    const body: Wanted = {
      ...(items.length > 0 && { Quotas: limitsIn(items) }),
      ...(mode !== undefined && { WhenUsedUp: mode }),
    }
    const isChange = Object.keys(body).length > 0
    return async ({ client, print }) => {
      const quotas = isChange
        ? await client.setZoneQuotas({ id, body })
        : await client.getZoneQuotas({ id })
      print(quotas, () => quotasText(quotas))
    }
  },
})

function modeOf(text: string | undefined): Wanted['WhenUsedUp'] {
  if (text === undefined || text === 'degrade' || text === 'cut') return text
  throw new UsageError('--when-used-up is degrade or cut')
}

/** The service knows which quotas there are, and says so of others. */
const limitsIn = (items: readonly string[]): Limits =>
  Object.fromEntries(items.map((item) => [nameIn(item), limitIn(item)]))

const nameIn = (item: string): QuotaName => item.split('=', 1)[0] as QuotaName

const powers = { '': 0, KB: 1, MB: 2, GB: 3, TB: 4 } as const

function limitIn(item: string): number | null | 'default' {
  const text = item.slice(item.indexOf('=') + 1)
  if (text === 'none') return null
  if (text === 'default') return text
  const [, digits, unit = ''] = /^(\d{1,15})([KMGT]B)?$/u.exec(text) ?? []
  if (digits === undefined || !item.includes('='))
    throw new UsageError(`"${item}" is no quota: bytes=50GB, files=none, traffic=default`)
  return Number(digits) * 1000 ** powers[unit as keyof typeof powers]
}

const quotasText = ({ Quotas: quotas, WhenUsedUp, Delivery }: Quotas): string =>
  `${table(
    ['QUOTA', 'USED', 'LIMIT', 'EACH', 'SAID OF'],
    quotas.map((quota) => [
      quota.Name,
      amountOf(quota, quota.Used),
      quota.Limit === null ? 'none' : amountOf(quota, quota.Limit),
      quota.Window ?? '',
      quota.Own ? 'this zone' : 'every zone',
    ]),
  )}\nWhen delivery is used up: ${WhenUsedUp}. Now it is ${Delivery}.\n`

const amountOf = ({ Unit }: Quotas['Quotas'][number], amount: number): string | number =>
  Unit === 'bytes' ? humanSize(amount) : amount
