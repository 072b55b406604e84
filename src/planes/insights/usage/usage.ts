import { z } from 'zod'

import { dateText } from '../../../domain/insights/period.ts'
import type { UsageReport, UsageReports } from '../../../domain/insights/usage.ts'
import { flatMapInTurns } from '../../../lib/async/in-turns.ts'
import { operation } from '../../../http/operation.ts'
import { csvResponse, csvType, wantsCsv } from '../csv-reports.ts'
import { insightsAccess, periodOf, scopeOf } from '../report-query.ts'
import {
  columns,
  dayFields,
  totalFields,
  usageDay,
  usageTotals,
  zoneFields,
  zoneUsage,
} from './usage-fields.ts'
import { metricsType, usageMetrics } from './usage-metrics.ts'
import { perPageWithin, type UsagePeriod, usagePeriodOf, usageQuery } from './usage-query.ts'

export interface UsageDependencies {
  readonly usage: UsageReports
  readonly flushTraffic: () => Promise<void>
  readonly now: () => Date
}

const report = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  Period: z.object({
    From: z.iso.date(),
    To: z.iso.date().describe('The last day, which is among them'),
    Days: z.int(),
    Zone: z.string().describe('`all` for all zones'),
  }),
  Totals: usageTotals.describe('Of all zones that are asked for and may be seen'),
  Daily: z.array(usageDay).describe('The same by day (UTC), oldest first'),
  Zones: z.array(zoneUsage).describe('Those of the page, by name'),
  Pagination: z.object({
    Page: z.int(),
    PerPage: z.int(),
    TotalItems: z.int(),
    TotalPages: z.int(),
  }),
  DateFetched: z.iso.datetime(),
})

const queried = z.object(usageQuery)

const usageOperation = (named: { id: string; path: string; summary: string }) =>
  operation({
    ...named,
    plane: 'insights',
    method: 'get',
    description:
      'By zone and day, in UTC, for the current month and the twelve before it. Requests and bytes are those of insights; what is stored and uploaded is counted with the commit that publishes it. As `text/csv` it is a row for each zone of the page and day; as Prometheus’ text, gauges of each zone of the page. A `Link` names the next page.',
    example: { query: { days: 7 } },
    access: insightsAccess,
    envelope: 'standard',
    query: queried,
    answeredBy: 'any node',
    responses: {
      200: { description: 'The usage', schema: report, otherContentTypes: [csvType, 'text/plain'] },
    },
  }).handledBy(
    ({ usage, flushTraffic, now }: UsageDependencies) =>
      async ({ query, request, caller, respond }) => {
        const period = usagePeriodOf(query, now())
        const scope = scopeOf({ days: 1, zone: query.zone }, caller)
        const paging = { page: query.page, perPage: perPageWithin(query.per_page, period) }
        await flushTraffic()
        const found = await usage.report({ ...period, ...paging, zones: zonesOf(scope) })
        const totalPages = Math.max(1, Math.ceil(found.zoneCount / paging.perPage))
        const link = linkTo(request, query.page < totalPages ? query.page + 1 : undefined)
        const table = await tableResponse(found, { query, request })
        if (table !== undefined) return withFields(table, link)
        return respond(
          200,
          {
            HttpCode: 200,
            Message: `${found.zoneCount} zones`,
            ...(await bodyOf(found, period, periodOf({ days: 1, zone: query.zone }).Zone)),
            Pagination: {
              Page: paging.page,
              PerPage: paging.perPage,
              TotalItems: found.zoneCount,
              TotalPages: totalPages,
            },
            DateFetched: now().toISOString(),
          },
          link,
        )
      },
  )

/** `GET /api/usage`. */
export const getUsage = usageOperation({
  id: 'getUsage',
  path: '/api/usage',
  summary: 'What zones store and use, by day',
})

/** `GET /api/billing/usage`: the same, by the name that other clients call. */
export const getBillingUsage = usageOperation({
  id: 'getBillingUsage',
  path: '/api/billing/usage',
  summary: 'The same as `/api/usage`',
})

/** Of a year; others have their turn after so many. */
const zonesPerTurn = 10

type Scope = ReturnType<typeof scopeOf>

/** A zone the reader may not see has used nothing, just as one that does not exist. */
const zonesOf = ({ zone: name, zones }: Scope): ReadonlySet<string> | undefined =>
  name === undefined ? zones : new Set(zones?.has(name) === false ? [] : [name])

const bodyOf = async (found: UsageReport, { fromDay, toDay }: UsagePeriod, zone: string) => ({
  Period: {
    From: dateText(fromDay),
    To: dateText(toDay),
    Days: toDay - fromDay + 1,
    Zone: zone,
  },
  Totals: totalFields(found.totals),
  Daily: found.daily.map(dayFields),
  Zones: await flatMapInTurns(found.zones, zonesPerTurn, (each) => [zoneFields(each)]),
})

interface Wanted {
  readonly query: Pick<z.infer<typeof queried>, 'format'>
  readonly request: Request
}

async function tableResponse(
  found: UsageReport,
  { query, request }: Wanted,
): Promise<Response | undefined> {
  const { format } = query
  if (format === 'prometheus')
    return new Response(usageMetrics(found.zones), {
      headers: { 'Content-Type': metricsType, 'Cache-Control': 'no-store' },
    })
  if (!wantsCsv({ query: { format }, request })) return undefined
  const rows = await flatMapInTurns(found.zones, zonesPerTurn, ({ zone, daily }) =>
    daily.map((day) => {
      const fields = dayFields(day)
      return [zone, fields.Date, ...columns.map((column) => fields[column])]
    }),
  )
  return csvResponse({ name: 'usage', columns: ['Zone', 'Date', ...columns], rows })
}

/** The next page (RFC 8288). */
function linkTo({ url }: Request, page: number | undefined): Record<string, string> {
  if (page === undefined) return {}
  const { pathname, searchParams } = new URL(url)
  searchParams.set('page', String(page))
  return { Link: `<${pathname}?${searchParams}>; rel="next"` }
}

function withFields(response: Response, fields: Readonly<Record<string, string>>): Response {
  for (const [name, value] of Object.entries(fields)) response.headers.set(name, value)
  return response
}
