import type { Kysely } from 'kysely'

import type {
  PathDay,
  PathStep,
  PathStepScope,
  PathTraffic,
  TrafficPeriod,
  TrafficScope,
} from '../../../../ports/traffic/traffic-store.ts'
import type { Schema } from '../../schema.ts'
import { dayTopCount, ranked } from './close-spans.ts'
import { findEntry, type PathEntry } from './path-entries.ts'
import { largestId } from './path-blocks.ts'
import { PathSums } from './path-ranking.ts'
import { readPathSteps } from './path-steps.ts'
import { closedSpansIn, piecesOf, type Span } from './spans.ts'
import { zonesOf } from '../traffic-reader.ts'

export async function readTopPaths(
  queries: Kysely<Schema>,
  scope: TrafficScope,
  limit: number,
): Promise<readonly PathTraffic[]> {
  if (limit < 1) return []
  const closed = await closedSpansIn(queries, scope)
  const { hours = [] } = scope
  const isWholeDay = hours.length === 0 && scope.fromDay === scope.toDay
  const isKnown = isWholeDay && closed.some(({ span_days }) => span_days === 1)
  const tops =
    isKnown && limit <= dayTopCount
      ? ranked(await readDayTops(queries, scope)).slice(0, limit)
      : await rankPaths(queries, { scope, closed, limit })
  return await named(queries, tops)
}

async function rankPaths(
  queries: Kysely<Schema>,
  { scope, closed, limit }: { scope: TrafficScope; closed: readonly Span[]; limit: number },
): Promise<readonly PathEntry[]> {
  const sums = new PathSums(await largestId(queries))
  for (const piece of piecesOf(closed, scope))
    for (const { entries } of await readBlocks(queries, piece, scope.zones)) sums.add(entries)
  const { hours = [], zones } = scope
  for (const { fromHour: from, toHour: to } of hours)
    for (const { entries } of await readPathSteps(queries, { step: 'hour', from, to, zones }))
      sums.add(entries)
  return sums.largest(limit)
}

const readDayTops = async (
  queries: Kysely<Schema>,
  scope: TrafficScope,
): Promise<readonly PathEntry[]> =>
  await queries
    .selectFrom('traffic_day_tops')
    .select(['id', 'requests', 'bytes'])
    .where('day', '=', scope.fromDay)
    .where('zone', 'in', zonesOf(scope))
    .execute()

async function named(
  queries: Kysely<Schema>,
  tops: readonly PathEntry[],
): Promise<readonly PathTraffic[]> {
  if (tops.length === 0) return []
  const ids = tops.map(({ id }) => id)
  const names = await queries
    .selectFrom('traffic_paths')
    .selectAll()
    .where('id', 'in', ids)
    .execute()
  const pathById = new Map(names.map(({ id, path }) => [id, path]))
  return tops.map(({ id, requests, bytes }) => ({ path: pathById.get(id) ?? '', requests, bytes }))
}

const readBlocks = async (
  queries: Kysely<Schema>,
  { span_days, day }: Span,
  zones: ReadonlySet<string> | undefined,
) =>
  await queries
    .selectFrom('traffic_path_blocks')
    .select(['day', 'entries'])
    .where('span_days', '=', span_days)
    .where('day', '=', day)
    .$if(zones !== undefined, (all) => all.where('zone', 'in', zones?.size ? [...zones] : ['-']))
    .execute()

/** A path begins with its zone; requests for what no zone has are kept under none. */
export async function readPath(
  queries: Kysely<Schema>,
  path: string,
  period: TrafficPeriod,
): Promise<readonly PathDay[]> {
  const zones = [path.split('/')[0] ?? '', '']
  const days = new Map<number, { requests: number; bytes: number; errors: Map<number, number> }>()
  const at = (day: number) => {
    const known = days.get(day) ?? { requests: 0, bytes: 0, errors: new Map() }
    days.set(day, known)
    return known
  }
  for await (const { day, requests, bytes } of assetDays(queries, path, period)) {
    at(day).requests += requests
    at(day).bytes += bytes
  }
  const errors = await queries
    .selectFrom('traffic_errors')
    .selectAll()
    .where('zone', 'in', zones)
    .where('day', '>=', period.fromDay)
    .where('day', '<=', period.toDay)
    .where('path', '=', path)
    .execute()
  for (const { day, status, asset, requests, bytes } of errors) {
    const known = at(day)
    known.errors.set(status, (known.errors.get(status) ?? 0) + requests)
    if (asset === 1) continue
    known.requests += requests
    known.bytes += bytes
  }
  return [...days].map(([day, traffic]) => ({ day, ...traffic })).toSorted((a, b) => a.day - b.day)
}

/** The same by the minute or the hour. Of minutes, refusals of what is no asset are not known. */
export async function readPathStepsOf(
  queries: Kysely<Schema>,
  path: string,
  { step, from, to }: PathStepScope,
): Promise<readonly PathStep[]> {
  const zone = path.split('/')[0] ?? ''
  const sums = new Map<number, { requests: number; bytes: number; errors: number }>()
  const at = (time: number) => {
    const known = sums.get(time) ?? { requests: 0, bytes: 0, errors: 0 }
    sums.set(time, known)
    return known
  }
  const id = await idOf(queries, path)
  if (id !== undefined)
    for (const part of await readPathSteps(queries, { step, from, to, zones: new Set([zone]) })) {
      const entry = findEntry(part.entries, id)
      if (entry !== undefined) add(at(part.at), entry)
    }
  for (const row of step === 'hour' ? await hourErrors(queries, path, { from, to }) : []) {
    at(row.hour).errors += row.requests
    if (row.asset === 0) add(at(row.hour), row)
  }
  return [...sums]
    .map(([time, { errors, ...sum }]) => ({ at: time, ...sum, ...(step === 'hour' && { errors }) }))
    .toSorted((a, b) => a.at - b.at)
}

function add(sum: { requests: number; bytes: number }, added: Omit<PathTraffic, 'path'>): void {
  sum.requests += added.requests
  sum.bytes += added.bytes
}

const hourErrors = async (
  queries: Kysely<Schema>,
  path: string,
  { from, to }: Pick<PathStepScope, 'from' | 'to'>,
) =>
  await queries
    .selectFrom('traffic_hour_errors')
    .selectAll()
    .where('zone', 'in', [path.split('/')[0] ?? '', ''])
    .where('hour', '>=', from)
    .where('hour', '<', to)
    .where('path', '=', path)
    .execute()

async function idOf(queries: Kysely<Schema>, path: string): Promise<number | undefined> {
  const row = await queries
    .selectFrom('traffic_paths')
    .select('id')
    .where('path', '=', path)
    .executeTakeFirst()
  return row?.id
}

async function* assetDays(queries: Kysely<Schema>, path: string, period: TrafficPeriod) {
  const id = await idOf(queries, path)
  if (id === undefined) return
  const zones = new Set([path.split('/')[0] ?? ''])
  for (let day = period.fromDay; day <= period.toDay; day += 1)
    for (const { entries } of await readBlocks(queries, { span_days: 1, day }, zones)) {
      const entry = findEntry(entries, id)
      if (entry !== undefined) yield { day, requests: entry.requests, bytes: entry.bytes }
    }
}
