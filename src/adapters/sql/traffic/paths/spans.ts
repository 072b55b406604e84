import type { Kysely, Transaction } from 'kysely'

import type { TrafficPeriod } from '../../../../ports/traffic/traffic-store.ts'
import type { Schema } from '../../schema.ts'

/**
 * Days are added up in pairs, pairs in pairs again, and so on: any period is then the sum of a few
 * spans. A span begins at a multiple of its length.
 */
export const spanLengths = [1, 2, 4, 8, 16, 32] as const

export interface Span {
  readonly span_days: number
  readonly day: number
}

/** A span of one day is closed where its tops are known; its blocks are there in any case. */
export async function closedSpansIn(
  queries: Kysely<Schema>,
  { fromDay, toDay }: TrafficPeriod,
): Promise<readonly Span[]> {
  return await queries
    .selectFrom('traffic_spans')
    .selectAll()
    .where('day', '>=', fromDay)
    .where('day', '<=', toDay)
    .execute()
}

/** Longer than a day, with this one in them. */
export async function closedSpansOver(
  transaction: Transaction<Schema>,
  day: number,
): Promise<readonly Span[]> {
  const longest = spanLengths.at(-1) ?? 1
  const spans = await closedSpansIn(transaction, { fromDay: day - longest + 1, toDay: day })
  return spans.filter((span) => span.span_days > 1 && span.day + span.span_days > day)
}

/** Forgets the tops of a day for which something has come in after all. */
export async function reopenDay(transaction: Transaction<Schema>, day: number): Promise<void> {
  const { numDeletedRows } = await transaction
    .deleteFrom('traffic_spans')
    .where('span_days', '=', 1)
    .where('day', '=', day)
    .executeTakeFirstOrThrow()
  if (numDeletedRows > 0n)
    await transaction.deleteFrom('traffic_day_tops').where('day', '=', day).execute()
}

/** The fewest spans that are exactly the period. */
export function piecesOf(closed: readonly Span[], { fromDay, toDay }: TrafficPeriod): Span[] {
  const known = new Set(closed.map(keyOf))
  const pieces: Span[] = []
  for (let day = fromDay; day <= toDay;) {
    const length = spanLengths.findLast(
      (span_days) =>
        span_days === 1 || (day + span_days - 1 <= toDay && known.has(keyOf({ span_days, day }))),
    )
    pieces.push({ span_days: length ?? 1, day })
    day += length ?? 1
  }
  return pieces
}

export const keyOf = ({ span_days, day }: Span): string => `${span_days} ${day}`
