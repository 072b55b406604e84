import type { Input, ResponseOf } from '../../../src/client/types.ts'
import { useOperation } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { ownTimeZone } from '../parts/chart/chart-times.ts'
import type { Search } from '../page-parameters.ts'
import { useSearch } from '../router.tsx'

export type Series = ResponseOf<'getTrafficSeries'>
export type SeriesTotals = Series['Totals']
export type SeriesInput = Input<'getTrafficSeries'>

export const periods = [
  { value: '1h', label: t('1 hour') },
  { value: '24h', label: t('24 hours') },
  { value: '7d', label: t('7 days') },
  { value: '30d', label: t('30 days') },
  { value: '90d', label: t('90 days') },
] as const
export type PeriodName = (typeof periods)[number]['value']

/** Of links that say a number of days. */
const periodOfDays: Readonly<Record<string, PeriodName>> = {
  1: '24h',
  7: '7d',
  30: '30d',
  90: '90d',
}
const usualPeriod = '7d'

export const steps = ['minute', 'hour', 'day'] as const
type Step = (typeof steps)[number]

/** What the address of the page says is shown. */
export interface Chosen {
  readonly period: PeriodName
  /** In place of the period. */
  readonly from: string | undefined
  readonly to: string | undefined
  readonly step: Step | undefined
  readonly timeZone: string
  readonly zone: string
}

export function useChosen(): readonly [Chosen, (changes: Search) => void] {
  const [search, change] = useSearch()
  const { days = '', from, period, step, time, to, zone = '' } = search
  const known = periods.find(({ value }) => value === period)?.value
  return [
    {
      period: known ?? periodOfDays[days] ?? usualPeriod,
      from: isMoment(from) ? from : undefined,
      to: isMoment(from) && isMoment(to) ? to : undefined,
      step: steps.find((each) => each === step),
      timeZone: time === 'utc' ? 'UTC' : ownTimeZone(),
      zone,
    },
    change,
  ]
}

const isMoment = (text: string | undefined): text is string =>
  text !== undefined && Number.isFinite(Date.parse(text))

/** A week by the hour: the days of it would be seven bars. */
export const seriesInput = ({ period, from, to, step, timeZone, zone }: Chosen): SeriesInput => ({
  ...(from === undefined ? { period } : { from }),
  ...(to !== undefined && { to }),
  ...(step !== undefined && { step }),
  timeZone,
  ...(zone !== '' && { zone }),
})

export const useSeries = (input: SeriesInput) =>
  useOperation('getTrafficSeries', input, { keepsPrevious: true, refetchEveryMs: 30_000 })

/** The same as a file. */
export function csvUrl(path: string, input: object): string {
  const query = new URLSearchParams({ format: 'csv' })
  for (const [name, value] of Object.entries(input)) query.set(name, String(value))
  return `/api/insights/${path}?${query}`
}

/** The period of a list: that of the series. */
export interface Report {
  readonly from: string
  /** The moment after the last. */
  readonly to: string
  /** Left out: all zones. */
  readonly zone?: string
}

export const reportOf = ({ Period: { From, To } }: Series, { zone }: Chosen): Report => ({
  from: From,
  to: To,
  ...(zone !== '' && { zone }),
})

/** The requests behind a figure, in the log: those of the period that the conditions fit. */
export const inLogs = ({ from, to, zone }: Report, ...conditions: readonly string[]) => ({
  q: [...conditions, ...(zone === undefined ? [] : [`zone:${zone}`])].join(' '),
  from,
  to,
})
