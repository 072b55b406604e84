import type {
  EmbeddedMetadata,
  EmbeddedMetadataStore,
} from '../../../ports/media/embedded-metadata.ts'
import type { Database } from '../database.ts'

/** As JSON: it is read whole, by its key, and never searched. */
export class SqlEmbeddedMetadataStore implements EmbeddedMetadataStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async find(sha256: string): Promise<EmbeddedMetadata | undefined> {
    const row = await this.#database.queries
      .selectFrom('embedded_metadata')
      .select('found')
      .where('sha256', '=', sha256)
      .executeTakeFirst()
    return row && (JSON.parse(row.found) as EmbeddedMetadata)
  }

  /** Unflushed: what a power cut takes is read again. */
  async save(sha256: string, metadata: EmbeddedMetadata): Promise<void> {
    const found = JSON.stringify(metadata)
    await this.#database.unflushedTransaction(async (transaction) => {
      await transaction
        .insertInto('embedded_metadata')
        .values({ sha256, found })
        .onConflict((conflict) => conflict.column('sha256').doUpdateSet({ found }))
        .execute()
    })
  }

  async remove(sha256: string): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      await transaction.deleteFrom('embedded_metadata').where('sha256', '=', sha256).execute()
    })
  }
}
