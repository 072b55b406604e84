import type { Kysely, Transaction } from 'kysely'

import type { WebhookRecord } from '../../../ports/webhooks/webhook-store.ts'
import { paddedLists } from '../row-lists.ts'
import type { Schema } from '../schema.ts'
import type { WebhookTable } from './webhook-schema.ts'

export async function readWebhooks(
  queries: Kysely<Schema>,
  id?: string,
): Promise<readonly WebhookRecord[]> {
  return recordsOf(await selectWebhooks(queries, id).execute())
}

/** One statement, so that a webhook and its zones are of one moment. */
export const selectWebhooks = (queries: Kysely<Schema>, id?: string) =>
  queries
    .selectFrom('webhooks')
    .leftJoin('webhook_zones', 'webhook_zones.webhook_id', 'webhooks.id')
    .selectAll('webhooks')
    .select('webhook_zones.zone')
    .$if(id !== undefined, (all) => all.where('webhooks.id', '=', id ?? ''))
    .orderBy('webhooks.created_at')
    .orderBy('webhooks.id')
    .orderBy('webhook_zones.zone')

/** @param rows - as {@link selectWebhooks} finds them. */
export function recordsOf(
  rows: readonly (WebhookTable & { readonly zone: string | null })[],
): readonly WebhookRecord[] {
  const rowsById = Map.groupBy(rows, (row) => row.id)
  return [...rowsById.values()].flatMap((group) => {
    const [first] = group
    return first === undefined
      ? []
      : [
          recordOf(
            first,
            group.flatMap(({ zone }) => zone ?? []),
          ),
        ]
  })
}

export async function insertWebhook(
  transaction: Transaction<Schema>,
  webhook: WebhookRecord,
): Promise<void> {
  await transaction.insertInto('webhooks').values(rowOf(webhook)).execute()
  await insertZones(transaction, webhook.id, webhook.zones)
}

async function insertZones(
  transaction: Transaction<Schema>,
  id: string,
  zones: readonly string[] = [],
): Promise<void> {
  if (zones.length > 0)
    await transaction
      .insertInto('webhook_zones')
      .values(zones.map((zone) => ({ webhook_id: id, zone })))
      .execute()
}

/** With them goes what is of no zone that is left; `undefined` stands for all. */
export async function replaceZones(
  transaction: Transaction<Schema>,
  id: string,
  zones: readonly string[] | undefined,
): Promise<void> {
  await transaction.deleteFrom('webhook_zones').where('webhook_id', '=', id).execute()
  await insertZones(transaction, id, zones)
  if (zones === undefined) return
  const rows = await transaction
    .selectFrom('webhook_deliveries')
    .select('number')
    .where('webhook_id', '=', id)
    .where((row) => row.or([row('zone', 'is', null), row('zone', 'not in', [...zones, ''])]))
    .execute()
  for (const numbers of paddedLists(rows.map(({ number }) => number))) {
    await transaction.deleteFrom('webhook_attempts').where('delivery', 'in', numbers).execute()
    await transaction.deleteFrom('webhook_deliveries').where('number', 'in', numbers).execute()
  }
}

/** All that may change in its own row. */
export async function updateWebhook(
  transaction: Transaction<Schema>,
  webhook: WebhookRecord,
): Promise<void> {
  const { id, created_by: _by, created_at: _at, ...rest } = rowOf(webhook)
  await transaction.updateTable('webhooks').set(rest).where('id', '=', id).execute()
}

export async function deleteWebhook(
  transaction: Transaction<Schema>,
  id: string,
): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('webhooks')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) return false
  await transaction.deleteFrom('webhook_zones').where('webhook_id', '=', id).execute()
  await transaction
    .deleteFrom('webhook_attempts')
    .where('delivery', 'in', (deliveries) =>
      deliveries.selectFrom('webhook_deliveries').select('number').where('webhook_id', '=', id),
    )
    .execute()
  await transaction.deleteFrom('webhook_deliveries').where('webhook_id', '=', id).execute()
  return true
}

/** Takes a zone out of every webhook; one that has no other hears nothing more. */
export async function removeZoneFromWebhooks(
  transaction: Transaction<Schema>,
  zone: string,
): Promise<void> {
  await transaction.deleteFrom('webhook_zones').where('zone', '=', zone).execute()
}

const rowOf = (webhook: WebhookRecord): WebhookTable => ({
  id: webhook.id,
  url: webhook.url,
  events: JSON.stringify(webhook.events),
  narrowed: flagOf(webhook.zones !== undefined),
  ordered: flagOf(webhook.ordered),
  sealed_secret: webhook.sealedSecret,
  secret_last_four: webhook.secretLastFour,
  previous_sealed_secret: webhook.previousSecret?.sealed ?? null,
  previous_valid_until: timeOf(webhook.previousSecret?.validUntil),
  active: flagOf(webhook.active),
  switched_off: webhook.switchedOff ?? null,
  failing_since: timeOf(webhook.failingSince),
  created_by: webhook.createdBy,
  created_at: webhook.createdAt.getTime(),
})

const flagOf = (isSet: boolean): number => (isSet ? 1 : 0)
const timeOf = (time: Date | undefined): number | null => time?.getTime() ?? null

const recordOf = (row: WebhookTable, zones: readonly string[]): WebhookRecord => ({
  id: row.id,
  url: row.url,
  events: JSON.parse(row.events) as WebhookRecord['events'],
  zones: row.narrowed === 1 ? zones : undefined,
  ordered: row.ordered === 1,
  sealedSecret: row.sealed_secret,
  secretLastFour: row.secret_last_four,
  previousSecret: previousSecretOf(row),
  active: row.active === 1,
  switchedOff: row.switched_off ?? undefined,
  failingSince: row.failing_since === null ? undefined : new Date(row.failing_since),
  createdBy: row.created_by,
  createdAt: new Date(row.created_at),
})

const previousSecretOf = (row: WebhookTable): WebhookRecord['previousSecret'] =>
  row.previous_sealed_secret === null || row.previous_valid_until === null
    ? undefined
    : { sealed: row.previous_sealed_secret, validUntil: new Date(row.previous_valid_until) }
