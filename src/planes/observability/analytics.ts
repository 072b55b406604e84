import { z } from 'zod'

import { humanSize } from '../../domain/catalog/human-size.ts'
import { dateText } from '../../domain/insights/period.ts'
import { type AnalyticsDay, hitRatio } from '../../domain/insights/reports.ts'
import type { Beacon } from '../../domain/insights/traffic-collector.ts'
import { type HandledOperation, operation } from '../../http/operation.ts'
import { clampedInteger } from '../../http/request/query.ts'
import { type ReportDependencies, scopeOf, zone } from '../insights/report-query.ts'

export interface AnalyticsDependencies extends ReportDependencies {
  readonly countBeacon: (beacon: Beacon) => void
}

const bandwidth = z.object({ bytes: z.int(), human: z.string() })
const cache = z.object({
  hit: z.int(),
  miss: z.int(),
  ratio: z
    .number()
    .nullable()
    .describe('A number from 0 to 1, not a percentage; null without traffic'),
})

const analyticsReport = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  days: z.int(),
  data: z.array(
    z.object({
      date: z.iso.date(),
      hits: z.int(),
      bandwidth,
      top_assets: z.record(z.string(), z.int()),
      geo: z.record(z.string(), z.int()),
      cache,
      beacons: z
        .object({ hits: z.int(), bandwidth, top_paths: z.record(z.string(), z.int()), cache })
        .describe('What clients reported themselves; in none of the other figures'),
    }),
  ),
})

/** `GET /api/analytics`. */
const getAnalytics = operation({
  id: 'getAnalytics',
  plane: 'operations',
  method: 'get',
  path: '/api/analytics',
  summary: 'What was delivered, day by day',
  example: { query: { days: 7 } },
  access: { keys: ['analytics'], scope: 'analytics:read', session: true },
  envelope: 'flat',
  query: z.object({
    days: clampedInteger({ min: 1, max: 30, default: 7, description: 'Today among them' }),
    zone,
  }),
  responses: { 200: { description: 'Newest first, every day', schema: analyticsReport } },
}).handledBy(
  ({ reports, flushTraffic }: AnalyticsDependencies) =>
    async ({ query, caller, respond }) => {
      await flushTraffic()
      const data = (await reports.analytics(scopeOf(query, caller))).map(dayOf)
      return respond(200, { HttpCode: 200, Message: `${query.days} days`, days: query.days, data })
    },
)

const beacon = z.object({
  path: z.string().min(1).max(1024).default('/'),
  bytes: z
    .int()
    .min(0)
    .max(2 ** 40)
    .default(0),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/u, 'must be two capital letters')
    .default('XX'),
  cache: z.enum(['HIT', 'MISS']).default('MISS'),
})

const beaconResponse = z.object({
  ok: z.literal(true),
  HttpCode: z.literal(200),
  Message: z.string(),
})

/** `POST /api/analytics`. */
const recordAnalytics = operation({
  id: 'recordAnalytics',
  plane: 'operations',
  method: 'post',
  path: '/api/analytics',
  summary: 'Report one hit',
  example: { body: { path: '/acme/v1/logos/logo.svg', bytes: 118, cache: 'HIT' } },
  description:
    'For pages that want to say what they loaded, `navigator.sendBeacon` included: any `Content-Type` is taken, and an empty body has every default. Kept apart from what the service measured itself, and limited per address.',
  access: 'public',
  envelope: 'flat',
  rateLimits: ['beacon'],
  body: { kind: 'json', schema: beacon, maxBytes: 8 * 1024, isLenient: true },
  responses: { 200: { description: 'Counted', schema: beaconResponse } },
}).handledBy(({ countBeacon }: AnalyticsDependencies) => async ({ body, respond }) => {
  const { path, bytes, country, cache: result } = body
  countBeacon({ path, bytes, country, isHit: result === 'HIT' })
  return respond(200, { HttpCode: 200, Message: 'Counted', ok: true })
})

function dayOf({ day, requests, bytes, hits, topAssets, countries, beacons }: AnalyticsDay) {
  return {
    date: dateText(day),
    hits: requests,
    bandwidth: bandwidthOf(bytes),
    top_assets: Object.fromEntries(topAssets.map((asset) => [asset.path, asset.requests])),
    geo: Object.fromEntries(countries.map(({ country, requests: count }) => [country, count])),
    cache: cacheOf({ requests, bytes, hits }),
    beacons: beaconsOf(beacons),
  }
}

const maxPaths = 20

function beaconsOf(rows: AnalyticsDay['beacons']) {
  const sum = { requests: 0, bytes: 0, hits: 0 }
  const paths = new Map<string, number>()
  for (const { path, isHit, requests, bytes } of rows) {
    sum.requests += requests
    sum.bytes += bytes
    if (isHit) sum.hits += requests
    if (path !== '') paths.set(path, (paths.get(path) ?? 0) + requests)
  }
  const ranked = [...paths].toSorted(([, a], [, b]) => b - a)
  return {
    hits: sum.requests,
    bandwidth: bandwidthOf(sum.bytes),
    top_paths: Object.fromEntries(ranked.slice(0, maxPaths)),
    cache: cacheOf(sum),
  }
}

const bandwidthOf = (bytes: number) => ({ bytes, human: humanSize(bytes) })

const cacheOf = (totals: Parameters<typeof hitRatio>[0]) => ({
  hit: totals.hits,
  miss: totals.requests - totals.hits,
  ratio: hitRatio(totals) ?? null,
})

export const analyticsOperations: readonly HandledOperation<AnalyticsDependencies>[] = [
  getAnalytics,
  recordAnalytics,
]
