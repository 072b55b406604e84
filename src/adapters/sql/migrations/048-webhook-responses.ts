import { type Kysely, sql } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** What receivers say in header fields, and a way to the deliveries of each webhook that were tried. */
export async function addWebhookResponses(
  { schema }: Kysely<unknown>,
  { text }: Flavour,
): Promise<void> {
  await schema.alterTable('webhook_attempts').addColumn('response_headers', text).execute()
  await schema
    .createIndex('webhook_deliveries_tried')
    .on('webhook_deliveries')
    .columns(['webhook_id', 'number'])
    .where(sql<boolean>`tries > 0`)
    .execute()
}
