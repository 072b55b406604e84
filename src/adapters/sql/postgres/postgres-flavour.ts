import { sql } from 'kysely'

import type { Flavour } from '../flavour.ts'
import { isUnavailable } from '../../../ports/store-unavailable-error.ts'

export const postgresFlavour: Flavour = {
  /** The collation of the database may be any: text is ordered by its bytes all the same. */
  text: sql`text collate "C"`,
  bytes: 'bytea',
  nowMs: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,

  /** Rows lie where there is room; the primary key is an index beside them. */
  clustered: (table) => table,

  beginSnapshot: sql`begin isolation level repeatable read read only`,

  async primaryKey(queries, table) {
    const { rows } = await sql<{ readonly name: string }>`
      select attribute.attname as name
      from pg_index as index
      cross join lateral unnest(index.indkey::int2[]) with ordinality as key (number, place)
      join pg_attribute as attribute
        on attribute.attrelid = index.indrelid and attribute.attnum = key.number
      where index.indrelid = ${table}::regclass and index.indisprimary
      order by key.place`.execute(queries)
    return rows.map(({ name }) => name)
  },

  /** The driver itself tells failures from mistakes, as reading can fail like writing does. */
  unavailability: (error) => (isUnavailable(error, 'metadata') ? error : undefined),

  async unflushedTransaction(queries, work) {
    return await queries.transaction().execute(async (transaction) => {
      await sql`set local synchronous_commit = off`.execute(transaction)
      return await work(transaction)
    })
  },

  /** Its write-ahead log, and archives of it, are the operator's. */
  async scrub(queries, work) {
    await work()
    await sql`vacuum media_facts, image_likenesses, embedded_metadata, sightings, content_digests, assets`.execute(
      queries,
    )
  },

  /** The server keeps checksums of its pages where its operator has asked for them. */
  integrityFaults: async () => [],
}
