import type { VectorStore } from '../../../ports/media/vector-store.ts'
import type { Database } from '../database.ts'

/** Few enough that no statement has more parameters than a database takes. */
const batchSize = 500

export class SqlVectorStore implements VectorStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async find(space: string, keys: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>()
    for (const batch of batchesOf(keys)) {
      const rows = await this.#database.queries
        .selectFrom('vectors')
        .select(['text_hash', 'vector'])
        .where('space', '=', space)
        .where('text_hash', 'in', batch)
        .execute()
      for (const row of rows) found.set(row.text_hash, new Uint8Array(row.vector))
    }
    return found
  }

  async save(space: string, vectors: ReadonlyMap<string, Uint8Array>): Promise<void> {
    for (const batch of batchesOf([...vectors]))
      await this.#database.transaction(async (transaction) => {
        await transaction
          .insertInto('vectors')
          .values(batch.map(([textHash, vector]) => ({ space, text_hash: textHash, vector })))
          .onConflict((conflict) =>
            conflict
              .columns(['space', 'text_hash'])
              .doUpdateSet((row) => ({ vector: row.ref('excluded.vector') })),
          )
          .execute()
      })
  }

  /** One look-up a space: to read all rows for a few names would take long. */
  async spaces(): Promise<readonly string[]> {
    const found: string[] = []
    for (;;) {
      const row = await this.#database.queries
        .selectFrom('vectors')
        .select(({ fn }) => fn.min('space').as('space'))
        .where('space', '>', found.at(-1) ?? '')
        .executeTakeFirst()
      if (typeof row?.space !== 'string') return found
      found.push(row.space)
    }
  }

  async forgetOthers(space: string): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      await transaction.deleteFrom('vectors').where('space', '!=', space).execute()
    })
  }
}

function* batchesOf<Item>(items: readonly Item[]): Iterable<Item[]> {
  for (let start = 0; start < items.length; start += batchSize)
    yield items.slice(start, start + batchSize)
}
