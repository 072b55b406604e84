import type { ResponseOf } from '../../client/types.ts'
import { humanSize } from '../../domain/catalog/human-size.ts'
import { UsageError } from '../support/command.ts'
import { namedAction, wholeNumber } from '../support/parse-words.ts'
import { cleanPath } from '../files/remote-files.ts'
import {
  commonExitCodes,
  commonUsage,
  serviceCommand,
  type Session,
} from '../support/service-command.ts'
import { table } from '../support/table.ts'

const usage = `sedge insights [summary]       what was delivered, in sum
sedge insights top             the assets with the most requests
sedge insights countries       where requests come from
sedge insights errors          what was refused or failed
sedge insights asset <path>    one asset, day by day
sedge insights live            what is being delivered, second by second, until Ctrl-C

  --days <number>      the period, today among them (1..90, default 7)
  --zone <zone>        this zone alone
  --limit <number>     so many assets (1..100, default 20)
${commonUsage}; live prints an object a line

${commonExitCodes}`

interface Query {
  readonly days?: number
  readonly zone?: string
}

type Report = (query: Query, session: Session, limit: number | undefined) => Promise<void>

export const insightsCommand = serviceCommand({
  name: 'insights',
  summary: 'show what was delivered, to where, and what failed',
  usage,
  options: { days: { type: 'string' }, zone: { type: 'string' }, limit: { type: 'string' } },
  plan({ values, positionals: [name, path, ...rest] }) {
    const days = wholeNumber(values.days, { name: 'days', min: 1, max: 90 })
    const limit = wholeNumber(values.limit, { name: 'limit', min: 1, max: 100 })
    const query = { ...(days && { days }), ...(values.zone !== undefined && { zone: values.zone }) }
    if (name === 'asset') {
      if (path === undefined || rest.length > 0) throw new UsageError('Name one asset')
      return (session) => asset(cleanPath(path), query, session)
    }
    const report = namedAction(name, { ...reports, asset: summary }, 'summary')
    if (path !== undefined) throw new UsageError(`There is no "${path}" to report on`)
    return (session) => report(query, session, limit)
  },
})

const summary: Report = async (query, { client, print }) => {
  const found = await client.getInsightsSummary(query)
  print(found, () =>
    [
      ['Requests', String(found.TotalRequests)],
      ['Bandwidth', found.TotalBandwidth],
      ['Cache hits', found.CacheHitRate],
      ['Countries', String(found.UniqueCountries)],
      ['Period', `${found.Period.Days} days, zone: ${found.Period.Zone}`],
    ]
      .map(([what = '', value = '']) => `${what.padEnd(12)}${value}\n`)
      .join(''),
  )
}

const reports: Readonly<Record<string, Report>> = {
  summary,
  async top(query, { client, print }, limit) {
    const found = await client.getTopAssets({ ...query, ...(limit && { limit }) })
    const rows = found.Assets.map((each) => [each.Path, each.Requests, humanSize(each.Bytes)])
    print(found, () => table(['PATH', 'REQUESTS', 'BYTES'], rows))
  },
  async countries(query, { client, print }) {
    const found = await client.getGeography(query)
    const rows = found.Countries.map((each) => [
      each.CountryCode,
      each.Requests,
      humanSize(each.Bytes),
    ])
    print(found, () => table(['COUNTRY', 'REQUESTS', 'BYTES'], rows))
  },
  async errors(query, { client, print }) {
    const found = await client.getErrors(query)
    const rows = found.Errors.flatMap(({ StatusCode: status, TopPaths: paths }) =>
      paths.map(({ Path: path, Count: count }) => [status, count, path]),
    )
    print(found, () =>
      rows.length === 0 ? 'No errors\n' : table(['STATUS', 'COUNT', 'PATH'], rows),
    )
  },
  async live({ zone }, { client, terminal, isJson }) {
    for await (const { event, data } of client.watchTraffic(zone === undefined ? {} : { zone }))
      if (event === 'traffic')
        terminal.out.write(isJson ? `${JSON.stringify(data)}\n` : tickOf(data as Tick))
  },
}

async function asset(path: string, { days }: Query, { client, print }: Session): Promise<void> {
  const found = await client.getAssetInsights({ path, ...(days && { days }) })
  print(found, () => `${sumOf(found)}\n${daysOf(found)}`)
}

const sumOf = ({
  Path: path,
  TotalRequests: requests,
  TotalBandwidthBytes: bytes,
}: ResponseOf<'getAssetInsights'>) => `${path}: ${requests} requests, ${humanSize(bytes)}`

const daysOf = ({ Daily: daily }: ResponseOf<'getAssetInsights'>): string =>
  table(
    ['DATE', 'REQUESTS', 'ERRORS'],
    daily.map((each) => [each.Date, each.Requests, each.Errors]),
  )

interface Tick {
  readonly at: string
  readonly requests: number
  readonly bytes: number
  readonly hitRatio: number | null
  readonly errors: number
}

function tickOf({ at, requests, bytes, hitRatio, errors }: Tick): string {
  const hits = hitRatio === null ? 'N/A' : `${(hitRatio * 100).toFixed(1)}%`
  return `${at}  ${requests} requests  ${humanSize(bytes)}  ${hits} hits  ${errors} errors\n`
}
