import type { TrafficStep } from '../../ports/traffic/traffic-store.ts'
import { dayStarts } from './local-time.ts'

export interface SeriesPeriod {
  readonly step: TrafficStep
  readonly from: Date
  /** Not included. */
  readonly to: Date
  /** Where days begin at midnight. */
  readonly timeZone: string
}

/** When each step begins, in whole units since 1970. */
export interface Axis {
  readonly unit: 'minute' | 'hour'
  /** One more than there are steps: the last one is the end. */
  readonly starts: readonly number[]
  /** Where the step of that place ends for what is counted. */
  readonly endOf: (place: number) => number
  readonly timeOf: (at: number) => Date
}

const unitMs = { minute: 60_000, hour: 3_600_000 } as const
const dayHours = 24

/** How many steps a period has, or would have. Costs nothing, however many. */
export const stepsOf = ({ step, from, to }: SeriesPeriod): number =>
  Math.ceil(
    (to.getTime() - from.getTime()) / (step === 'day' ? dayHours : 1) / unitMs[unitOf(step)],
  )

/** Steps that have all of the period. */
export function axisOf({ step, from, to, timeZone }: SeriesPeriod): Axis {
  const unit = unitOf(step)
  const first = Math.floor(from.getTime() / unitMs[unit])
  const end = Math.ceil(to.getTime() / unitMs[unit])
  const starts =
    step === 'day'
      ? dayStarts(first, end, timeZone)
      : Array.from({ length: end - first + 1 }, (_, place) => first + place)
  return withStarts(unit, starts)
}

/**
 * As many steps just before. Where the last step of the period is not over yet, no more of its counterpart
 * counts: to the minute or hour that `now` is in.
 */
export function axisBefore(axis: Axis, { step, timeZone }: SeriesPeriod, now: Date): Axis {
  const { unit, starts } = axis
  const count = starts.length - 1
  const [first = 0, lastStart = 0, end = 0] = [starts[0], starts.at(-2), starts.at(-1)]
  const before =
    step === 'day'
      ? dayStarts(first - (count + 1) * dayHours, first, timeZone).slice(-(count + 1))
      : Array.from({ length: count + 1 }, (_, place) => first - count + place)
  const past = Math.ceil(now.getTime() / unitMs[unit])
  const counted = past < end ? past - lastStart : Number.POSITIVE_INFINITY
  const axisWhole = withStarts(unit, before)
  return {
    ...axisWhole,
    endOf: (place) => {
      const whole = axisWhole.endOf(place)
      return place === count - 1 ? Math.min(whole, (before[place] ?? 0) + counted) : whole
    },
  }
}

const unitOf = (step: TrafficStep): Axis['unit'] => (step === 'minute' ? 'minute' : 'hour')

const withStarts = (unit: Axis['unit'], starts: readonly number[]): Axis => ({
  unit,
  starts,
  endOf: (place) => starts[place + 1] ?? 0,
  timeOf: (at) => new Date(at * unitMs[unit]),
})
