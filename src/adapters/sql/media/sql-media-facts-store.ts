import type { Selectable, Transaction, Updateable } from 'kysely'

import type {
  FoundFacts,
  MediaFacts,
  MediaFactsStore,
} from '../../../ports/media/media-facts-store.ts'
import type { ImageSummary } from '../../../ports/media/image-summary.ts'
import type { Database } from '../database.ts'
import type { Schema } from '../schema.ts'
import type { ImageLikenessTable } from './image-likeness-schema.ts'
import type { MediaFactsTable } from './media-facts-schema.ts'

/**
 * Facts as JSON: they are read whole, by their key, and never searched. What is found is kept unflushed: what a power
 * cut takes of it is found again.
 */
export class SqlMediaFactsStore implements MediaFactsStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async find(sha256: string): Promise<MediaFacts | undefined> {
    const row = await this.#database.queries
      .selectFrom('media_facts')
      .selectAll()
      .where('sha256', '=', sha256)
      .executeTakeFirst()
    return row && factsOf(row)
  }

  async findAll(sha256s: readonly string[]): Promise<ReadonlyMap<string, MediaFacts>> {
    if (sha256s.length === 0) return new Map()
    const rows = await this.#database.queries
      .selectFrom('media_facts')
      .selectAll()
      .where('sha256', 'in', sha256s)
      .execute()
    return new Map(rows.map((row) => [row.sha256, factsOf(row)]))
  }

  async save({ sha256, header, analysis }: FoundFacts): Promise<void> {
    const found = {
      header: JSON.stringify(header),
      analysis: analysis === undefined ? null : JSON.stringify(analysis),
    }
    await this.#database.unflushedTransaction(async (transaction) => {
      await transaction
        .insertInto('media_facts')
        .values({ sha256, ...found, ...nothingMore })
        .onConflict((conflict) => conflict.column('sha256').doUpdateSet(found))
        .execute()
      if (analysis?.likeness !== undefined)
        await saveLikeness(transaction, { sha256, likeness: analysis.likeness })
    })
  }

  async likenesses(sha256s: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (sha256s.length === 0) return new Map()
    const rows = await this.#database.queries
      .selectFrom('image_likenesses')
      .selectAll()
      .where('sha256', 'in', sha256s)
      .execute()
    return new Map(rows.map(({ sha256, likeness }) => [sha256, likeness]))
  }

  async setSummary(sha256: string, summary: ImageSummary): Promise<boolean> {
    return await this.#change(sha256, { summary: JSON.stringify(summary) })
  }

  async setText(sha256: string, text: string): Promise<boolean> {
    return await this.#change(sha256, { text })
  }

  async forgetFound(): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      await transaction
        .updateTable('media_facts')
        .set({ summary: null, analysis: null, text: null })
        .execute()
      await transaction.deleteFrom('image_likenesses').execute()
    })
  }

  async remove(sha256: string): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      const facts = transaction.deleteFrom('media_facts')
      const likenesses = transaction.deleteFrom('image_likenesses')
      await facts.where('sha256', '=', sha256).execute()
      await likenesses.where('sha256', '=', sha256).execute()
      // The character after a hyphen is a full stop.
      const [from, to] = [`${sha256}-`, `${sha256}.`]
      await facts.where('sha256', '>', from).where('sha256', '<', to).execute()
      await likenesses.where('sha256', '>', from).where('sha256', '<', to).execute()
    })
  }

  async removeAll(): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      await transaction.deleteFrom('media_facts').execute()
      await transaction.deleteFrom('image_likenesses').execute()
    })
  }

  #change(sha256: string, change: Updateable<MediaFactsTable>): Promise<boolean> {
    return this.#database.unflushedTransaction(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('media_facts')
        .set(change)
        .where('sha256', '=', sha256)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    })
  }
}

const nothingMore = {
  summary: null,
  focal_point: null,
  focal_point_carried: 0,
  text: null,
} as const

const factsOf = ({ sha256, header, summary, analysis, text }: FactsRow): MediaFacts => ({
  sha256,
  header: JSON.parse(header) as MediaFacts['header'],
  summary: summary === null ? undefined : (JSON.parse(summary) as MediaFacts['summary']),
  analysis: analysis === null ? undefined : (JSON.parse(analysis) as MediaFacts['analysis']),
  text: text ?? undefined,
})

type FactsRow = Pick<
  Selectable<MediaFactsTable>,
  'sha256' | 'header' | 'summary' | 'analysis' | 'text'
>

const saveLikeness = async (
  transaction: Transaction<Schema>,
  row: ImageLikenessTable,
): Promise<void> =>
  void (await transaction
    .insertInto('image_likenesses')
    .values(row)
    .onConflict((conflict) => conflict.column('sha256').doUpdateSet({ likeness: row.likeness }))
    .execute())
