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
  ): Promise<WebhookRecord | 'zone unknown' | undefined> {
    const { webhookById, zoneByName } = this.#database
    const known = webhookById.get(id)
    const edited = known && edit(known)
    if (edited === undefined) return undefined
    if (edited.zones?.some((zone) => !zoneByName.has(zone))) return 'zone unknown'
    const { createdAt, createdBy } = known ?? edited
    const changed = { ...edited, id, createdAt, createdBy }
    webhookById.set(id, changed)
    if (String(known?.zones) !== String(changed.zones)) this.#forgetOutside(changed)
    this.#database.announce([], [audit])
    return changed
  }

  #forgetOutside({ id, zones }: WebhookRecord): void {
    for (const [number, { webhookId, zone }] of this.#database.deliveryByNumber)
      if (webhookId === id && zones?.includes(zone ?? '') === false)
        this.#database.deliveryByNumber.delete(number)
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
