import { z } from 'zod'

import { operation } from '../../http/operation.ts'
import {
  datedPeriod,
  datedPeriodOf,
  datedQuery,
  datedScopeOf,
  insightsAccess,
  type ReportDependencies,
  zone,
} from './report-query.ts'
import { csvResponse, csvType, format, wantsCsv } from './csv-reports.ts'
import { counted } from '../../lib/text/visible-text.ts'

const geography = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  Period: datedPeriod,
  Countries: z.array(z.object({ CountryCode: z.string(), Requests: z.int(), Bytes: z.int() })),
  countries: z.array(z.object({ country: z.string(), requests: z.int(), bytes: z.int() })),
  DateFetched: z.iso.datetime(),
})

/** `GET /api/insights/geography`. */
export const getGeography = operation({
  id: 'getGeography',
  plane: 'insights',
  method: 'get',
  path: '/api/insights/geography',
  summary: 'Where requests come from',
  example: { query: { days: 7 } },
  description:
    'By the address of the client, which is never stored, or as a trusted proxy says. IP Geolocation by [DB-IP](https://db-ip.com). `XX` where it is not known.',
  access: insightsAccess,
  envelope: 'standard',
  query: z.object({ ...datedQuery, zone, format }),
  answeredBy: 'any node',
  responses: {
    200: { description: 'Most requests first', schema: geography, otherContentTypes: [csvType] },
  },
}).handledBy(
  ({ reports, flushTraffic, now }: ReportDependencies) =>
    async ({ query, request, caller, respond }) => {
      const scope = datedScopeOf(query, caller, now())
      await flushTraffic()
      const countries = await reports.countries(scope)
      if (wantsCsv({ query, request }))
        return csvResponse({
          name: 'countries',
          columns: ['CountryCode', 'Requests', 'Bytes'],
          rows: countries.map(({ country, requests, bytes }) => [country, requests, bytes]),
        })
      return respond(200, {
        HttpCode: 200,
        Message: counted(countries.length, 'country', 'countries'),
        Period: datedPeriodOf(query, now()),
        Countries: countries.map(({ country, requests, bytes }) => ({
          CountryCode: country,
          Requests: requests,
          Bytes: bytes,
        })),
        countries: countries.map(({ country, requests, bytes }) => ({ country, requests, bytes })),
        DateFetched: now().toISOString(),
      })
    },
)
