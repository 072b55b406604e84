import { type CompiledQuery, type Kysely, type Selectable, sql } from 'kysely'

import type {
  FoundFacts,
  MediaFacts,
  MediaFactsStore,
} from '../../../ports/media/media-facts-store.ts'
import type { ImageSummary } from '../../../ports/media/image-summary.ts'
import type { Database } from '../database.ts'
import { onConflict, replacing, RowWriter } from '../row-writer.ts'
import type { Schema } from '../schema.ts'
import type { ImageLikenessTable } from './image-likeness-schema.ts'
import type { MediaFactsTable } from './media-facts-schema.ts'

/**
 * Facts as JSON: they are read whole, by their key, and never searched. What is found is kept unflushed: what a power
 * cut takes of it is found again.
 */
export class SqlMediaFactsStore implements MediaFactsStore {
  readonly #database: Database
  readonly #factsWriter
  readonly #likenessWriter
  /** Run several times for each image, so built once. */
  readonly #select: CompiledQuery<FactsRow>
  readonly #setSummary: CompiledQuery
  readonly #setText: CompiledQuery

  constructor(database: Database) {
    const { queries } = database
    this.#database = database
    this.#factsWriter = createFactsWriter(queries)
    this.#likenessWriter = createLikenessWriter(queries)
    this.#select = queries.selectFrom('media_facts').selectAll().where('sha256', '=', '').compile()
    this.#setSummary = settingOf('summary', queries)
    this.#setText = settingOf('text', queries)
  }

  async find(sha256: string): Promise<MediaFacts | undefined> {
    const query = { ...this.#select, parameters: [sha256] }
    const [row] = (await this.#database.queries.executeQuery<FactsRow>(query)).rows
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

  async save(facts: FoundFacts): Promise<void> {
    const { sha256, analysis } = facts
    const likeness = analysis?.likeness
    await this.#database.unflushedTransaction(async (transaction) => {
      await this.#factsWriter.execute(transaction, [facts])
      if (likeness !== undefined)
        await this.#likenessWriter.execute(transaction, [{ sha256, likeness }])
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
    return await this.#change(this.#setSummary, [JSON.stringify(summary), sha256])
  }

  async setText(sha256: string, text: string): Promise<boolean> {
    return await this.#change(this.#setText, [text, sha256])
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

  /** Answers whether there was a row to change. */
  #change(query: CompiledQuery, parameters: readonly string[]): Promise<boolean> {
    return this.#database.unflushedTransaction(async (transaction) => {
      const { numAffectedRows } = await transaction.executeQuery({ ...query, parameters })
      return (numAffectedRows ?? 0n) > 0n
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

/** What is kept beside header and analysis stays. */
const createFactsWriter = (queries: Kysely<Schema>): RowWriter<FoundFacts> =>
  new RowWriter<FoundFacts>(queries, {
    table: 'media_facts',
    rowOf: ({ sha256, header, analysis }): MediaFactsTable => ({
      sha256,
      header: JSON.stringify(header),
      analysis: analysis === undefined ? null : JSON.stringify(analysis),
      ...nothingMore,
    }),
    onConflict: () =>
      onConflict(
        ['sha256'],
        ['header', 'analysis'].map(
          (name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`,
        ),
      ),
  })

const createLikenessWriter = (queries: Kysely<Schema>): RowWriter<ImageLikenessTable> =>
  new RowWriter<ImageLikenessTable>(queries, {
    table: 'image_likenesses',
    rowOf: (row) => row,
    onConflict: replacing('sha256'),
  })

/** Its parameters: the value, and the image. */
const settingOf = (column: 'summary' | 'text', queries: Kysely<Schema>): CompiledQuery =>
  queries.updateTable('media_facts').set(column, '').where('sha256', '=', '').compile()
