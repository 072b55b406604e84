import { z } from 'zod'

import { dateText } from '../../domain/insights/period.ts'
import { hitRatio } from '../../domain/insights/reports.ts'
import { operation } from '../../http/operation.ts'
import { clampedInteger } from '../../http/request/query.ts'
import { days, insightsAccess, type ReportDependencies, scopeOf } from './report-query.ts'

const zoneTraffic = z.object({
  Zone: z.string(),
  Requests: z.int(),
  Bytes: z.int(),
  HitRatio: z.number().nullable().describe('0 to 1; null without traffic'),
  Daily: z
    .array(z.object({ Date: z.iso.date(), Requests: z.int(), Bytes: z.int() }))
    .describe('Every day of the period, in UTC, oldest first'),
})

const maxZones = 1000

/** `GET /api/insights/zones`. */
export const getZoneTraffic = operation({
  id: 'getZoneTraffic',
  plane: 'insights',
  method: 'get',
  path: '/api/insights/zones',
  summary: 'What was delivered of each zone',
  description: 'Zones with traffic, most requests first.',
  example: { query: { days: 7 } },
  access: insightsAccess,
  envelope: 'standard',
  query: z.object({ days, limit: clampedInteger({ min: 1, max: maxZones, default: maxZones }) }),
  answeredBy: 'any node',
  responses: {
    200: {
      description: 'The zones',
      schema: z.object({
        HttpCode: z.literal(200),
        Message: z.string(),
        Days: z.int(),
        Zones: z.array(zoneTraffic),
        Count: z.int(),
        DateFetched: z.iso.datetime(),
      }),
    },
  },
}).handledBy(
  ({ reports, flushTraffic, now }: ReportDependencies) =>
    async ({ query, caller, respond }) => {
      await flushTraffic()
      const found = await reports.zones(scopeOf(query, caller), query.limit)
      return respond(200, {
        HttpCode: 200,
        Message: `${found.length} zones`,
        Days: query.days,
        Zones: found.map(({ zone, daily, ...totals }) => ({
          Zone: zone,
          Requests: totals.requests,
          Bytes: totals.bytes,
          HitRatio: hitRatio(totals) ?? null,
          Daily: daily.map(({ day, requests, bytes }) => ({
            Date: dateText(day),
            Requests: requests,
            Bytes: bytes,
          })),
        })),
        Count: found.length,
        DateFetched: now().toISOString(),
      })
    },
)
