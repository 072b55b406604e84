import type { Kysely } from 'kysely'

import type { ExportedTable } from '../../../ports/backups/backup-source.ts'
import type { Database } from '../database.ts'
import { readRowLine } from './row-text.ts'

type AnyTables = Record<string, Record<string, unknown>>

/** Few enough that no statement has more parameters than a database takes. */
const rowsAtOnce = 200

interface Options {
  readonly tables: readonly ExportedTable[]
  /** The bytes of a piece, checked. */
  readonly read: (sha256: string) => Promise<Uint8Array<ArrayBuffer>>
}

/**
 * Puts the rows into tables of the same form, in place of those that a new database has, all or none. Throws where
 * there are then other numbers of them.
 */
export async function importRows(
  database: Pick<Database, 'transaction'>,
  { tables, read }: Options,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const into = transaction as unknown as Kysely<AnyTables>
    for (const { name, columns, rowCount, pieces } of tables) {
      await into.deleteFrom(name).execute()
      let count = 0
      for (const piece of pieces) {
        const text = new TextDecoder().decode(await Bun.zstdDecompress(await read(piece)))
        const rows = text
          .trimEnd()
          .split('\n')
          .map((line) => readRowLine(line, columns))
        for (let start = 0; start < rows.length; start += rowsAtOnce)
          await into
            .insertInto(name)
            .values(rows.slice(start, start + rowsAtOnce))
            .execute()
        count += rows.length
      }
      if (count !== rowCount)
        throw new Error(`${name} has ${count} rows in the backup instead of ${rowCount}`)
    }
  })
}
