import type { AuditRecord } from '../../../ports/records/audit.ts'
import type {
  AddedGrant,
  ListedUploadGrant,
  UploadGrantQuery,
  UploadGrantRecord,
  UploadGrantStore,
  UploadGrantUse,
} from '../../../ports/access/upload-grant-store.ts'
import { byBytes, type MemoryDatabase } from '../content/memory-database.ts'

/** An UploadGrantStore for tests and demos. */
export class MemoryUploadGrantStore implements UploadGrantStore {
  readonly #database: MemoryDatabase

  constructor(database: MemoryDatabase) {
    this.#database = database
  }

  async add(grant: UploadGrantRecord, maxPerZone: number, audit: AuditRecord): Promise<AddedGrant> {
    const { zoneByName, uploadGrantById } = this.#database
    if (!zoneByName.has(grant.zone)) return 'no such zone'
    const good = [...uploadGrantById.values()].filter(
      ({ zone, expiresAt }) => zone === grant.zone && expiresAt > grant.createdAt,
    )
    if (good.length >= maxPerZone) return 'too many'
    uploadGrantById.set(grant.id, structuredClone(grant))
    this.#database.announce([], [audit])
    return 'added'
  }

  async find(id: string): Promise<UploadGrantRecord | undefined> {
    return this.#database.uploadGrantById.get(id)
  }

  async list({ zones, goodAt, offset, limit }: UploadGrantQuery) {
    const all = [...this.#database.uploadGrantById.values()]
      .filter(({ zone, expiresAt }) => expiresAt > goodAt && (zones?.includes(zone) ?? true))
      .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || byBytes(a.id, b.id))
    const grants = all.slice(offset, offset + limit).map((grant) => this.#counted(grant))
    return { grants, count: all.length }
  }

  async remove(id: string, audit: AuditRecord): Promise<boolean> {
    if (!this.#forget(id)) return false
    this.#database.announce([], [audit])
    return true
  }

  async takeUse(grantId: string, uploadId: string): Promise<boolean> {
    const { uploadGrantById, uploadGrantUseByUpload } = this.#database
    const grant = uploadGrantById.get(grantId)
    if (grant === undefined) return false
    const taken = uploadGrantUseByUpload.get(uploadId)
    if (taken !== undefined) return taken.grantId === grantId
    if (this.#usesOf(grantId).length >= grant.times) return false
    uploadGrantUseByUpload.set(uploadId, { uploadId, grantId, isStored: false })
    return true
  }

  async use(uploadId: string): Promise<UploadGrantUse | undefined> {
    return this.#database.uploadGrantUseByUpload.get(uploadId)
  }

  async noteStored(uploadId: string): Promise<void> {
    const { uploadGrantUseByUpload } = this.#database
    const use = uploadGrantUseByUpload.get(uploadId)
    if (use) uploadGrantUseByUpload.set(uploadId, { ...use, isStored: true })
  }

  async giveBack(uploadId: string): Promise<void> {
    this.#database.uploadGrantUseByUpload.delete(uploadId)
  }

  async openUses(grantId?: string): Promise<readonly UploadGrantUse[]> {
    return [...this.#database.uploadGrantUseByUpload.values()].filter(
      (use) => !use.isStored && (grantId === undefined || use.grantId === grantId),
    )
  }

  async forgetExpired(before: Date): Promise<number> {
    const expired = [...this.#database.uploadGrantById.values()].filter(
      ({ expiresAt }) => expiresAt < before,
    )
    for (const { id } of expired) this.#forget(id)
    return expired.length
  }

  #forget(id: string): boolean {
    for (const { uploadId } of this.#usesOf(id))
      this.#database.uploadGrantUseByUpload.delete(uploadId)
    return this.#database.uploadGrantById.delete(id)
  }

  #counted(grant: UploadGrantRecord): ListedUploadGrant {
    const uses = this.#usesOf(grant.id)
    const storedCount = uses.filter(({ isStored }) => isStored).length
    return { ...grant, storedCount, openCount: uses.length - storedCount }
  }

  #usesOf(id: string): readonly UploadGrantUse[] {
    return [...this.#database.uploadGrantUseByUpload.values()].filter(
      ({ grantId }) => grantId === id,
    )
  }
}
