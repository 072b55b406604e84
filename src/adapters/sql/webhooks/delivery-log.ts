import { type Kysely, sql } from 'kysely'

import type { LogQuery, RecentDelivery } from '../../../ports/webhooks/webhook-outbox.ts'
import { paddedLists } from '../row-lists.ts'
import type { Schema } from '../schema.ts'

/** Deliveries of a webhook, newest first. */
export const selectLog = (
  queries: Kysely<Schema>,
  webhookId: string,
  { limit, before, state, event }: LogQuery,
) =>
  queries
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .$if(before !== undefined, (all) => all.where('number', '<', before ?? 0))
    .$if(event !== undefined, (all) => all.where('event', '=', event ?? ''))
    .$if(state === 'failed', (all) =>
      all.where((row) =>
        row.or([
          row('state', '=', 'dead'),
          row.and([row('state', '=', 'pending'), row('failures', '>', 0)]),
        ]),
      ),
    )
    .$if(state !== undefined && state !== 'failed', (all) =>
      all.where('state', '=', state === undefined || state === 'failed' ? 'pending' : state),
    )
    .orderBy('number', 'desc')
    .limit(limit)

/** The last of each webhook that were tried, however many wait behind them. */
export async function readRecent(
  queries: Kysely<Schema>,
  webhookIds: readonly string[],
  limit: number,
): Promise<readonly RecentDelivery[]> {
  const found: RecentDelivery[] = []
  for (const ids of paddedLists(webhookIds))
    found.push(...(await selectRecent(queries, ids, limit).execute()).map(recentOf))
  return found
}

const selectRecent = (queries: Kysely<Schema>, ids: readonly string[], limit: number) =>
  queries
    .selectFrom('webhooks')
    .innerJoin('webhook_deliveries as delivery', 'delivery.webhook_id', 'webhooks.id')
    .innerJoin('webhook_attempts as attempt', (join) =>
      join
        .onRef('attempt.delivery', '=', 'delivery.number')
        .onRef('attempt.number', '=', 'delivery.tries'),
    )
    .select(['delivery.webhook_id', 'delivery.id', 'delivery.event', 'delivery.state'])
    .select(['attempt.at', 'attempt.duration_ms', 'attempt.status', 'attempt.error'])
    .where('webhooks.id', 'in', ids)
    // Spelled out: an index of these rows alone is found by the same words.
    .where(sql<boolean>`delivery.tries > 0`)
    .where(
      'delivery.number',
      '>=',
      sql<number>`coalesce((select tried.number from webhook_deliveries tried
        where tried.webhook_id = webhooks.id and tried.tries > 0
        order by tried.number desc limit 1 offset ${limit - 1}), 0)`,
    )
    .orderBy('delivery.number', 'desc')

type Row = Awaited<ReturnType<ReturnType<typeof selectRecent>['execute']>>[number]

const recentOf = (row: Row): RecentDelivery => ({
  webhookId: row.webhook_id,
  id: row.id,
  event: row.event,
  state: row.state,
  at: new Date(row.at),
  durationMs: row.duration_ms,
  status: row.status ?? undefined,
  error: row.error ?? undefined,
})
