import type { QuotaRequest, QuotaStore } from '../../../ports/access/quota-store.ts'
import type { Database } from '../database.ts'

/** Quotas, one row a name and window. */
export class SqlQuotaStore implements QuotaStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** One statement looks and adds, so no other can come between the two. */
  async take({ name, window, amount, limit }: QuotaRequest): Promise<number | undefined> {
    if (amount > limit) return undefined
    return await this.#database.transaction(async (transaction) => {
      const row = await transaction
        .insertInto('quotas')
        .values({ name, quota_window: window, used: amount })
        .onConflict((conflict) =>
          conflict
            .columns(['name', 'quota_window'])
            .doUpdateSet((use) => ({ used: use('quotas.used', '+', use.ref('excluded.used')) }))
            .where((use) => use(use('quotas.used', '+', use.ref('excluded.used')), '<=', limit)),
        )
        .returning('used')
        .executeTakeFirst()
      return row?.used
    })
  }

  async refund({ name, window, amount }: Omit<QuotaRequest, 'limit'>): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      await transaction
        .updateTable('quotas')
        .set((use) => ({
          used: use
            .case()
            .when('used', '>', amount)
            .then(use('used', '-', amount))
            .else(0)
            .end(),
        }))
        .where('name', '=', name)
        .where('quota_window', '=', window)
        .execute()
    })
  }

  async used(name: string, window: string): Promise<number> {
    const row = await this.#database.queries
      .selectFrom('quotas')
      .select('used')
      .where('name', '=', name)
      .where('quota_window', '=', window)
      .executeTakeFirst()
    return row?.used ?? 0
  }
}
