import { type Kysely, sql, type Transaction } from 'kysely'

import { keepLargest } from '../../../lib/collections/greatest.ts'
import { maxErrorPathsPerDay, maxErrorPathsPerHour } from '../../../ports/traffic/traffic-store.ts'
import type { RowWriter } from '../row-writer.ts'
import type { Schema } from '../schema.ts'
import { errorKey } from './fold-rows.ts'
import { createSummer } from './summing-statement.ts'
import type { TrafficErrorTable } from './traffic-schema.ts'

type ErrorRow = Omit<TrafficErrorTable, 'day'>

const tables = {
  day: { name: 'traffic_errors', most: maxErrorPathsPerDay },
  hour: { name: 'traffic_hour_errors', most: maxErrorPathsPerHour },
} as const

/**
 * Writes refused paths. Each zone and day, or hour, has room for so many; the rarest share the row `''`,
 * so that a flood of URLs that nobody asks for twice leaves room for the link that really is broken.
 */
export class ErrorRows {
  readonly #step: keyof typeof tables
  readonly #summer: RowWriter<ErrorRow & Record<string, unknown>>

  constructor(queries: Kysely<Schema>, step: keyof typeof tables) {
    this.#step = step
    this.#summer = createSummer(queries, {
      table: tables[step].name,
      keys: ['zone', step, 'status', 'path', 'asset'],
      sums: ['requests', 'bytes'],
    })
  }

  async add(
    transaction: Transaction<Schema>,
    added: readonly ErrorRow[],
    at: number,
  ): Promise<void> {
    const additions: ErrorRow[] = []
    for (const [zone, rows] of Map.groupBy(added, (row) => row.zone))
      additions.push(...(await this.#additionsIn(transaction, { zone, at, rows })))
    const rows = sumByKey(additions).map((row) => ({ ...row, [this.#step]: at }))
    await this.#summer.execute(transaction, rows)
  }

  async #additionsIn(
    transaction: Transaction<Schema>,
    { zone, at, rows }: { zone: string; at: number; rows: readonly ErrorRow[] },
  ): Promise<readonly ErrorRow[]> {
    const { name, most } = tables[this.#step]
    const existing: readonly ErrorRow[] = await transaction
      .selectFrom(name)
      .select(['zone', 'status', 'path', 'asset', 'requests', 'bytes'])
      .where('zone', '=', zone)
      .where(sql.ref(this.#step), '=', at)
      .where('path', '!=', '')
      .execute()
    const told = sumByKey([...existing, ...rows].filter(({ path }) => path !== ''))
    if (told.length <= most) return rows
    const { rest } = keepLargest(told, most, ({ requests }) => requests)
    const restKeys = new Set(rest.map(errorKey))
    const evicted = existing.filter((row) => restKeys.has(errorKey(row)))
    for (const row of evicted) await this.#remove(transaction, row, at)
    const inRest = (row: ErrorRow) => (restKeys.has(errorKey(row)) ? { ...row, path: '' } : row)
    return [...rows, ...evicted].map(inRest)
  }

  async #remove(
    transaction: Transaction<Schema>,
    { zone, status, path, asset }: ErrorRow,
    at: number,
  ): Promise<void> {
    await transaction
      .deleteFrom(tables[this.#step].name)
      .where('zone', '=', zone)
      .where(sql.ref(this.#step), '=', at)
      .where('status', '=', status)
      .where('path', '=', path)
      .where('asset', '=', asset)
      .execute()
  }
}

function sumByKey(rows: readonly ErrorRow[]): readonly ErrorRow[] {
  const sums = new Map<string, ErrorRow>()
  for (const row of rows) {
    const key = errorKey(row)
    const sum = sums.get(key)
    if (sum === undefined) sums.set(key, { ...row })
    else {
      sum.requests += row.requests
      sum.bytes += row.bytes
    }
  }
  return [...sums.values()]
}
