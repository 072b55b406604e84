import { addHistograms } from '../../lib/collections/duration-histogram.ts'
import type {
  SeriesPoint,
  SeriesTotals,
  TrafficScope,
  TrafficStep,
  TrafficStore,
} from '../../ports/traffic/traffic-store.ts'
import { keptDays, keptHourDays, keptMinuteDays } from '../../ports/traffic/traffic-store.ts'
import { dayOf } from './period.ts'
import { type Axis, axisBefore, axisOf, type SeriesPeriod } from './series-axis.ts'

/** Traffic step by step, beside that of the time before. */
export interface SeriesReport extends SeriesPart {
  readonly step: TrafficStep
  /** As long, just before; `undefined` where that is not kept any more. */
  readonly former: SeriesPart | undefined
}

export interface SeriesPart {
  readonly from: Date
  /** The end of the last step, which may be to come. */
  readonly to: Date
  readonly totals: SeriesTotals
  /** Every step, oldest first. */
  readonly bars: readonly SeriesBar[]
}

export interface SeriesBar extends SeriesTotals {
  readonly from: Date
}

export interface SeriesQuery extends SeriesPeriod, Pick<TrafficScope, 'zones'> {}

export type SeriesReports = ReturnType<typeof createSeriesReports>

const keptDaysOf = { minute: keptMinuteDays, hour: keptHourDays, day: keptDays } as const

/** The earliest moment of which steps of this length are told. */
export const firstKept = (step: TrafficStep, now: Date): Date =>
  new Date((dayOf(now) - keptDaysOf[step] + 1) * 86_400_000)

export function createSeriesReports({
  store,
  now,
}: {
  readonly store: Pick<TrafficStore, 'series'>
  readonly now: () => Date
}) {
  async function partOf(axis: Axis, zones: TrafficScope['zones']): Promise<SeriesPart> {
    const points = await pointsOf(store, axis, zones)
    const bars = axis.starts.slice(0, -1).map((start, place) => ({
      from: axis.timeOf(start),
      ...sumOf(points.filter(({ at }) => at >= start && at < axis.endOf(place))),
    }))
    const [first = 0, last = 0] = [axis.starts[0], axis.starts.at(-1)]
    return { from: axis.timeOf(first), to: axis.timeOf(last), totals: sumOf(bars), bars }
  }

  /** The period must be one that {@link firstKept} allows. */
  return async ({ zones, ...period }: SeriesQuery): Promise<SeriesReport> => {
    const axis = axisOf(period)
    const before = axisBefore(axis, period, now())
    const isKept = before.timeOf(before.starts[0] ?? 0) >= firstKept(period.step, now())
    return {
      step: period.step,
      ...(await partOf(axis, zones)),
      former: isKept ? await partOf(before, zones) : undefined,
    }
  }
}

/** Days are put together of hours, so that they begin at midnight wherever that is. */
async function pointsOf(
  store: Pick<TrafficStore, 'series'>,
  { unit, starts }: Axis,
  zones: TrafficScope['zones'],
): Promise<readonly SeriesPoint[]> {
  const [from = 0, to = 0] = [starts[0], starts.at(-1)]
  const points = await store.series({ step: unit, from, to, zones })
  if (unit === 'minute') return points
  const days = await store.series({
    step: 'day',
    zones,
    from: Math.ceil(from / hoursOfDay),
    to: Math.floor(to / hoursOfDay),
  })
  const daysWithHours = new Set(points.map(({ at }) => Math.floor(at / hoursOfDay)))
  // Of a day whose hours are not kept, all counts at its noon.
  return [
    ...points,
    ...days
      .filter(({ at }) => !daysWithHours.has(at))
      .map((point) => ({ ...point, at: point.at * hoursOfDay + hoursOfDay / 2 })),
  ]
}

const hoursOfDay = 24

function sumOf(parts: readonly SeriesTotals[]): SeriesTotals {
  const sum = {
    requests: 0,
    bytes: 0,
    hits: 0,
    transforms: 0,
    transformsMade: 0,
    status2xx: 0,
    status3xx: 0,
    status4xx: 0,
    status5xx: 0,
  }
  for (const part of parts)
    for (const name of Object.keys(sum) as readonly (keyof typeof sum)[]) sum[name] += part[name]
  return { ...sum, latencies: addHistograms(parts.map(({ latencies }) => latencies)) }
}
