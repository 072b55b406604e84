import { z } from 'zod'

import { isTimeZone } from '../../domain/insights/local-time.ts'
import { firstKept } from '../../domain/insights/series.ts'
import { axisOf, type SeriesPeriod, stepsOf } from '../../domain/insights/series-axis.ts'
import { invalid } from '../../domain/errors.ts'
import { oneOf } from '../../http/request/query.ts'
import { readQueryMoment } from '../../lib/text/moments.ts'

/** A chart with more bars would have none that could be told apart. */
export const maxSteps = 400

const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 24 * hourMs

const periods = ['1h', '24h', '7d', '30d', '90d'] as const
export type SeriesPeriodName = (typeof periods)[number]

export const seriesQuery = {
  period: oneOf(
    periods,
    'Until now: hours go back so far; days are those of the time zone, today among them',
  ).default('24h'),
  from: z.string().optional().describe('In place of `period`: the first moment (RFC 3339)'),
  to: z.string().optional().describe('The moment after the last (RFC 3339); now where left out'),
  step: oneOf(
    ['minute', 'hour', 'day'],
    `Of the bars; the shortest that gives at most 168 of them where left out. At most ${maxSteps}.`,
  ).optional(),
  timeZone: z
    .string()
    .refine(isTimeZone, 'must be a time zone such as Europe/Berlin')
    .default('UTC')
    .describe('Where days begin at midnight'),
}

interface Query {
  readonly period: SeriesPeriodName
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly step?: SeriesPeriod['step'] | undefined
  readonly timeZone: string
}

/**
 * The period that is asked for, as far as it is over. Throws where it would be too long, or is not kept:
 * `first` says from when on steps of a length are.
 */
export function readSeriesQuery(query: Query, now: Date, first = firstKept): SeriesPeriod {
  const { timeZone } = query
  const to = query.to === undefined ? now : new Date(Math.min(+now, +momentOf(query.to, 'to')))
  const from = query.from === undefined ? beginOf(query, to) : momentOf(query.from, 'from')
  if (from >= to) throw invalid('from', 'must be before now, and before to')
  const step = query.step ?? stepFor(from, to)
  const period = { step, from, to, timeZone }
  if (stepsOf(period) > maxSteps)
    throw invalid('step', `gives more than ${maxSteps} bars in this period: choose a longer one`)
  if (from < first(step, now))
    throw invalid('from', `must be ${first(step, now).toISOString()} or later by the ${step}`)
  return period
}

function momentOf(text: string, target: string): Date {
  const moment = readQueryMoment(text)
  if (moment === undefined)
    throw invalid(
      target,
      'must be a date with time and offset (RFC 3339), e.g. 2027-01-31T00:00:00Z',
    )
  return moment
}

function beginOf({ period, timeZone }: Query, to: Date): Date {
  // What has begun is one of the sixty, or of the twenty-four.
  if (period === '1h') return new Date(Math.ceil(+to / minuteMs) * minuteMs - hourMs)
  if (period === '24h') return new Date(Math.ceil(+to / hourMs) * hourMs - dayMs)
  const days = Number.parseInt(period, 10)
  const axis = axisOf({ step: 'day', from: new Date(+to - days * dayMs), to, timeZone })
  return axis.timeOf(axis.starts.at(-1 - days) ?? 0)
}

const usualSteps = 168

function stepFor(from: Date, to: Date): SeriesPeriod['step'] {
  const length = +to - +from
  if (length <= usualSteps * 60_000) return 'minute'
  return length <= usualSteps * hourMs ? 'hour' : 'day'
}
