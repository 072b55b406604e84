import { setImmediate } from 'node:timers/promises'

import type { Transaction } from 'kysely'

import { maxAssetPathsPerDay, type TrafficPeriod } from '../../../../ports/traffic/traffic-store.ts'
import type { Database } from '../../database.ts'
import type { Schema } from '../../schema.ts'
import { everyZone } from '../fold-rows.ts'
import { insertBlock } from './path-blocks.ts'
import { decodeEntries, mergeEntries, type PathEntry, restId } from './path-entries.ts'
import { closedSpansIn, keyOf, type Span, spanLengths } from './spans.ts'

/** So many of a day's assets are known without reading its blocks. */
export const dayTopCount = 20

/** Adds up the days of a period, all of which are over, wherever that has not been done yet. */
export async function closeSpans(database: Database, period: TrafficPeriod): Promise<void> {
  const closed = new Set((await closedSpansIn(database.queries, period)).map(keyOf))
  for (const length of spanLengths)
    for (
      let day = aligned(period.fromDay, length);
      day + length - 1 <= period.toDay;
      day += length
    ) {
      const span = { span_days: length, day }
      const halves = halvesOf(span)
      if (closed.has(keyOf(span)) || !halves.every((half) => closed.has(keyOf(half)))) continue
      await database.transaction((transaction) =>
        length === 1 ? closeDay(transaction, day) : closeSpan(transaction, span),
      )
      closed.add(keyOf(span))
    }
}

const aligned = (day: number, length: number): number => Math.ceil(day / length) * length

function halvesOf({ span_days, day }: Span): readonly Span[] {
  if (span_days === 1) return []
  const half = span_days / 2
  return [
    { span_days: half, day },
    { span_days: half, day: day + half },
  ]
}

async function closeSpan(transaction: Transaction<Schema>, span: Span): Promise<void> {
  const halves = halvesOf(span)
  for (const [zone, blocks] of await blocksByZone(transaction, halves)) {
    // Others are answered meanwhile.
    await setImmediate()
    const entries = mergeEntries(blocks, maxAssetPathsPerDay)
    await insertBlock(transaction, { ...span, zone, part: 0, entries })
  }
  await transaction.insertInto('traffic_spans').values(span).execute()
}

/** Puts the parts of each zone into one, and notes the tops. */
async function closeDay(transaction: Transaction<Schema>, day: number): Promise<void> {
  const span = { span_days: 1, day }
  const zones = await blocksByZone(transaction, [span])
  await transaction
    .deleteFrom('traffic_path_blocks')
    .where('span_days', '=', 1)
    .where('day', '=', day)
    .execute()
  const tops: { readonly zone: string; readonly entry: PathEntry }[] = []
  for (const [zone, blocks] of zones) {
    // Others are answered meanwhile.
    await setImmediate()
    const entries = mergeEntries(blocks, maxAssetPathsPerDay)
    await insertBlock(transaction, { ...span, zone, part: 0, entries })
    tops.push(...ranked(entriesOf(entries)).map((entry) => ({ zone, entry })))
  }
  // A path is of one zone, so the tops of all are among those of each.
  const topsOfAll = ranked(tops.map((top) => top.entry))
  for (const { zone, entry } of [
    ...tops,
    ...topsOfAll.map((top) => ({ zone: everyZone, entry: top })),
  ])
    await transaction
      .insertInto('traffic_day_tops')
      .values({ zone, day, ...entry })
      .execute()
  await transaction.insertInto('traffic_spans').values(span).execute()
}

async function blocksByZone(
  transaction: Transaction<Schema>,
  spans: readonly Span[],
): Promise<ReadonlyMap<string, readonly Uint8Array[]>> {
  const blocks = new Map<string, Uint8Array[]>()
  for (const { span_days, day } of spans) {
    const rows = await transaction
      .selectFrom('traffic_path_blocks')
      .select(['zone', 'entries'])
      .where('span_days', '=', span_days)
      .where('day', '=', day)
      .execute()
    for (const { zone, entries } of rows) blocks.set(zone, [...(blocks.get(zone) ?? []), entries])
  }
  return blocks
}

function entriesOf(block: Uint8Array): readonly PathEntry[] {
  const { requests, bytes, ids } = decodeEntries(block)
  return [...ids]
    .map((id, place) => ({ id, requests: requests[place] ?? 0, bytes: bytes[place] ?? 0 }))
    .filter(({ id }) => id !== restId)
}

export const ranked = (entries: readonly PathEntry[]): readonly PathEntry[] =>
  entries.toSorted((a, b) => b.requests - a.requests || a.id - b.id).slice(0, dayTopCount)
