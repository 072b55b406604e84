import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** Notifications, the marks of those who have read them, and what is still to be mailed. */
export async function createNotificationTables(
  { schema }: Kysely<unknown>,
  flavour: Flavour,
): Promise<void> {
  const { text } = flavour
  await flavour
    .clustered(schema.createTable('notifications'))
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('number', 'bigint', (column) => column.notNull().unique())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('about', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('zone', text)
    .addColumn('severity', text, (column) => column.notNull())
    .addColumn('detail', text, (column) => column.notNull())
    .addColumn('began_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint')
    .addColumn('announced_at', 'bigint')
    .addColumn('times', 'bigint', (column) => column.notNull())
    .execute()
  await schema
    .createIndex('notifications_by_end')
    .on('notifications')
    .columns(['ended_at', 'number'])
    .execute()
  await flavour
    .clustered(schema.createTable('notification_reads'))
    .addColumn('reader', text, (column) => column.notNull())
    .addColumn('notification_id', text, (column) => column.notNull())
    .addColumn('number', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('notification_reads_by_reader', ['reader', 'notification_id'])
    .execute()
  await flavour
    .clustered(schema.createTable('notification_mails'))
    .addColumn('number', 'bigint', (column) => column.primaryKey().notNull())
    .addColumn('notice', text, (column) => column.notNull())
    .execute()
}
