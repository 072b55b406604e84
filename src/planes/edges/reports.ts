import { z } from 'zod'

import { requireAllZones } from '../../domain/access/actor.ts'
import type { ChangeFeed } from '../../domain/edges/feed/change-feed.ts'
import type { Acknowledgement, QuotaLease } from '../../ports/edges/edge-origin.ts'
import type { TrafficFlush } from '../../ports/traffic/traffic-store.ts'
import { invalid } from '../../domain/errors.ts'
import { type HandledOperation, operation } from '../../http/operation.ts'
import { lastBucket } from '../../lib/collections/duration-histogram.ts'
import { common } from './access.ts'

export interface EdgeReportDependencies {
  readonly changes: Pick<ChangeFeed, 'position'>
  readonly acknowledge: (acknowledgements: readonly Acknowledgement[]) => void
  readonly recordTraffic: (flush: TrafficFlush) => Promise<void>
  readonly leaseQuota: (lease: QuotaLease) => Promise<number>
  readonly now: () => Date
}

const edgeName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9.-]{0,62}$/u, 'must be of a to z, 0 to 9, dots and hyphens, at most 63')
const whole = z.int().nonnegative()

const noted = z.object({ HttpCode: z.literal(200), Message: z.string(), Seq: z.int() })

const done = z.object({ HttpCode: z.literal(200), Message: z.string() })

const acknowledgeFeed = operation({
  ...common,
  id: 'acknowledgeFeed',
  method: 'post',
  path: '/api/edges/acknowledgements',
  summary: 'Say what edges serve',
  body: {
    kind: 'json',
    schema: z.object({
      Edges: z
        .array(z.object({ Name: edgeName, Seq: whole, Via: edgeName.nullable().optional() }))
        .min(1)
        .max(5_000),
    }),
  },
  responses: {
    200: { description: 'Noted, and the number that this side stands at', schema: noted },
  },
}).handledBy(
  ({ acknowledge, changes }: EdgeReportDependencies) =>
    async ({ body, caller, respond }) => {
      requireAllZones(caller)
      acknowledge(
        body.Edges.map(({ Name: name, Seq: seq, Via: via }) => ({
          name,
          seq,
          via: via ?? undefined,
        })),
      )
      return respond(200, { HttpCode: 200, Message: 'Noted', Seq: changes.position.seq })
    },
)

const trafficRow = z.object({
  zone: z.string().regex(/^[a-z0-9-]{0,64}$/u),
  path: z.string().max(2_048),
  isAsset: z.boolean(),
  status: z.int().min(100).max(599),
  isHit: z.boolean(),
  country: z.string().regex(/^[A-Z0-9]{2}$/u),
  requests: whole,
  bytes: whole,
  isTransform: z.boolean().optional(),
})

const named = z.object({ name: z.string().min(1).max(128), requests: whole, bytes: whole })

const audienceRow = z.object({
  zone: z.string().regex(/^[a-z0-9-]{0,64}$/u),
  latencies: z.array(z.tuple([z.int().min(0).max(lastBucket), whole])).max(lastBucket + 1),
  referrers: z.array(named).max(2_000),
  agents: z.array(named).max(200),
  ownRequests: whole.optional().describe('What the dashboard asked for, in no other count'),
})

const trafficFlush = z.object({
  process: z.string().min(1).max(128),
  number: z.int().positive(),
  hour: whole,
  minute: z.int().min(0).max(59).optional().describe('Of the hour'),
  rows: z.array(trafficRow).max(110_000),
  audience: z.array(audienceRow).max(110_000).optional(),
})

/** Without the members that were not sent. */
const flushOf = ({
  minute,
  audience,
  rows,
  ...flush
}: z.output<typeof trafficFlush>): TrafficFlush => ({
  ...flush,
  ...(minute !== undefined && { minute }),
  ...(audience !== undefined && {
    audience: audience.map(({ ownRequests, ...row }) => ({
      ...row,
      ...(ownRequests !== undefined && { ownRequests }),
    })),
  }),
  rows: rows.map(({ isTransform, ...row }) => ({ ...row, ...(isTransform && { isTransform }) })),
  beacons: [],
})

const hourMs = 3_600_000
/** What is older cannot be told apart any more from what is counted already. */
const maxAgeHours = 48

const reportTraffic = operation({
  ...common,
  id: 'reportTraffic',
  method: 'post',
  path: '/api/edges/traffic',
  summary: 'Hand over what an edge delivered',
  description:
    'Each flush of a process is counted once, however often it is sent; they must come in the order of their numbers.',
  body: {
    kind: 'json',
    maxBytes: 64 * 2 ** 20,
    schema: z.object({ Flushes: z.array(trafficFlush).min(1).max(100) }),
  },
  responses: { 200: { description: 'Counted', schema: done } },
}).handledBy(
  ({ recordTraffic, now }: EdgeReportDependencies) =>
    async ({ body, caller, respond }) => {
      requireAllZones(caller)
      const hour = Math.floor(now().getTime() / hourMs)
      for (const [place, flush] of body.Flushes.entries())
        if (flush.hour > hour + 1 || flush.hour < hour - maxAgeHours)
          throw invalid(`Flushes[${place}].hour`, `must be of the last ${maxAgeHours} hours`)
      for (const flush of body.Flushes) await recordTraffic(flushOf(flush))
      return respond(200, { HttpCode: 200, Message: 'Counted' })
    },
)

const leaseQuotaOperation = operation({
  ...common,
  id: 'leaseQuota',
  method: 'post',
  path: '/api/edges/quota',
  summary: 'Take a few of a quota that all edges share',
  body: {
    kind: 'json',
    schema: z.object({
      Name: z
        .string()
        .regex(/^transform(?: [a-z0-9-]{2,64})?$/u)
        .describe('`transform`, or with a zone that one’s share of it'),
      Amount: z.int().min(1).max(1_000),
      Owed: z.int().min(0).max(10_000_000),
    }),
  },
  responses: {
    200: { description: 'How many', schema: z.object({ Granted: z.int() }) },
  },
}).handledBy(
  ({ leaseQuota }: EdgeReportDependencies) =>
    async ({ body: { Name: name, Amount: amount, Owed: owed }, caller, respond }) => {
      requireAllZones(caller)
      return respond(200, { Granted: await leaseQuota({ name, amount, owed }) })
    },
)

/** What edges say: `/api/edges/acknowledgements`, `/api/edges/traffic` and `/api/edges/quota`. */
export const reportOperations: readonly HandledOperation<EdgeReportDependencies>[] = [
  acknowledgeFeed,
  reportTraffic,
  leaseQuotaOperation,
]
