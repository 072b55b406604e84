import type { AuditRecord } from '../../../ports/records/audit.ts'
import type { WebhookRecord, WebhookStore } from '../../../ports/webhooks/webhook-store.ts'
import { byBytes, type MemoryDatabase } from '../content/memory-database.ts'

/** A WebhookStore for tests and demos. */
export class MemoryWebhookStore implements WebhookStore {
  readonly #database: MemoryDatabase

  constructor(database: MemoryDatabase) {
    this.#database = database
  }

  async list(): Promise<readonly WebhookRecord[]> {
    return [...this.#database.webhookById.values()].toSorted(
      (a, b) => a.createdAt.getTime() - b.createdAt.getTime() || byBytes(a.id, b.id),
    )
  }

  async find(id: string): Promise<WebhookRecord | undefined> {
    return this.#database.webhookById.get(id)
  }

  async add(
    webhook: WebhookRecord,
    { limit, audit }: { readonly limit: number; readonly audit: AuditRecord },
  ): Promise<'added' | 'full' | 'zone unknown'> {
    const { webhookById, zoneByName } = this.#database
    if (webhookById.size >= limit) return 'full'
    if (webhook.zones?.some((zone) => !zoneByName.has(zone))) return 'zone unknown'
    webhookById.set(webhook.id, structuredClone(webhook))
    this.#database.announce([], [audit])
    return 'added'
  }

  async change(
    id: string,
    edit: (webhook: WebhookRecord) => WebhookRecord | undefined,
    audit: AuditRecord,
  ): Promise<WebhookRecord | undefined> {
    const known = this.#database.webhookById.get(id)
    const edited = known && edit(known)
    if (edited === undefined) return undefined
    const { zones, createdAt, createdBy } = known ?? edited
    const changed = { ...edited, id, zones, createdAt, createdBy }
    this.#database.webhookById.set(id, changed)
    this.#database.announce([], [audit])
    return changed
  }

  async remove(id: string, audit: AuditRecord): Promise<boolean> {
    const { webhookById, deliveryByNumber } = this.#database
    if (!webhookById.delete(id)) return false
    for (const [number, { webhookId }] of deliveryByNumber)
      if (webhookId === id) deliveryByNumber.delete(number)
    this.#database.announce([], [audit])
    return true
  }
}
