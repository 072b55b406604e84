import { type Kysely, sql } from 'kysely'

import type {
  CountryTraffic,
  DayTraffic,
  ErrorTraffic,
  HourTraffic,
  TrafficScope,
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
  return await queries
    .selectFrom('traffic_countries')
    .select(({ fn }) => [
      'country',
      fn.sum<number>('requests').as('requests'),
      fn.sum<number>('bytes').as('bytes'),
    ])
    .where('zone', 'in', zonesOf(scope))
    .where('day', '>=', scope.fromDay)
    .where('day', '<=', scope.toDay)
    .groupBy('country')
    .orderBy('requests', 'desc')
    .orderBy('country')
    .execute()
}

/** The sums of all, and of each path those that come first. */
export async function readErrors(
  queries: Kysely<Schema>,
  scope: TrafficScope,
  pathsEach: number,
): Promise<readonly ErrorTraffic[]> {
  const rows = await queries
    .selectFrom('traffic_errors')
    .select(['status', 'path', sql<number>`sum(requests)`.as('requests')])
    .where('zone', 'in', zonesOf(scope))
    .where('day', '>=', scope.fromDay)
    .where('day', '<=', scope.toDay)
    .groupBy(['status', 'path'])
    .orderBy('requests', 'desc')
    .orderBy('path')
    .execute()
  return [...Map.groupBy(rows, ({ status }) => status)]
    .map(([status, paths]) => ({
      status,
      requests: paths.reduce((sum, { requests }) => sum + requests, 0),
      paths: paths
        .filter(({ path }) => path !== '')
        .slice(0, pathsEach)
        .map(({ path, requests }) => ({ path, requests })),
    }))
    .toSorted((a, b) => b.requests - a.requests || a.status - b.status)
}
