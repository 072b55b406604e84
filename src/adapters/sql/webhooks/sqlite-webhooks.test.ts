import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import {
  type WebhookStores,
  webhookStoreContract,
} from '../../../ports/webhooks/webhook-store.contract.ts'
import { SqlAuditLog } from '../content/sql-audit-log.ts'
import { SqlDomainStore } from '../domains/sql-domain-store.ts'
import { SqlPastAssets } from '../past/sql-past-assets.ts'
import { SqlPublicationStore } from '../content/sql-publication-store.ts'
import { SqlQuotaStore } from '../access/sql-quota-store.ts'
import { openSqliteDatabase } from '../sqlite/sqlite-database.ts'
import { SqlWebhookOutbox } from './sql-webhook-outbox.ts'
import { SqlWebhookStore } from './sql-webhook-store.ts'

async function open(): Promise<WebhookStores> {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-sqlite-'))
  const database = await openSqliteDatabase({ file: join(directory, 'sedge.sqlite') })
  return {
    publications: new SqlPublicationStore(database),
    domains: new SqlDomainStore(database),
    audit: new SqlAuditLog(database),
    past: new SqlPastAssets(database),
    quotas: new SqlQuotaStore(database),
    webhooks: new SqlWebhookStore(database),
    outbox: new SqlWebhookOutbox(database),
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await rm(directory, { recursive: true })
    },
  }
}

webhookStoreContract('sqlite', open)
