import type { CompiledQuery } from 'kysely'

import type {
  EmbeddedMetadata,
  EmbeddedMetadataStore,
} from '../../../ports/media/embedded-metadata.ts'
import type { Database } from '../database.ts'
import { replacing, RowWriter } from '../row-writer.ts'

interface FoundRow {
  readonly found: string
}

/** As JSON: it is read whole, by its key, and never searched. */
export class SqlEmbeddedMetadataStore implements EmbeddedMetadataStore {
  readonly #database: Database
  readonly #writer
  /** Run for each image, so built once. */
  readonly #select: CompiledQuery<FoundRow>

  constructor(database: Database) {
    const { queries } = database
    this.#database = database
    this.#writer = new RowWriter<FoundRow & { readonly sha256: string }>(queries, {
      table: 'embedded_metadata',
      rowOf: (row) => row,
      onConflict: replacing('sha256'),
    })
    this.#select = queries
      .selectFrom('embedded_metadata')
      .select('found')
      .where('sha256', '=', '')
      .compile()
  }

  async find(sha256: string): Promise<EmbeddedMetadata | undefined> {
    const query = { ...this.#select, parameters: [sha256] }
    const [row] = (await this.#database.queries.executeQuery<FoundRow>(query)).rows
    return row && (JSON.parse(row.found) as EmbeddedMetadata)
  }

  /** Unflushed: what a power cut takes is read again. */
  async save(sha256: string, metadata: EmbeddedMetadata): Promise<void> {
    const found = JSON.stringify(metadata)
    await this.#database.unflushedTransaction((transaction) =>
      this.#writer.execute(transaction, [{ sha256, found }]),
    )
  }

  async remove(sha256: string): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      await transaction.deleteFrom('embedded_metadata').where('sha256', '=', sha256).execute()
    })
  }
}
