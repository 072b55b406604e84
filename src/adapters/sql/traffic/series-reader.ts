import { type Kysely, sql } from 'kysely'

import { addHistograms } from '../../../lib/collections/duration-histogram.ts'
import type {
  NameKind,
  NameReport,
  SeriesPoint,
  SeriesScope,
  TrafficScope,
} from '../../../ports/traffic/traffic-store.ts'
import { otherName } from '../../../ports/traffic/traffic-store.ts'
import type { Schema } from '../schema.ts'
import { readLatencyText } from './latency-text.ts'
import { totalNames, totalTables } from './total-rows.ts'
import type { TrafficTotals } from './traffic-schema.ts'
import { rankedNames, readHourNames, zonesOf } from './traffic-reader.ts'

export async function readSeries(
  queries: Kysely<Schema>,
  scope: SeriesScope,
): Promise<readonly SeriesPoint[]> {
  const at = sql.ref<number>(scope.step)
  const sums = totalNames.map((name) => sql<number>`sum(${sql.ref(name)})`.as(name))
  const rows = await within(queries, scope)
    .select([at.as('at'), ...sums])
    .groupBy(at)
    .orderBy(at)
    .execute()
  const latencies = await readLatencies(queries, scope)
  return rows.map((row) => pointOf(row as TrafficTotals & { at: number }, latencies.get(row.at)))
}

const within = (queries: Kysely<Schema>, scope: SeriesScope) =>
  queries
    .selectFrom(totalTables[scope.step])
    .where('zone', 'in', zonesOf(scope))
    .where(sql.ref(scope.step), '>=', scope.from)
    .where(sql.ref(scope.step), '<', scope.to)

async function readLatencies(queries: Kysely<Schema>, scope: SeriesScope) {
  const rows = await within(queries, scope)
    .select([sql.ref<number>(scope.step).as('at'), 'latencies'])
    .where('latencies', 'is not', null)
    .execute()
  return new Map(
    [...Map.groupBy(rows, ({ at }) => at)].map(([at, ofStep]) => [
      at,
      addHistograms(ofStep.map(({ latencies }) => readLatencyText(latencies ?? ''))),
    ]),
  )
}

const pointOf = (
  row: TrafficTotals & { readonly at: number },
  latencies: SeriesPoint['latencies'] = new Map(),
): SeriesPoint => ({
  at: row.at,
  requests: row.requests,
  bytes: row.bytes,
  hits: row.hits,
  status2xx: row.status_2xx,
  status3xx: row.status_3xx,
  status4xx: row.status_4xx,
  status5xx: row.status_5xx,
  transforms: row.transforms,
  transformsMade: row.transforms_made,
  latencies,
})

interface NameQuery {
  readonly kind: NameKind
  readonly scope: TrafficScope
  readonly limit: number
}

export async function readNames(
  queries: Kysely<Schema>,
  { kind, scope, limit }: NameQuery,
): Promise<NameReport> {
  const days = await queries
    .selectFrom('traffic_names')
    .select(({ fn }) => [
      'name',
      fn.sum<number>('requests').as('requests'),
      fn.sum<number>('bytes').as('bytes'),
    ])
    .where('kind', '=', kind)
    .where('zone', 'in', zonesOf(scope))
    .where('day', '>=', scope.fromDay)
    .where('day', '<=', scope.toDay)
    .groupBy('name')
    .execute()
  const rows = rankedNames([...days, ...(await readHourNames(queries, kind, scope))])
  const names = rows.filter(({ name }) => name !== otherName).slice(0, limit)
  const shown = new Set(names)
  const rest = { requests: 0, bytes: 0 }
  for (const row of rows.filter((each) => !shown.has(each))) {
    rest.requests += row.requests
    rest.bytes += row.bytes
  }
  return { names, rest }
}
