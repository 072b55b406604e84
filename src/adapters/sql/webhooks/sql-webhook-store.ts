import type { AuditRecord } from '../../../ports/records/audit.ts'
import type { WebhookRecord, WebhookStore } from '../../../ports/webhooks/webhook-store.ts'
import { Announcements } from '../content/announcements.ts'
import type { Database } from '../database.ts'
import { zonesExist } from '../content/zone-rows.ts'
import {
  deleteWebhook,
  insertWebhook,
  readWebhooks,
  replaceZones,
  updateWebhook,
} from './webhook-rows.ts'

/** Webhooks, in tables. */
export class SqlWebhookStore implements WebhookStore {
  readonly #database: Database
  readonly #announcements: Announcements

  constructor(database: Database) {
    this.#database = database
    this.#announcements = new Announcements(database.queries)
  }

  async list(): Promise<readonly WebhookRecord[]> {
    return await readWebhooks(this.#database.queries)
  }

  async find(id: string): Promise<WebhookRecord | undefined> {
    return (await readWebhooks(this.#database.queries, id))[0]
  }

  async add(
    webhook: WebhookRecord,
    { limit, audit }: { readonly limit: number; readonly audit: AuditRecord },
  ): Promise<'added' | 'full' | 'zone unknown'> {
    return await this.#database.transaction(async (transaction) => {
      // First, as it puts writers in line: of two that count at once both would find room.
      await this.#announcements.lock(transaction)
      if ((await readWebhooks(transaction)).length >= limit) return 'full'
      if (!(await zonesExist(transaction, webhook.zones ?? []))) return 'zone unknown'
      await insertWebhook(transaction, webhook)
      await this.#announcements.announce(transaction, { feed: [], audit: [audit] })
      return 'added'
    })
  }

  async change(
    id: string,
    edit: (webhook: WebhookRecord) => WebhookRecord | undefined,
    audit: AuditRecord,
  ): Promise<WebhookRecord | 'zone unknown' | undefined> {
    return await this.#database.transaction(async (transaction) => {
      await this.#announcements.lock(transaction)
      const [known] = await readWebhooks(transaction, id)
      const edited = known && edit(known)
      if (edited === undefined) return undefined
      const isElsewhere = String(known?.zones) !== String(edited.zones)
      if (isElsewhere && !(await zonesExist(transaction, edited.zones ?? []))) return 'zone unknown'
      await updateWebhook(transaction, { ...edited, id })
      if (isElsewhere) await replaceZones(transaction, id, edited.zones)
      await this.#announcements.announce(transaction, { feed: [], audit: [audit] })
      return (await readWebhooks(transaction, id))[0]
    })
  }

  async remove(id: string, audit: AuditRecord): Promise<boolean> {
    return await this.#database.transaction(async (transaction) => {
      if (!(await deleteWebhook(transaction, id))) return false
      await this.#announcements.announce(transaction, { feed: [], audit: [audit] })
      return true
    })
  }
}
