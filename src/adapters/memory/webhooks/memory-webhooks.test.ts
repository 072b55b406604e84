import {
  type WebhookStores,
  webhookStoreContract,
} from '../../../ports/webhooks/webhook-store.contract.ts'
import { MemoryAuditLog } from '../content/memory-audit-log.ts'
import { MemoryDatabase } from '../content/memory-database.ts'
import { MemoryDomainStore } from '../domains/memory-domain-store.ts'
import { MemoryPastAssets } from '../content/memory-past-assets.ts'
import { MemoryPublicationStore } from '../content/memory-publication-store.ts'
import { MemoryQuotaStore } from '../access/memory-quota-store.ts'
import { MemoryWebhookOutbox } from './memory-webhook-outbox.ts'
import { MemoryWebhookStore } from './memory-webhook-store.ts'

async function open(): Promise<WebhookStores> {
  const database = new MemoryDatabase()
  return {
    publications: new MemoryPublicationStore(database),
    domains: new MemoryDomainStore(database),
    audit: new MemoryAuditLog(database),
    past: new MemoryPastAssets(database),
    quotas: new MemoryQuotaStore(database),
    webhooks: new MemoryWebhookStore(database),
    outbox: new MemoryWebhookOutbox(database),
    async [Symbol.asyncDispose]() {},
  }
}

webhookStoreContract('memory', open)
