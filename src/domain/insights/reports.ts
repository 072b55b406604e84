import type {
  BeaconDay,
  CountryTraffic,
  DayTraffic,
  ErrorTraffic,
  HourTraffic,
  NameKind,
  NameReport,
  PathDay,
  PathTraffic,
  TrafficPeriod,
  TrafficScope,
  TrafficStore,
} from '../../ports/traffic/traffic-store.ts'
import { dayOf, type ReportScope, trafficScopeOf } from './period.ts'

/** What was delivered, as reports. Every day of a period is there, also those without traffic. */
export interface Reports {
  overview(scope: ReportScope): Promise<Overview>
  /** Each zone with traffic, most requests first, every day of the period with it. */
  zones(scope: ReportScope, limit: number): Promise<readonly ZoneReport[]>
  topAssets(scope: ReportScope, limit: number): Promise<readonly PathTraffic[]>
  countries(scope: ReportScope): Promise<readonly CountryTraffic[]>
  errors(scope: ReportScope): Promise<readonly ErrorTraffic[]>
  /** Hours with traffic, of the last three days at most. */
  hourly(scope: ReportScope): Promise<readonly HourTraffic[]>
  /** Referrers, or families of agents. */
  names(kind: NameKind, scope: ReportScope, limit: number): Promise<NameReport>
  /** Of all names together, each to the day that it was given up. */
  asset(names: readonly AssetName[], period: TrafficPeriod): Promise<AssetReport>
  /** Day by day, newest first. */
  analytics(scope: ReportScope): Promise<readonly AnalyticsDay[]>
}

export interface Totals {
  readonly requests: number
  readonly bytes: number
  readonly hits: number
}

export interface Overview extends Totals {
  /** Requests of no known country are in none. */
  readonly uniqueCountries: number
  /** Oldest first. */
  readonly daily: readonly DayTraffic[]
  readonly countries: readonly CountryTraffic[]
}

export interface ZoneReport extends Totals {
  readonly zone: string
  /** Oldest first. */
  readonly daily: readonly DayTraffic[]
}

export interface AssetName {
  readonly path: string
  /** When another file could come to this path. */
  readonly until?: Date
}

export interface AssetReport {
  readonly requests: number
  readonly bytes: number
  readonly errors: ReadonlyMap<number, number>
  readonly daily: readonly AssetDay[]
}

export interface AssetDay {
  readonly day: number
  readonly requests: number
  readonly bytes: number
  readonly errors: number
}

export interface AnalyticsDay extends DayTraffic {
  readonly topAssets: readonly PathTraffic[]
  readonly countries: readonly CountryTraffic[]
  readonly beacons: readonly BeaconDay[]
}

const pathsPerError = 10
const hourlyDays = 3
const assetsPerDay = 20
const unknownCountry = 'XX'

export function createReports({
  store,
  now,
}: {
  readonly store: TrafficStore
  readonly now: () => Date
}): Reports {
  return {
    async overview(scope) {
      const traffic = trafficScopeOf(scope, now())
      const [daily, countries] = [await store.daily(traffic), await store.countries(traffic)]
      return {
        ...totalsOf(daily),
        uniqueCountries: countries.filter(({ country }) => country !== unknownCountry).length,
        daily: everyDay(traffic, daily),
        countries,
      }
    },
    zones: (scope, limit) => zoneReports(store, trafficScopeOf(scope, now()), limit),
    topAssets: (scope, limit) => store.topPaths(trafficScopeOf(scope, now()), limit),
    countries: (scope) => store.countries(trafficScopeOf(scope, now())),
    errors: (scope) => store.errors(trafficScopeOf(scope, now()), pathsPerError),
    async hourly(scope) {
      const traffic = trafficScopeOf(scope, now())
      const fromDay = Math.max(traffic.fromDay, traffic.toDay - hourlyDays + 1)
      return await store.hourly({ ...traffic, fromDay })
    },
    names: (kind, scope, limit) => store.names(kind, trafficScopeOf(scope, now()), limit),
    async asset(names, period) {
      const found = await Promise.all(
        names.map(async ({ path, until }) => {
          const last = until === undefined ? Number.POSITIVE_INFINITY : dayOf(until)
          return (await store.path(path, period)).filter(({ day }) => day <= last)
        }),
      )
      return assetReport(found.flat(), period)
    },
    async analytics(scope) {
      const traffic = trafficScopeOf(scope, now())
      const daily = everyDay(traffic, await store.daily(traffic))
      const beacons = (await store.beacons(traffic)).filter(({ path }) => isOf(traffic, path))
      const days: AnalyticsDay[] = []
      for (const totals of daily.toReversed()) {
        const ofDay = { ...traffic, fromDay: totals.day, toDay: totals.day }
        days.push({
          ...totals,
          topAssets: totals.requests === 0 ? [] : await store.topPaths(ofDay, assetsPerDay),
          countries: totals.requests === 0 ? [] : await store.countries(ofDay),
          beacons: beacons.filter(({ day }) => day === totals.day),
        })
      }
      return days
    },
  }
}

async function zoneReports(
  store: TrafficStore,
  scope: TrafficScope,
  limit: number,
): Promise<readonly ZoneReport[]> {
  const byZone = Map.groupBy(await store.zoneDays(scope), ({ zone }) => zone)
  return [...byZone]
    .map(([zone, days]) => ({ zone, ...totalsOf(days), daily: everyDay(scope, days) }))
    .toSorted((one, other) => other.requests - one.requests)
    .slice(0, limit)
}

/** `undefined` without traffic. */
export const hitRatio = ({ requests, hits }: Totals): number | undefined =>
  requests === 0 ? undefined : hits / requests

const isOf = ({ zones }: TrafficScope, path: string): boolean =>
  zones === undefined || zones.has(path.replace(/^\//u, '').split('/')[0] ?? '')

function totalsOf(daily: readonly Totals[]): Totals {
  const sum = { requests: 0, bytes: 0, hits: 0 }
  for (const { requests, bytes, hits } of daily) {
    sum.requests += requests
    sum.bytes += bytes
    sum.hits += hits
  }
  return sum
}

function everyDay(
  { fromDay, toDay }: TrafficPeriod,
  daily: readonly DayTraffic[],
): readonly DayTraffic[] {
  const known = new Map(daily.map((traffic) => [traffic.day, traffic]))
  return daysOf({ fromDay, toDay }).map(
    (day) => known.get(day) ?? { day, requests: 0, bytes: 0, hits: 0 },
  )
}

const daysOf = ({ fromDay, toDay }: TrafficPeriod): readonly number[] =>
  Array.from({ length: toDay - fromDay + 1 }, (_, past) => fromDay + past)

function assetReport(days: readonly PathDay[], period: TrafficPeriod): AssetReport {
  const byDay = Map.groupBy(days, ({ day }) => day)
  const errors = new Map<number, number>()
  for (const { errors: ofDay } of days)
    for (const [status, count] of ofDay) errors.set(status, (errors.get(status) ?? 0) + count)
  return {
    requests: days.reduce((sum, { requests }) => sum + requests, 0),
    bytes: days.reduce((sum, { bytes }) => sum + bytes, 0),
    errors,
    daily: daysOf(period).map((day) => {
      const traffic = byDay.get(day) ?? []
      const counts = traffic.flatMap((each) => [...each.errors.values()])
      return {
        day,
        requests: traffic.reduce((sum, each) => sum + each.requests, 0),
        bytes: traffic.reduce((sum, each) => sum + each.bytes, 0),
        errors: counts.reduce((sum, count) => sum + count, 0),
      }
    }),
  }
}
