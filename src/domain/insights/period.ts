import type { TrafficPeriod, TrafficScope } from '../../ports/traffic/traffic-store.ts'

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

/** A zone the reader may not see has no traffic, just as one that does not exist. */
export function trafficScopeOf(scope: ReportScope, now: Date): TrafficScope {
  const { days, zone, zones, period = periodOf(days, now) } = scope
  if (zone === undefined) return { ...period, zones }
  return { ...period, zones: new Set(zones?.has(zone) === false ? [] : [zone]) }
}
