import { type Kysely, sql } from 'kysely'

import { takeTurns } from '../../../lib/async/turns.ts'
import type { ExportedRows, ExportedTable } from '../../../ports/backups/backup-source.ts'
import type { Database } from '../database.ts'
import { newestMigration, tableNames } from '../tables.ts'
import { rowLine } from './row-text.ts'

type AnyTables = Record<string, Record<string, unknown>>
type Row = Readonly<Record<string, unknown>>

/** Few enough that nobody waits for a page. */
const pageSize = 500
/**
 * A piece ends behind a row whose line happens to have such a checksum, about every 512th: rows that come or go
 * leave the pieces before and behind them as they were, so that they are not written again.
 */
const boundaryMask = 511
const maxPieceBytes = 4 * 2 ** 20

/** Tables whose rows mean nothing elsewhere, or are made again. */
const neverExported = new Set([
  'passkey_challenges',
  'repository_packs',
  'replica_position',
  'replica_hosts',
  'staged_uploads',
  'upload_parts',
  'writer_lease',
])
const secretTables = new Set(['certificates', 'certificate_account'])

interface Options {
  /** Whether certificates and their keys are among the rows. */
  readonly hasSecrets: boolean
  /** Takes a piece, and answers its SHA-256. */
  readonly keep: (bytes: Uint8Array<ArrayBuffer>) => Promise<string>
}

/** Every row as of one moment, while others go on writing. `database` must be for reading alone. */
export async function exportRows(
  { queries, flavour }: Pick<Database, 'queries' | 'flavour'>,
  { hasSecrets, keep }: Options,
): Promise<ExportedRows> {
  return await queries.connection().execute(async (connection) => {
    await flavour.beginSnapshot.execute(connection)
    try {
      const { commit_id: commitId, feed_seq: feedSeq } = await connection
        .selectFrom('position')
        .select(['commit_id', 'feed_seq'])
        .executeTakeFirstOrThrow()
      const tables: ExportedTable[] = []
      for (const name of await tableNames(connection)) {
        if (neverExported.has(name) || (!hasSecrets && secretTables.has(name))) continue
        const keys = await flavour.primaryKey(connection, name)
        const any = connection as unknown as Kysely<AnyTables>
        tables.push(await exportTable(any, { name, keys, keep }))
      }
      const migration = await newestMigration(connection)
      return { migration, commitId: commitId ?? undefined, feedSeq, tables }
    } finally {
      await sql`rollback`.execute(connection)
    }
  })
}

interface TableOptions extends Pick<Options, 'keep'> {
  readonly name: string
  /** The columns that tell its rows apart, in order. */
  readonly keys: readonly string[]
}

async function exportTable(
  connection: Kysely<AnyTables>,
  { name, keys, keep }: TableOptions,
): Promise<ExportedTable> {
  const pieces: string[] = []
  let columns: readonly string[] = []
  let lines: string[] = []
  let [rowCount, lineBytes] = [0, 0]
  const turns = takeTurns(pageSize)
  const end = async () => {
    if (lines.length === 0) return
    const packed = await Bun.zstdCompress(lines.join(''))
    pieces.push(await keep(new Uint8Array(packed)))
    lines = []
    lineBytes = 0
  }
  for await (const row of rowsOf(connection, name, keys)) {
    if (rowCount === 0) columns = Object.keys(row).toSorted()
    const line = rowLine(row, columns)
    lines.push(line)
    rowCount += 1
    lineBytes += line.length
    const isBoundary = (Bun.hash.crc32(line) & boundaryMask) === 0
    if (isBoundary || lineBytes >= maxPieceBytes) await end()
    await turns.after(1)
  }
  await end()
  return { name, columns, rowCount, pieces }
}

/** In the order of the key, a page at a time. */
async function* rowsOf(
  connection: Kysely<AnyTables>,
  table: string,
  keys: readonly string[],
): AsyncGenerator<Row, void, undefined> {
  if (keys.length === 0) throw new Error(`${table} has no primary key`)
  const order = sql.join(keys.map((key) => sql.ref(key)))
  for (let last: Row | undefined; ;) {
    const from: Row | undefined = last
    const after =
      from === undefined
        ? sql``
        : sql`where (${order}) > (${sql.join(keys.map((key) => from[key]))})`
    const { rows } = await sql<Row>`
      select * from ${sql.table(table)} ${after} order by ${order} limit ${pageSize}`.execute(
      connection,
    )
    yield* rows
    last = rows.at(-1)
    if (last === undefined || rows.length < pageSize) return
  }
}
