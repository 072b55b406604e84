import type { Kysely, Transaction } from 'kysely'

import { keepLargest } from '../../../lib/collections/greatest.ts'
import { maxErrorPathsPerDay } from '../../../ports/traffic/traffic-store.ts'
import type { RowWriter } from '../row-writer.ts'
import type { Schema } from '../schema.ts'
import { errorKey } from './fold-rows.ts'
import { createSummer } from './summing-statement.ts'
import type { TrafficErrorTable } from './traffic-schema.ts'

/**
 * Writes refused paths. Each zone and day has room for so many; the rarest share the row `''`, so that
 * a flood of URLs that nobody asks for twice leaves room for the link that really is broken.
 */
export class ErrorRows {
  readonly #summer: RowWriter<TrafficErrorTable>

  constructor(queries: Kysely<Schema>) {
    this.#summer = createSummer<TrafficErrorTable>(queries, {
      table: 'traffic_errors',
      keys: ['zone', 'day', 'status', 'path', 'asset'],
      sums: ['requests', 'bytes'],
    })
  }

  async add(
    transaction: Transaction<Schema>,
    added: readonly TrafficErrorTable[],
    day: number,
  ): Promise<void> {
    const additions: TrafficErrorTable[] = []
    for (const [zone, rows] of Map.groupBy(added, (row) => row.zone))
      additions.push(...(await this.#additionsIn(transaction, { zone, day, rows })))
    await this.#summer.execute(transaction, sumByKey(additions))
  }

  async #additionsIn(
    transaction: Transaction<Schema>,
    { zone, day, rows }: { zone: string; day: number; rows: readonly TrafficErrorTable[] },
  ): Promise<readonly TrafficErrorTable[]> {
    const existing = await transaction
      .selectFrom('traffic_errors')
      .selectAll()
      .where('zone', '=', zone)
      .where('day', '=', day)
      .where('path', '!=', '')
      .execute()
    const told = sumByKey([...existing, ...rows].filter(({ path }) => path !== ''))
    if (told.length <= maxErrorPathsPerDay) return rows
    const { rest } = keepLargest(told, maxErrorPathsPerDay, ({ requests }) => requests)
    const restKeys = new Set(rest.map(errorKey))
    const evicted = existing.filter((row) => restKeys.has(errorKey(row)))
    for (const row of evicted) await remove(transaction, row)
    const inRest = (row: TrafficErrorTable) =>
      restKeys.has(errorKey(row)) ? { ...row, path: '' } : row
    return [...rows, ...evicted].map(inRest)
  }
}

async function remove(
  transaction: Transaction<Schema>,
  { zone, day, status, path, asset }: TrafficErrorTable,
): Promise<void> {
  await transaction
    .deleteFrom('traffic_errors')
    .where('zone', '=', zone)
    .where('day', '=', day)
    .where('status', '=', status)
    .where('path', '=', path)
    .where('asset', '=', asset)
    .execute()
}

function sumByKey(rows: readonly TrafficErrorTable[]): readonly TrafficErrorTable[] {
  const sums = new Map<string, TrafficErrorTable>()
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
