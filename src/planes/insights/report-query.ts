import { z } from 'zod'

import { dateText, dayOf, type ReportScope } from '../../domain/insights/period.ts'
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

/** A date, or a moment whose UTC date counts. */
const date = z
  .string()
  .transform((text) => (plainDate.test(text) ? new Date(text) : readQueryMoment(text)))
  .refine((moment) => moment !== undefined && Number.isFinite(+moment), {
    error: 'must be a date such as 2027-01-31, or a moment (RFC 3339)',
  })

const plainDate = /^\d{4}-\d\d-\d\d$/u

/** Whole days, by their number or from one to another. */
export const datedQuery = {
  days,
  from: date.optional().describe('In place of `days`: the first day, UTC'),
  to: date.optional().describe('The last day, UTC; today where left out'),
}

export const datedPeriod = period.extend({
  From: z.iso.date(),
  To: z.iso.date().describe('The last day, which is among them'),
})

export interface DatedQuery extends ReportQuery {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

/** Throws where the days are none, or more than {@link maxDays}. */
export function trafficPeriodOf({ days: count, from, to }: DatedQuery, now: Date): TrafficPeriod {
  const toDay = Math.min(dayOf(now), to === undefined ? Infinity : dayOf(to))
  const fromDay = from === undefined ? toDay - count + 1 : dayOf(from)
  if (fromDay > toDay) throw invalid('from', 'must be no later than today, and than to')
  if (toDay - fromDay >= maxDays) throw invalid('from', `must be within ${maxDays} days before to`)
  return { fromDay, toDay }
}

/** Three months of summer and what is begun of two days. */
const maxDays = 94

export const datedScopeOf = (query: DatedQuery, caller: Caller, now: Date): ReportScope => ({
  ...scopeOf(query, caller),
  period: trafficPeriodOf(query, now),
})

export function datedPeriodOf(query: DatedQuery, now: Date): z.infer<typeof datedPeriod> {
  const { fromDay, toDay } = trafficPeriodOf(query, now)
  const dates = { From: dateText(fromDay), To: dateText(toDay) }
  return { ...periodOf(query), Days: toDay - fromDay + 1, ...dates }
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
