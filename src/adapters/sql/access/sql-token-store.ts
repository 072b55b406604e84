import type { AuditRecord } from '../../../ports/records/audit.ts'
import type { TokenRecord, TokenStore } from '../../../ports/access/token-store.ts'
import { Announcements } from '../content/announcements.ts'
import type { Database } from '../database.ts'
import { bumpTokenVersion, insertToken, readTokens } from './token-rows.ts'
import { zonesExist } from '../content/zone-rows.ts'

/** Tokens, in tables. */
export class SqlTokenStore implements TokenStore {
  readonly #database: Database
  readonly #announcements: Announcements

  constructor(database: Database) {
    this.#database = database
    this.#announcements = new Announcements(database.queries)
  }

  async version(): Promise<number> {
    const row = await this.#database.queries
      .selectFrom('token_version')
      .select('version')
      .where('id', '=', 1)
      .executeTakeFirstOrThrow()
    return row.version
  }

  async list(): Promise<readonly TokenRecord[]> {
    return await readTokens(this.#database.queries)
  }

  async add(token: TokenRecord, audit: AuditRecord): Promise<boolean> {
    return await this.#database.transaction(async (transaction) => {
      if (!(await zonesExist(transaction, token.zones ?? []))) return false
      await insertToken(transaction, token)
      await this.#announcements.announce(transaction, { feed: [], audit: [audit] })
      return true
    })
  }

  async remove(id: string, audit: AuditRecord): Promise<boolean> {
    return await this.#database.transaction(async (transaction) => {
      const { numDeletedRows } = await transaction
        .deleteFrom('tokens')
        .where('id', '=', id)
        .executeTakeFirst()
      if (numDeletedRows === 0n) return false
      await transaction.deleteFrom('token_zones').where('token_id', '=', id).execute()
      await bumpTokenVersion(transaction)
      await this.#announcements.announce(transaction, { feed: [], audit: [audit] })
      return true
    })
  }

  async rotate(
    id: string,
    { secretSha256, prefix, former }: Pick<TokenRecord, 'secretSha256' | 'prefix' | 'former'>,
    audit: AuditRecord,
  ): Promise<boolean> {
    return await this.#database.transaction(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('tokens')
        .set({
          secret_sha256: secretSha256,
          prefix,
          former_sha256: former?.sha256 ?? null,
          former_until: former?.until.getTime() ?? null,
        })
        .where('id', '=', id)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return false
      await bumpTokenVersion(transaction)
      await this.#announcements.announce(transaction, { feed: [], audit: [audit] })
      return true
    })
  }

  async noteUse(lastUsedAtById: ReadonlyMap<string, Date>): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      for (const [id, usedAt] of lastUsedAtById) {
        const time = usedAt.getTime()
        await transaction
          .updateTable('tokens')
          .set({ last_used_at: time })
          .where('id', '=', id)
          .where((row) => row.or([row('last_used_at', 'is', null), row('last_used_at', '<', time)]))
          .execute()
      }
    })
  }
}
