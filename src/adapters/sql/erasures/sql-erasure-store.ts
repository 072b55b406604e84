import { sql } from 'kysely'

import type { ErasureStore } from '../../../ports/erasing/erasure-store.ts'
import type { ErasurePlace, ErasureRecord } from '../../../ports/records/erasure.ts'
import type { Database } from '../database.ts'
import { erasureOf, erasureRowOf, type ErasureTable, placesOf, placesText } from './erasure-rows.ts'

/** Erasures in a table, each with its places in one row. */
export class SqlErasureStore implements ErasureStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async add(erasure: ErasureRecord): Promise<void> {
    await this.#database.transaction((transaction) =>
      transaction.insertInto('erasures').values(erasureRowOf(erasure)).execute(),
    )
  }

  async find(id: string): Promise<ErasureRecord | undefined> {
    const row = await this.#rows().where('id', '=', id).executeTakeFirst()
    return row && erasureOf(row)
  }

  async list({
    limit,
    before,
  }: Parameters<ErasureStore['list']>[0]): Promise<readonly ErasureRecord[]> {
    let query = this.#rows().orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit)
    if (before !== undefined) {
      const last = await this.#rows().where('id', '=', before).executeTakeFirst()
      if (last === undefined) return []
      query = query.where(sql<boolean>`(created_at, id) < (${last.created_at}, ${last.id})`)
    }
    return (await query.execute()).map(erasureOf)
  }

  async open(): Promise<readonly ErasureRecord[]> {
    const rows = await this.#rows()
      .where('done_at', 'is', null)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    return rows.map(erasureOf)
  }

  async note(id: string, places: readonly ErasurePlace[]): Promise<ErasureRecord> {
    return await this.#note(id, places, {})
  }

  async reopen(id: string, places: readonly ErasurePlace[]): Promise<void> {
    await this.#note(id, places, { done_at: null })
  }

  async #note(
    id: string,
    places: readonly ErasurePlace[],
    values: Partial<ErasureTable>,
  ): Promise<ErasureRecord> {
    return await this.#database.transaction(async (transaction) => {
      const row = await transaction
        .selectFrom('erasures')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const byName = new Map(placesOf(row.places).map((place) => [place.name, place]))
      for (const place of places) byName.set(place.name, place)
      const text = placesText([...byName.values()])
      await transaction
        .updateTable('erasures')
        .set({ ...values, places: text })
        .where('id', '=', id)
        .execute()
      return erasureOf({ ...row, ...values, places: text })
    })
  }

  async learn(...[id, { commits, feedSeq }]: Parameters<ErasureStore['learn']>): Promise<void> {
    await this.#set(id, {
      ...(commits !== undefined && { commits }),
      ...(feedSeq !== undefined && { feed_seq: feedSeq }),
    })
  }

  async finish(id: string, at: Date): Promise<void> {
    await this.#set(id, { done_at: at.getTime() })
  }

  async #set(id: string, values: Partial<ErasureTable>): Promise<void> {
    await this.#database.transaction((transaction) =>
      transaction.updateTable('erasures').set(values).where('id', '=', id).execute(),
    )
  }

  #rows() {
    return this.#database.queries.selectFrom('erasures').selectAll()
  }
}
