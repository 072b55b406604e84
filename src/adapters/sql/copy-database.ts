import { type Kysely, sql } from 'kysely'

import type { Database } from './database.ts'
import { tableNames } from './tables.ts'

export interface CopiedTable {
  readonly table: string
  readonly rowCount: number
}

type AnyTables = Record<string, Record<string, unknown>>

/** Few enough that no statement has more parameters than a database takes. */
const pageSize = 500

/** The rows of each table. */
export async function countRows(database: Database): Promise<readonly CopiedTable[]> {
  const counts: CopiedTable[] = []
  for (const table of await tableNames(database.queries)) {
    const { rows } = await sql<{ readonly count: number }>`
      select count(*) as count from ${sql.table(table)}`.execute(database.queries)
    counts.push({ table, rowCount: rows[0]?.count ?? 0 })
  }
  return counts
}

/** Whether nothing was ever announced or recorded in it. */
export async function isUnused(database: Database): Promise<boolean> {
  const position = await database.queries
    .selectFrom('position')
    .select(['commit_id', 'feed_seq', 'audit_seq'])
    .executeTakeFirstOrThrow()
  return position.commit_id === null && position.feed_seq + position.audit_seq === 0
}

/**
 * Copies every row into a database that has the same tables, all or none. Nobody may write to `source`
 * meanwhile. Throws where the target then has other numbers of rows.
 */
export async function copyDatabase(source: Database, target: Database): Promise<void> {
  const counts = await countRows(source)
  await target.transaction(async (transaction) => {
    const [from, to] = [source.queries, transaction] as unknown as Kysely<AnyTables>[]
    if (from === undefined || to === undefined) return
    for (const { table, rowCount } of counts) {
      await to.deleteFrom(table).execute()
      for (let done = 0; done < rowCount; done += pageSize) {
        const rows = await from.selectFrom(table).selectAll().limit(pageSize).offset(done).execute()
        await to.insertInto(table).values(rows).execute()
      }
    }
  })
  const copied = new Map((await countRows(target)).map((each) => [each.table, each.rowCount]))
  for (const { table, rowCount } of counts)
    if (copied.get(table) !== rowCount)
      throw new Error(`${table} has ${copied.get(table) ?? 0} rows instead of ${rowCount}`)
}
