import type { Transaction } from 'kysely'

import {
  type LogQuery,
  type LogRecord,
  type LogStore,
  maxLogRecords,
} from '../../../ports/traffic/log-store.ts'
import type { Database } from '../database.ts'
import { RowWriter } from '../row-writer.ts'
import type { LogRecordTable, Schema } from '../schema.ts'

/** Log records, in a table that forgets what is old when something new is kept. */
export class SqlLogStore implements LogStore {
  readonly #database: Database
  readonly #writer: RowWriter<LogRecordTable>

  constructor(database: Database) {
    this.#database = database
    this.#writer = new RowWriter<LogRecordTable>(database.queries, {
      table: 'log_records',
      rowOf: (row) => row,
    })
  }

  async append(records: readonly LogRecord[]): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      const newest = await transaction
        .selectFrom('log_records')
        .select(({ fn }) => fn.max('seq').as('seq'))
        .executeTakeFirst()
      const first = (newest?.seq ?? 0) + 1
      const rows = records.map((record, place) => rowOf(record, first + place))
      await this.#writer.execute(transaction, rows)
      for (const level of new Set(records.map((record) => record.level)))
        await forgetSurplus(transaction, level)
    })
  }

  async query({ since, level, zones, limit }: LogQuery): Promise<readonly LogRecord[]> {
    if (zones?.size === 0) return []
    const rows = await this.#database.queries
      .selectFrom('log_records')
      .selectAll()
      .where('at', '>=', since.getTime())
      .$if(level !== undefined, (all) => all.where('level', '=', level ?? 'info'))
      .$if(zones !== undefined, (all) => all.where('zone', 'in', [...(zones ?? [])]))
      .orderBy('at', 'desc')
      .orderBy('seq', 'desc')
      .limit(limit)
      .execute()
    return rows.map(recordOf)
  }

  async forgetBefore(time: Date): Promise<number> {
    const { numDeletedRows } = await this.#database.transaction((transaction) =>
      transaction
        .deleteFrom('log_records')
        .where('at', '<', time.getTime())
        .executeTakeFirstOrThrow(),
    )
    return Number(numDeletedRows)
  }
}

/** Of one level, all but the newest. */
async function forgetSurplus(
  transaction: Transaction<Schema>,
  level: LogRecord['level'],
): Promise<void> {
  const surplus = await transaction
    .selectFrom('log_records')
    .select('seq')
    .where('level', '=', level)
    .orderBy('seq', 'desc')
    .limit(1)
    .offset(maxLogRecords)
    .executeTakeFirst()
  if (surplus === undefined) return
  await transaction
    .deleteFrom('log_records')
    .where('level', '=', level)
    .where('seq', '<=', surplus.seq)
    .execute()
}

/** Its values are the parameters of a row, so the members are always in this order. */
const rowOf = (record: LogRecord, seq: number): LogRecordTable => ({
  seq,
  at: record.at.getTime(),
  level: record.level,
  code: record.code ?? null,
  message: record.message,
  request_id: record.requestId ?? null,
  zone: record.zone ?? null,
  fields: JSON.stringify(record.fields),
})

const recordOf = (row: LogRecordTable): LogRecord => ({
  at: new Date(row.at),
  level: row.level,
  code: row.code ?? undefined,
  message: row.message,
  requestId: row.request_id ?? undefined,
  zone: row.zone ?? undefined,
  fields: JSON.parse(row.fields) as LogRecord['fields'],
})
