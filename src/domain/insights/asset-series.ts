import {
  keptDays,
  keptDetailHourDays,
  keptPathMinuteDays,
  type PathDay,
  type PathStep,
  type TrafficStep,
  type TrafficStore,
} from '../../ports/traffic/traffic-store.ts'
import { dayOf, hourOf, minuteOf } from './period.ts'
import type { AssetName } from './reports.ts'
import { type Axis, axisOf, type SeriesPeriod } from './series-axis.ts'

/** Requests for one asset step by step. */
export interface AssetSeries {
  readonly from: Date
  /** The end of the last step, which may be to come. */
  readonly to: Date
  /** Every step, oldest first. */
  readonly bars: readonly AssetBar[]
}

export interface AssetBar {
  readonly from: Date
  readonly requests: number
  readonly bytes: number
  /** Of 400 and above; `undefined` by the minute. */
  readonly errors: number | undefined
}

export type AssetSeriesReports = ReturnType<typeof createAssetSeries>

const keptDaysOf = { minute: keptPathMinuteDays, hour: keptDetailHourDays, day: keptDays } as const

/** The earliest moment of which an asset's steps of this length are told. */
export const firstKeptOfAsset = (step: TrafficStep, now: Date): Date =>
  new Date((dayOf(now) - keptDaysOf[step] + 1) * 86_400_000)

const hoursOfDay = 24

/** Of all names together, each to the moment that it was given up. */
export function createAssetSeries({
  store,
}: {
  readonly store: Pick<TrafficStore, 'path' | 'pathSteps'>
}) {
  return async (names: readonly AssetName[], period: SeriesPeriod): Promise<AssetSeries> => {
    const axis = axisOf(period)
    const found = await Promise.all(names.map((name) => stepsOf(store, name, axis)))
    const points = found.flat()
    const bars = axis.starts.slice(0, -1).map((start, place) => ({
      from: axis.timeOf(start),
      ...sumOf(
        points.filter(({ at }) => at >= start && at < axis.endOf(place)),
        axis,
      ),
    }))
    const [first = 0, last = 0] = [axis.starts[0], axis.starts.at(-1)]
    return { from: axis.timeOf(first), to: axis.timeOf(last), bars }
  }
}

async function stepsOf(
  store: Pick<TrafficStore, 'path' | 'pathSteps'>,
  { path, until }: AssetName,
  { unit, starts }: Axis,
): Promise<readonly PathStep[]> {
  const [from = 0, to = 0] = [starts[0], starts.at(-1)]
  const unitOf = unit === 'minute' ? minuteOf : hourOf
  const last = until === undefined ? Number.POSITIVE_INFINITY : unitOf(until)
  const steps = await store.pathSteps(path, { step: unit, from, to })
  const days =
    unit === 'minute'
      ? []
      : await store.path(path, {
          fromDay: Math.ceil(from / hoursOfDay),
          toDay: Math.floor(to / hoursOfDay) - 1,
        })
  const toldDays = new Set(steps.map(({ at }) => Math.floor(at / hoursOfDay)))
  const older = days.filter(({ day }) => !toldDays.has(day)).map(atNoon)
  return [...steps, ...older].filter(({ at }) => at <= last)
}

/** Of a day whose hours are not kept, all counts at its noon. */
const atNoon = ({ day, requests, bytes, errors }: PathDay): PathStep => ({
  at: day * hoursOfDay + hoursOfDay / 2,
  requests,
  bytes,
  errors: [...errors.values()].reduce((sum, count) => sum + count, 0),
})

function sumOf(steps: readonly PathStep[], { unit }: Axis): Omit<AssetBar, 'from'> {
  const sum = { requests: 0, bytes: 0, errors: 0 }
  for (const { requests, bytes, errors = 0 } of steps) {
    sum.requests += requests
    sum.bytes += bytes
    sum.errors += errors
  }
  return { ...sum, errors: unit === 'minute' ? undefined : sum.errors }
}
