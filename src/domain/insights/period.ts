import {
  type HourSpan,
  keptDetailHourDays,
  type TrafficPeriod,
  type TrafficScope,
} from '../../ports/traffic/traffic-store.ts'

const dayMilliseconds = 86_400_000
const hourMilliseconds = 3_600_000
const minuteMilliseconds = 60_000

/** UTC days since 1970-01-01. */
export const dayOf = (time: Date): number => Math.floor(time.getTime() / dayMilliseconds)

export const hourOf = (time: Date): number => Math.floor(time.getTime() / hourMilliseconds)

/** UTC minutes since 1970-01-01T00:00. */
export const minuteOf = (time: Date): number => Math.floor(time.getTime() / minuteMilliseconds)

export const millisecondsToNextMinute = (time: Date): number =>
  (minuteOf(time) + 1) * minuteMilliseconds - time.getTime()

/** The UTC month so far. */
export const monthOf = (now: Date): TrafficPeriod => ({
  fromDay: dayOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()))),
  toDay: dayOf(now),
})

/** `2026-11-20`. */
export const dateText = (day: number): string =>
  new Date(day * dayMilliseconds).toISOString().slice(0, 10)

export const hourText = (hour: number): string => new Date(hour * hourMilliseconds).toISOString()

/** What a report is about. */
export interface ReportScope {
  /** So many days, today among them. */
  readonly days: number
  /** These in place of `days`. */
  readonly period?: TrafficPeriod | undefined
  /** Exactly this zone; all where `undefined`. */
  readonly zone: string | undefined
  /** What the reader may see; everything where `undefined`. */
  readonly zones: ReadonlySet<string> | undefined
}

export function periodOf(days: number, now: Date): TrafficPeriod {
  const toDay = dayOf(now)
  return { fromDay: toDay - days + 1, toDay }
}

const hoursOfDay = 24

/**
 * Every hour that the period has a part of: whole UTC days where they are in it, and hours before and
 * after them. What is too old to be told by the hour counts as its whole day. Today, as far as it is over,
 * is a whole day.
 */
export function periodBetween(from: Date, to: Date, now: Date): TrafficPeriod {
  const firstTold = (dayOf(now) - keptDetailHourDays + 1) * hoursOfDay
  const asTold = (hour: number, round: (days: number) => number) =>
    hour < firstTold ? round(hour / hoursOfDay) * hoursOfDay : hour
  const first = asTold(hourOf(from), Math.floor)
  const past = hourOf(now) + 1
  const end = asTold(Math.ceil(to.getTime() / hourMilliseconds), Math.ceil)
  const last = end >= past ? (dayOf(now) + 1) * hoursOfDay : end
  const fromDay = Math.ceil(first / hoursOfDay)
  const endDay = Math.floor(last / hoursOfDay)
  const hours: readonly HourSpan[] =
    fromDay > endDay
      ? [{ fromHour: first, toHour: last }]
      : [
          { fromHour: first, toHour: fromDay * hoursOfDay },
          { fromHour: endDay * hoursOfDay, toHour: last },
        ]
  return {
    fromDay,
    toDay: endDay - 1,
    hours: hours.filter(({ fromHour, toHour }) => toHour > fromHour),
  }
}

/** From the first hour of a period to the end of its last. */
export function boundsOf({ fromDay, toDay, hours = [] }: TrafficPeriod): readonly [Date, Date] {
  const spans = [
    ...hours,
    ...(fromDay > toDay
      ? []
      : [{ fromHour: fromDay * hoursOfDay, toHour: (toDay + 1) * hoursOfDay }]),
  ]
  const [from, to] = [
    Math.min(...spans.map(({ fromHour }) => fromHour)),
    Math.max(...spans.map(({ toHour }) => toHour)),
  ]
  return [new Date(from * hourMilliseconds), new Date(to * hourMilliseconds)]
}

/** A zone the reader may not see has no traffic, just as one that does not exist. */
export function trafficScopeOf(scope: ReportScope, now: Date): TrafficScope {
  const { days, zone, zones, period = periodOf(days, now) } = scope
  if (zone === undefined) return { ...period, zones }
  return { ...period, zones: new Set(zones?.has(zone) === false ? [] : [zone]) }
}
