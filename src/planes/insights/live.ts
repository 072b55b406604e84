import { z } from 'zod'

import type { LiveTick, LiveZone } from '../../domain/insights/live-tick.ts'
import type { TrafficListener } from '../../domain/insights/traffic-collector.ts'
import { hitRatio } from '../../domain/insights/reports.ts'
import type { EventStreams } from '../../http/response/event-streams.ts'
import { operation } from '../../http/operation.ts'
import { insightsAccess, type ReportQuery, scopeOf, zone } from './report-query.ts'

export interface LiveDependencies {
  readonly watchTraffic: (listener: TrafficListener) => Disposable
  readonly eventStreams: EventStreams
}

const counts = {
  requests: z.int(),
  bytes: z.int(),
  hits: z.int(),
  hitRatio: z.number().nullable(),
  errors: z.int(),
}
const traffic = z.object({
  at: z.iso.datetime(),
  seconds: z.number(),
  ...counts,
  zones: z.array(z.object({ zone: z.string(), ...counts })),
})

/** `GET /api/insights/live`. */
export const watchTrafficOperation = operation({
  id: 'watchTraffic',
  plane: 'insights',
  method: 'get',
  path: '/api/insights/live',
  summary: 'What is being delivered right now, second by second',
  description:
    'Server-Sent Events called `traffic`: `{at, seconds, requests, bytes, hits, hitRatio, errors, zones: [{zone, requests, bytes, hits, hitRatio, errors}]}`, what was counted in the `seconds` before `at`. `hitRatio` is null without requests.',
  access: insightsAccess,
  envelope: 'standard',
  query: z.object({ zone }),
  responses: {
    200: { description: 'Events', contentType: 'text/event-stream', events: { traffic } },
  },
}).handledBy(
  ({ watchTraffic, eventStreams }: LiveDependencies) =>
    async ({ query, caller, request }) => {
      const { zone: wanted, zones } = scopeOf(
        { ...(query as Omit<ReportQuery, 'days'>), days: 1 },
        caller,
      )
      const isShown = ({ zone: name }: LiveZone) =>
        (wanted === undefined || name === wanted) && (zones?.has(name) ?? true)
      return eventStreams.open(request, (send) =>
        watchTraffic((tick) => send('traffic', messageOf(tick, isShown))),
      )
    },
)

function messageOf({ at, seconds, zones }: LiveTick, isShown: (zone: LiveZone) => boolean) {
  const shown = zones.filter(isShown)
  const sum = { requests: 0, bytes: 0, hits: 0, errors: 0 }
  for (const { requests, bytes, hits, errors } of shown) {
    sum.requests += requests
    sum.bytes += bytes
    sum.hits += hits
    sum.errors += errors
  }
  return {
    at: at.toISOString(),
    seconds,
    ...sum,
    hitRatio: hitRatio(sum) ?? null,
    zones: shown.map((each) => ({ ...each, hitRatio: hitRatio(each) ?? null })),
  }
}
