import type { Kysely } from 'kysely'

import type { QuotaRequest, QuotaStore, TakenQuotas } from '../../../ports/access/quota-store.ts'
import type { Database } from '../database.ts'
import type { Schema } from '../schema.ts'

/**
 * Quotas, one row a name and window. Nothing is flushed for them: each new image takes one, a flush keeps the
 * whole process for milliseconds, and what a power cut takes back may be used once more.
 */
export class SqlQuotaStore implements QuotaStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async take(request: QuotaRequest): Promise<number | undefined> {
    const taken = await this.takeAll([request])
    return taken.kind === 'granted' ? taken.used[0] : undefined
  }

  /** What was taken before one is refused is taken back by the transaction. */
  async takeAll(requests: readonly QuotaRequest[]): Promise<TakenQuotas> {
    const used: number[] = []
    const isWhole = await this.#database
      .unflushedTransaction(async (transaction) => {
        for (const request of requests) {
          const use = await add(transaction, request)
          if (use === undefined) throw new QuotaExceeded()
          used.push(use)
        }
        return true
      })
      .catch((error: unknown) => {
        if (error instanceof QuotaExceeded) return false
        throw error
      })
    return isWhole ? { kind: 'granted', used } : { kind: 'refused', place: used.length }
  }

  async refund({ name, window, amount }: Omit<QuotaRequest, 'limit'>): Promise<void> {
    await this.#database.unflushedTransaction(async (transaction) => {
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

/** Takes back what the transaction has done. */
class QuotaExceeded extends Error {}

/** One statement looks and adds, so no other can come between the two. */
async function add(
  transaction: Kysely<Schema>,
  { name, window, amount, limit }: QuotaRequest,
): Promise<number | undefined> {
  if (amount > limit) return undefined
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
}
