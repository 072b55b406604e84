import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** Who is told of events, what they are still to be told, and how telling them went. */
export async function createWebhookTables(
  tables: Kysely<unknown>,
  flavour: Flavour,
): Promise<void> {
  await createWebhooks(tables, flavour)
  await createDeliveries(tables, flavour)
  await tables.schema
    .alterTable('position')
    .addColumn('delivery_number', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
}

async function createWebhooks({ schema }: Kysely<unknown>, flavour: Flavour): Promise<void> {
  const { text } = flavour
  await flavour
    .clustered(schema.createTable('webhooks'))
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('url', text, (column) => column.notNull())
    .addColumn('events', text, (column) => column.notNull())
    .addColumn('narrowed', 'integer', (column) => column.notNull())
    .addColumn('ordered', 'integer', (column) => column.notNull())
    .addColumn('sealed_secret', text, (column) => column.notNull())
    .addColumn('secret_last_four', text, (column) => column.notNull())
    .addColumn('previous_sealed_secret', text)
    .addColumn('previous_valid_until', 'bigint')
    .addColumn('active', 'integer', (column) => column.notNull())
    .addColumn('switched_off', text)
    .addColumn('failing_since', 'bigint')
    .addColumn('created_by', text, (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
  await flavour
    .clustered(schema.createTable('webhook_zones'))
    .addColumn('webhook_id', text, (column) => column.notNull())
    .addColumn('zone', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('webhook_zones_by_webhook', ['webhook_id', 'zone'])
    .execute()
}

async function createDeliveries({ schema }: Kysely<unknown>, flavour: Flavour): Promise<void> {
  const { text } = flavour
  await flavour
    .clustered(schema.createTable('webhook_deliveries'))
    .addColumn('number', 'bigint', (column) => column.primaryKey().notNull())
    .addColumn('id', text, (column) => column.notNull().unique())
    .addColumn('webhook_id', text, (column) => column.notNull())
    .addColumn('event', text, (column) => column.notNull())
    .addColumn('zone', text)
    .addColumn('payload', text, (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('tries', 'integer', (column) => column.notNull())
    .addColumn('next_attempt_at', 'bigint')
    .execute()
  await schema
    .createIndex('webhook_deliveries_by_webhook')
    .on('webhook_deliveries')
    .columns(['webhook_id', 'state', 'number'])
    .execute()
  await flavour
    .clustered(schema.createTable('webhook_attempts'))
    .addColumn('delivery', 'bigint', (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('duration_ms', 'integer', (column) => column.notNull())
    .addColumn('url', text, (column) => column.notNull())
    .addColumn('request_headers', text, (column) => column.notNull())
    .addColumn('status', 'integer')
    .addColumn('error', text)
    .addColumn('answer', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('webhook_attempts_by_delivery', ['delivery', 'number'])
    .execute()
}
