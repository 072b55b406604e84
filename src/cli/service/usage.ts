import type { Client, Input, ResponseOf } from '../../client/types.ts'
import { humanSize } from '../../domain/catalog/human-size.ts'
import { csv } from '../../lib/text/csv.ts'
import { UsageError } from '../support/command.ts'
import { wholeNumber } from '../support/parse-words.ts'
import {
  commonExitCodes,
  commonUsage,
  serviceCommand,
  type Session,
} from '../support/service-command.ts'
import { table } from '../support/table.ts'

type Usage = ResponseOf<'getUsage'>
type Query = Input<'getUsage'>
type Totals = Usage['Totals']

const options = {
  month: { type: 'string' },
  days: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  daily: { type: 'boolean', default: false },
  csv: { type: 'boolean', default: false },
} as const

export const usageCommand = serviceCommand({
  name: 'usage',
  summary: 'show what zones store and use, by zone or by day',
  usage: `sedge usage [<zone>]

Shows what is stored, delivered, transformed, uploaded and asked of models, for a bill or to
see who grows. Without a period it is the current month. Days are UTC. What is left of each
bound is in sedge limits.

  --month <month>      a month, such as 2027-01; this one and the twelve before it are kept
  --days <number>      so many days, today among them (1..397)
  --from <date>        the first day, such as 2027-01-15
  --to <date>          the last day (default: today)
  --daily              a line for each day of all of them, not for each zone
  --csv                print CSV: a line for each zone and day
${commonUsage}

${commonExitCodes}`,
  options,
  plan({ values, positionals: [zone, ...rest] }) {
    if (rest.length > 0) throw new UsageError('Name one zone')
    if (values.csv && values.json) throw new UsageError('Say --csv or --json')
    const query = { ...periodOf(values), ...(zone !== undefined && { zone }) }
    if (values.csv) return (session) => printCsv(query, session)
    return async ({ client, print }) => {
      const usage = await wholeOf(client, query)
      print(usage, () => (values.daily ? daysOf(usage) : zonesOf(usage)))
    }
  },
})

interface PeriodWords {
  readonly month?: string | undefined
  readonly days?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** The service says whether a month or a date is one that is kept. */
function periodOf({ month, days, from, to }: PeriodWords): Query {
  if ([month, days, from].filter((each) => each !== undefined).length > 1)
    throw new UsageError('Say one of --month, --days and --from')
  if (to !== undefined && from === undefined) throw new UsageError('Say --from with --to')
  const count = wholeNumber(days, { name: 'days', min: 1, max: 397 })
  return {
    ...(month !== undefined && { month }),
    ...(count !== undefined && { days: count }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  }
}

const zonesAPage = 1_000

/** Page by page. All are of the days of the first, also where a day begins meanwhile. */
async function* pagesOf(client: Client, query: Query): AsyncGenerator<Usage> {
  const first = await client.getUsage({ ...query, per_page: zonesAPage })
  yield first
  const { From: from, To: to } = first.Period
  const { zone } = query
  for (let page = 2; page <= first.Pagination.TotalPages; page += 1)
    yield await client.getUsage({
      ...(zone !== undefined && { zone }),
      from,
      to,
      per_page: zonesAPage,
      page,
    })
}

/** The first page with the zones of all. */
async function wholeOf(client: Client, query: Query) {
  const pages = await Array.fromAsync(pagesOf(client, query))
  const [first] = pages
  if (first === undefined) throw new Error('there is always a page')
  const { Pagination: _, ...whole } = first
  return { ...whole, Zones: pages.flatMap(({ Zones }) => Zones) }
}

/** As the service writes it, but all pages in one table. */
async function printCsv(query: Query, { client, terminal }: Session): Promise<void> {
  for await (const { Zones: zones, Daily: daily, Pagination: paging } of pagesOf(client, query)) {
    const names = ['Zone', ...Object.keys(daily[0] ?? {})]
    const rows = zones.flatMap(({ Zone: zone, Daily: days }) =>
      days.map((day) => [zone, ...Object.values(day)]),
    )
    const text = csv(names, rows)
    const head = text.indexOf('\r\n') + 2
    terminal.out.write(paging.Page === 1 ? text : text.slice(head))
  }
}

type Whole = Pick<Usage, 'Daily' | 'Period' | 'Totals' | 'Zones'>

const columns = ['STORED', 'FILES', 'TRAFFIC', 'REQUESTS', 'TRANSFORMS', 'UPLOADS', 'AI CALLS']

const figuresOf = (usage: Omit<Totals, 'StoredByteDays'>) => [
  humanSize(usage.StoredBytes),
  usage.Files,
  humanSize(usage.Bytes),
  usage.Requests,
  usage.Transforms,
  usage.Uploads,
  usage.AiCalls,
]

function zonesOf(usage: Whole): string {
  const rows = usage.Zones.map((each) => [
    each.Zone === '' ? '(no zone)' : each.Zone,
    ...figuresOf(each.Totals),
  ])
  const all = usage.Period.Zone === 'all' ? [['(all)', ...figuresOf(usage.Totals)]] : []
  return `${periodText(usage)}${table(['ZONE', ...columns], [...rows, ...all])}`
}

const daysOf = (usage: Whole): string =>
  `${periodText(usage)}${table(
    ['DATE', ...columns],
    [
      ...usage.Daily.map((each) => [each.Date, ...figuresOf(each)]),
      ['(all)', ...figuresOf(usage.Totals)],
    ],
  )}`

const periodText = ({ Period: { From: from, To: to, Zone: zone } }: Whole): string =>
  `${from === to ? from : `${from} to ${to}`}, ${zone === 'all' ? 'all zones' : zone}\n`
