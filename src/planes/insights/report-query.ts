import { z } from 'zod'

import {
  boundsOf,
  dateText,
  dayOf,
  periodBetween,
  type ReportScope,
} from '../../domain/insights/period.ts'
import { invalid } from '../../domain/errors.ts'
import { hitRatio, type Reports, type Totals } from '../../domain/insights/reports.ts'
import type { Access, Caller } from '../../http/operation.ts'
import { clampedInteger } from '../../http/request/query.ts'
import { readQueryMoment } from '../../lib/text/moments.ts'
import type { TrafficPeriod } from '../../ports/traffic/traffic-store.ts'

export interface ReportDependencies {
  readonly reports: Reports
  /** Brings the reports up to this moment. */
  readonly flushTraffic: () => Promise<void>
  readonly now: () => Date
}

export const insightsAccess: Access = {
  keys: ['access', 'account'],
  scope: 'insights:read',
  session: true,
}

export const days = clampedInteger({
  min: 1,
  max: 90,
  default: 7,
  description: 'So many days, today among them',
})

export const zone = z.string().optional().describe('Exactly this zone; else all')

export const limit = clampedInteger({ min: 1, max: 100, default: 20 })

export const period = z.object({
  Days: z.int(),
  Zone: z.string().describe('`all` for all zones'),
})

/** A date, or a moment. */
interface Bound {
  readonly moment: Date
  readonly isDate: boolean
}

const bound = z
  .string()
  .transform((text): Bound | undefined => {
    const isDate = plainDate.test(text)
    const moment = isDate ? new Date(text) : readQueryMoment(text)
    return moment !== undefined && Number.isFinite(+moment) ? { moment, isDate } : undefined
  })
  .refine((found) => found !== undefined, {
    error: 'must be a date such as 2027-01-31, or a moment (RFC 3339)',
  })

const plainDate = /^\d{4}-\d\d-\d\d$/u

/** Whole days, by their number or from one to another; or whole hours. */
export const datedQuery = {
  days,
  from: bound
    .optional()
    .describe('In place of `days`: the first day (a date, UTC), or the first moment (RFC 3339)'),
  to: bound.optional().describe('The last day, or the moment after the last; now where left out'),
}

export const datedPeriod = period.extend({
  From: z.iso.date(),
  To: z.iso.date().describe('The last day, which is among them'),
  FromTime: z.iso.datetime().describe('What counts, exactly: whole hours of the last 35 days'),
  ToTime: z.iso.datetime().describe('The moment after the last, which may be to come'),
})

export interface DatedQuery extends ReportQuery {
  readonly from?: Bound | undefined
  readonly to?: Bound | undefined
}

const dayMs = 86_400_000

/** Throws where the days are none, or more than {@link maxDays}. */
export function trafficPeriodOf({ days: count, from, to }: DatedQuery, now: Date): TrafficPeriod {
  const end = Math.min(+now, to === undefined ? Infinity : +to.moment + (to.isDate ? dayMs : 0))
  const lastDay = dayOf(new Date(end - 1))
  const begin = from === undefined ? (lastDay - count + 1) * dayMs : +from.moment
  if (begin >= end) throw invalid('from', 'must be no later than today, and than to')
  if (lastDay - dayOf(new Date(begin)) >= maxDays)
    throw invalid('from', `must be within ${maxDays} days before to`)
  return periodBetween(new Date(begin), new Date(end), now)
}

/** Three months of summer and what is begun of two days. */
const maxDays = 94

export const datedScopeOf = (query: DatedQuery, caller: Caller, now: Date): ReportScope => ({
  ...scopeOf(query, caller),
  period: trafficPeriodOf(query, now),
})

export function datedPeriodOf(query: DatedQuery, now: Date): z.infer<typeof datedPeriod> {
  const counted = trafficPeriodOf(query, now)
  const { fromDay, toDay } = wholeDaysOf(counted)
  const [from, to] = boundsOf(counted)
  return {
    ...periodOf(query),
    Days: toDay - fromDay + 1,
    From: dateText(fromDay),
    To: dateText(toDay),
    FromTime: from.toISOString(),
    ToTime: to.toISOString(),
  }
}

/** All days that a period has a part of. */
export function wholeDaysOf(given: TrafficPeriod): TrafficPeriod {
  const [from, to] = boundsOf(given)
  return { fromDay: dayOf(from), toDay: dayOf(new Date(+to - 1)) }
}

export interface ReportQuery {
  readonly days: number
  readonly zone?: string | undefined
}

export const scopeOf = ({ days: count, zone: name }: ReportQuery, caller: Caller): ReportScope => ({
  days: count,
  zone: isAll(name) ? undefined : name,
  zones: caller.zones,
})

/** `all` is what the answer calls all zones, so it is taken to mean that too. */
const isAll = (name: string | undefined): boolean =>
  name === undefined || name === '' || name === 'all'

export const periodOf = ({ days: count, zone: name }: ReportQuery): z.infer<typeof period> => ({
  Days: count,
  Zone: isAll(name) ? 'all' : (name ?? 'all'),
})

/** `93.4%`, or `N/A` without traffic. */
export function hitRateText(totals: Totals): string {
  const ratio = hitRatio(totals)
  return ratio === undefined ? 'N/A' : `${(ratio * 100).toFixed(1)}%`
}
