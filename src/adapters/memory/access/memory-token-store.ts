import type { AuditRecord } from '../../../ports/records/audit.ts'
import type { TokenRecord, TokenStore } from '../../../ports/access/token-store.ts'
import { byBytes, type MemoryDatabase } from '../content/memory-database.ts'

/** A TokenStore for tests and demos. */
export class MemoryTokenStore implements TokenStore {
  readonly #database: MemoryDatabase

  constructor(database: MemoryDatabase) {
    this.#database = database
  }

  async version(): Promise<number> {
    return this.#database.tokenVersion
  }

  async list(): Promise<readonly TokenRecord[]> {
    return [...this.#database.tokenById.values()].toSorted(
      (a, b) => a.createdAt.getTime() - b.createdAt.getTime() || byBytes(a.id, b.id),
    )
  }

  async add(token: TokenRecord, audit: AuditRecord): Promise<boolean> {
    const { zoneByName, tokenById } = this.#database
    if (token.zones?.some((zone) => !zoneByName.has(zone))) return false
    tokenById.set(token.id, structuredClone(token))
    this.#database.tokenVersion += 1
    this.#database.announce([], [audit])
    return true
  }

  async remove(id: string, audit: AuditRecord): Promise<boolean> {
    if (!this.#database.tokenById.delete(id)) return false
    this.#database.tokenVersion += 1
    this.#database.announce([], [audit])
    return true
  }

  async rotate(
    id: string,
    secret: Pick<TokenRecord, 'secretSha256' | 'prefix' | 'former'>,
    audit: AuditRecord,
  ): Promise<boolean> {
    const { tokenById } = this.#database
    const token = tokenById.get(id)
    if (token === undefined) return false
    const { secretSha256, prefix, former } = secret
    tokenById.set(id, { ...token, secretSha256, prefix, former })
    this.#database.tokenVersion += 1
    this.#database.announce([], [audit])
    return true
  }

  async noteUse(lastUsedAtById: ReadonlyMap<string, Date>): Promise<void> {
    const { tokenById } = this.#database
    for (const [id, usedAt] of lastUsedAtById) {
      const token = tokenById.get(id)
      if (token && (token.lastUsedAt ?? new Date(0)) < usedAt)
        tokenById.set(id, { ...token, lastUsedAt: usedAt })
    }
  }
}
