import { z } from 'zod'

import { invalid } from '../../../domain/errors.ts'
import { dayOf } from '../../../domain/insights/period.ts'
import { firstUsageDay } from '../../../domain/insights/usage.ts'
import { clampedInteger, oneOf } from '../../../http/request/query.ts'
import { zone } from '../report-query.ts'

/** The current month and all of the twelve before it. */
const maxDays = 397
const maxZones = 1_000
/** Rows of zones and days in one response. */
const maxRows = 20_000

const date = (description: string) => z.iso.date().optional().describe(description)

export const usageQuery = {
  month: z
    .string()
    .regex(/^\d{4}-(?:0[1-9]|1[0-2])$/u, 'must be a month such as 2027-01')
    .optional()
    .describe(
      'The month, of which days that are to come are left out. The current one where no period is named',
    ),
  days: clampedInteger({
    min: 0,
    max: maxDays,
    default: 0,
    description: 'In place of `month`: so many days, today among them; 0 is none',
  }),
  from: date('In place of both: the first day (UTC)'),
  to: date('The last day, which is among them; today where left out'),
  zone,
  page: clampedInteger({ min: 1, max: 1_000_000, default: 1 }),
  per_page: clampedInteger({
    min: 1,
    max: maxZones,
    default: 100,
    description: `Zones of a page; of a long period fewer, so that there are ${maxRows} rows at most`,
  }),
  format: oneOf(
    ['json', 'csv', 'prometheus'],
    'What is sent; left out, `Accept` says whether it is `text/csv`',
  ).optional(),
}

interface Query {
  readonly month?: string | undefined
  readonly days: number
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export interface UsagePeriod {
  readonly fromDay: number
  /** Today at the latest. */
  readonly toDay: number
}

/** Throws where there is no such period, or it begins before what is kept. */
export function usagePeriodOf(query: Query, now: Date): UsagePeriod {
  const today = dayOf(now)
  const { fromDay, toDay } = namedPeriod(query, now)
  const name = query.from === undefined ? 'month' : 'from'
  if (fromDay > Math.min(toDay, today))
    throw invalid(name, 'must be no later than today, and than to')
  const first = firstUsageDay(now)
  if (fromDay >= first) return { fromDay, toDay: Math.min(toDay, today) }
  const kept = new Date(first * dayMs).toISOString().slice(0, 10)
  throw invalid(name, `must be no earlier than ${kept}: 13 months are kept`)
}

const dayMs = 86_400_000

function namedPeriod({ month, days, from, to }: Query, now: Date): UsagePeriod {
  const today = dayOf(now)
  if (from !== undefined)
    return { fromDay: dayOf(new Date(from)), toDay: to === undefined ? today : dayOf(new Date(to)) }
  if (to !== undefined) throw invalid('from', 'must be given with to')
  if (month === undefined && days > 0)
    return { fromDay: Math.max(today - days + 1, firstUsageDay(now)), toDay: today }
  const first = month === undefined ? now : new Date(`${month}-01T00:00:00Z`)
  const [year, place] = [first.getUTCFullYear(), first.getUTCMonth()]
  const [begin, end] = [Date.UTC(year, place, 1), Date.UTC(year, place + 1, 1)]
  return { fromDay: dayOf(new Date(begin)), toDay: dayOf(new Date(end)) - 1 }
}

/** So many zones that the rows of a page stay within their bound. */
export const perPageWithin = (perPage: number, { fromDay, toDay }: UsagePeriod): number =>
  Math.min(perPage, Math.floor(maxRows / (toDay - fromDay + 1)))
