import type { BlobRef } from '../../../ports/content/blob-store.ts'
import type { PackedCommits, PackLedger, PackRecord } from '../../../ports/content/pack-ledger.ts'
import type { Database } from '../database.ts'
import { insertPacks, packRecordOf, textOf } from './pack-rows.ts'

/** Which packs make up the repository, in a table. */
export class SqlPackLedger implements PackLedger {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async after(place: number): Promise<readonly PackRecord[]> {
    const rows = await this.#database.queries
      .selectFrom('repository_packs')
      .selectAll()
      .where('place', '>', place)
      .orderBy('place')
      .execute()
    return rows.map(packRecordOf)
  }

  async last(): Promise<PackRecord | undefined> {
    const row = await this.#database.queries
      .selectFrom('repository_packs')
      .selectAll()
      .orderBy('place', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row && packRecordOf(row)
  }

  async append(commits: PackedCommits): Promise<void> {
    await this.#database.transaction((transaction) => insertPacks(transaction, commits))
  }

  async join(first: number, last: number, packs: readonly BlobRef[]): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      const firstRow = await transaction
        .selectFrom('repository_packs')
        .select('after_commit')
        .where('place', '=', first)
        .executeTakeFirstOrThrow()
      await transaction
        .updateTable('repository_packs')
        .set({ after_commit: firstRow.after_commit, packs: textOf(packs) })
        .where('place', '=', last)
        .returning('place')
        .executeTakeFirstOrThrow()
      await transaction
        .deleteFrom('repository_packs')
        .where('place', '>=', first)
        .where('place', '<', last)
        .execute()
    })
  }
}
