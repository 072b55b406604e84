import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import {
  notificationStoreContract,
  type NotificationStores,
} from '../../../ports/notifications/notification-store.contract.ts'
import { openSqliteDatabase } from '../sqlite/sqlite-database.ts'
import { SqlWebhookOutbox } from '../webhooks/sql-webhook-outbox.ts'
import { SqlWebhookStore } from '../webhooks/sql-webhook-store.ts'
import { SqlNotificationStore } from './sql-notification-store.ts'

async function open(): Promise<NotificationStores> {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-sqlite-'))
  const database = await openSqliteDatabase({ file: join(directory, 'sedge.sqlite') })
  return {
    notifications: new SqlNotificationStore(database),
    webhooks: new SqlWebhookStore(database),
    outbox: new SqlWebhookOutbox(database),
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await rm(directory, { recursive: true })
    },
  }
}

notificationStoreContract('sqlite', open)
