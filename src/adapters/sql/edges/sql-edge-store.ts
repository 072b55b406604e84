import type { EdgeRecord, EdgeStore } from '../../../ports/edges/edge-store.ts'
import type { Database } from '../database.ts'
import type { EdgeTable } from '../schema.ts'

/** Edges, in a table. */
export class SqlEdgeStore implements EdgeStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async save(edges: readonly EdgeRecord[]): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      for (const edge of edges)
        await transaction
          .insertInto('edges')
          .values(rowOf(edge))
          .onConflict((conflict) => conflict.column('name').doUpdateSet(rowOf(edge)))
          .execute()
    })
  }

  async list(): Promise<readonly EdgeRecord[]> {
    const rows = await this.#database.queries
      .selectFrom('edges')
      .selectAll()
      .orderBy('name')
      .execute()
    return rows.map(recordOf)
  }

  async forget(name: string): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      await transaction.deleteFrom('edges').where('name', '=', name).execute()
    })
  }
}

const rowOf = (edge: EdgeRecord): EdgeTable => ({
  name: edge.name,
  seq: edge.seq,
  since: edge.since.getTime(),
  first_seen_at: edge.firstSeenAt.getTime(),
  last_seen_at: edge.lastSeenAt.getTime(),
  via: edge.via ?? null,
})

const recordOf = (row: EdgeTable): EdgeRecord => ({
  name: row.name,
  seq: row.seq,
  since: new Date(row.since),
  firstSeenAt: new Date(row.first_seen_at),
  lastSeenAt: new Date(row.last_seen_at),
  via: row.via ?? undefined,
})
