import { type Kysely, sql } from 'kysely'

import type {
  CountryTraffic,
  DayTraffic,
  ErrorTraffic,
  HourTraffic,
  NamedTraffic,
  TrafficScope,
  ZoneDay,
} from '../../../ports/traffic/traffic-store.ts'
import type { Schema } from '../schema.ts'
import { everyZone } from './fold-rows.ts'

/** What there is of none is asked for by a name that no zone can have. */
export const zonesOf = ({ zones }: Pick<TrafficScope, 'zones'>): readonly string[] => {
  if (zones === undefined) return [everyZone]
  return zones.size === 0 ? ['-'] : [...zones]
}

export async function readDays(
  queries: Kysely<Schema>,
  scope: TrafficScope,
): Promise<readonly DayTraffic[]> {
  return await queries
    .selectFrom('traffic_days')
    .select(({ fn }) => [
      'day',
      fn.sum<number>('requests').as('requests'),
      fn.sum<number>('bytes').as('bytes'),
      fn.sum<number>('hits').as('hits'),
    ])
    .where('zone', 'in', zonesOf(scope))
    .where('day', '>=', scope.fromDay)
    .where('day', '<=', scope.toDay)
    .groupBy('day')
    .orderBy('day')
    .execute()
}

export async function readZoneDays(
  queries: Kysely<Schema>,
  scope: TrafficScope,
): Promise<readonly ZoneDay[]> {
  return await queries
    .selectFrom('traffic_days')
    .select(({ fn }) => [
      'zone',
      'day',
      fn.sum<number>('requests').as('requests'),
      fn.sum<number>('bytes').as('bytes'),
      fn.sum<number>('hits').as('hits'),
    ])
    .where((each) =>
      scope.zones === undefined
        ? each('zone', 'not in', [everyZone, ''])
        : each('zone', 'in', zonesOf(scope)),
    )
    .where('day', '>=', scope.fromDay)
    .where('day', '<=', scope.toDay)
    .groupBy(['zone', 'day'])
    .orderBy('zone')
    .orderBy('day')
    .execute()
}

export async function readHours(
  queries: Kysely<Schema>,
  scope: TrafficScope,
): Promise<readonly HourTraffic[]> {
  return await queries
    .selectFrom('traffic_hours')
    .select(({ fn }) => [
      'hour',
      fn.sum<number>('requests').as('requests'),
      fn.sum<number>('bytes').as('bytes'),
      fn.sum<number>('hits').as('hits'),
    ])
    .where('zone', 'in', zonesOf(scope))
    .where('hour', '>=', scope.fromDay * 24)
    .where('hour', '<', (scope.toDay + 1) * 24)
    .groupBy('hour')
    .orderBy('hour')
    .execute()
}

export async function readCountries(
  queries: Kysely<Schema>,
  scope: TrafficScope,
): Promise<readonly CountryTraffic[]> {
  const days = await queries
    .selectFrom('traffic_countries')
    .select(({ fn }) => [
      'country as name',
      fn.sum<number>('requests').as('requests'),
      fn.sum<number>('bytes').as('bytes'),
    ])
    .where('zone', 'in', zonesOf(scope))
    .where('day', '>=', scope.fromDay)
    .where('day', '<=', scope.toDay)
    .groupBy('country')
    .execute()
  const hours = await readHourNames(queries, 'country', scope)
  return rankedNames([...days, ...hours]).map(({ name: country, ...sums }) => {
    return { country, ...sums }
  })
}

/** The sums of all, and of each path those that come first. */
export async function readErrors(
  queries: Kysely<Schema>,
  scope: TrafficScope,
  pathsEach: number,
): Promise<readonly ErrorTraffic[]> {
  const rows = await readErrorRows(queries, scope)
  return [...Map.groupBy(rows, ({ status }) => status)]
    .map(([status, ofStatus]) => ({
      status,
      requests: ofStatus.reduce((sum, { requests }) => sum + requests, 0),
      paths: rankedNames(
        ofStatus
          .filter(({ path }) => path !== '')
          .map(({ path, requests }) => ({ name: path, requests, bytes: 0 })),
      )
        .slice(0, pathsEach)
        .map(({ name, requests }) => ({ path: name, requests })),
    }))
    .toSorted((a, b) => b.requests - a.requests || a.status - b.status)
}

async function readErrorRows(queries: Kysely<Schema>, scope: TrafficScope) {
  const sums = ['status', 'path', sql<number>`sum(requests)`.as('requests')] as const
  const rows = await queries
    .selectFrom('traffic_errors')
    .select(sums)
    .where('zone', 'in', zonesOf(scope))
    .where('day', '>=', scope.fromDay)
    .where('day', '<=', scope.toDay)
    .groupBy(['status', 'path'])
    .execute()
  for (const { fromHour, toHour } of scope.hours ?? [])
    rows.push(
      ...(await queries
        .selectFrom('traffic_hour_errors')
        .select(sums)
        .where('zone', 'in', zonesOf(scope))
        .where('hour', '>=', fromHour)
        .where('hour', '<', toHour)
        .groupBy(['status', 'path'])
        .execute()),
    )
  return rows
}

/** The sums of names in the hours that count beside the days. */
export async function readHourNames(
  queries: Kysely<Schema>,
  kind: Schema['traffic_hour_names']['kind'],
  scope: TrafficScope,
): Promise<readonly NamedTraffic[]> {
  const found: NamedTraffic[] = []
  for (const { fromHour, toHour } of scope.hours ?? [])
    found.push(
      ...(await queries
        .selectFrom('traffic_hour_names')
        .select(({ fn }) => [
          'name',
          fn.sum<number>('requests').as('requests'),
          fn.sum<number>('bytes').as('bytes'),
        ])
        .where('kind', '=', kind)
        .where('zone', 'in', zonesOf(scope))
        .where('hour', '>=', fromHour)
        .where('hour', '<', toHour)
        .groupBy('name')
        .execute()),
    )
  return found
}

/** One row a name, most requests first, then by name. */
export function rankedNames(rows: readonly NamedTraffic[]): readonly NamedTraffic[] {
  const sums = new Map<string, { name: string; requests: number; bytes: number }>()
  for (const { name, requests, bytes } of rows) {
    const sum = sums.get(name) ?? { name, requests: 0, bytes: 0 }
    sum.requests += requests
    sum.bytes += bytes
    sums.set(name, sum)
  }
  return [...sums.values()].toSorted(
    (a, b) => b.requests - a.requests || (a.name < b.name ? -1 : 1),
  )
}
