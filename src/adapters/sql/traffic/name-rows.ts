import type { Kysely, Transaction } from 'kysely'

import { keepLargest } from '../../../lib/collections/greatest.ts'
import { maxReferrersPerDay, otherName } from '../../../ports/traffic/traffic-store.ts'
import type { RowWriter } from '../row-writer.ts'
import type { Schema } from '../schema.ts'
import { nameKey } from './fold-rows.ts'
import { createSummer } from './summing-statement.ts'
import type { TrafficNameTable } from './traffic-schema.ts'

/**
 * Writes who asked. Each zone and day has room for so many names of a kind; the rarest share one row, so
 * that names which clients make up leave room for those that come again.
 */
export class NameRows {
  readonly #summer: RowWriter<TrafficNameTable>

  constructor(queries: Kysely<Schema>) {
    this.#summer = createSummer<TrafficNameTable>(queries, {
      table: 'traffic_names',
      keys: ['kind', 'zone', 'day', 'name'],
      sums: ['requests', 'bytes'],
    })
  }

  async add(transaction: Transaction<Schema>, added: readonly TrafficNameTable[]): Promise<void> {
    const additions: TrafficNameTable[] = []
    for (const rows of Map.groupBy(added, groupKey).values())
      additions.push(...(await additionsIn(transaction, rows)))
    await this.#summer.execute(transaction, sumByKey(additions))
  }
}

const groupKey = ({ kind, zone, day }: TrafficNameTable): string => `${kind}\n${zone}\n${day}`

/** Rows of one kind, zone and day. */
async function additionsIn(
  transaction: Transaction<Schema>,
  rows: readonly TrafficNameTable[],
): Promise<readonly TrafficNameTable[]> {
  const [first] = rows
  if (first === undefined) return []
  const { kind, zone, day } = first
  const existing = await transaction
    .selectFrom('traffic_names')
    .selectAll()
    .where('kind', '=', kind)
    .where('zone', '=', zone)
    .where('day', '=', day)
    .where('name', '!=', otherName)
    .execute()
  const told = sumByKey([...existing, ...rows].filter(({ name }) => name !== otherName))
  if (told.length <= maxReferrersPerDay) return rows
  const { rest } = keepLargest(told, maxReferrersPerDay, ({ requests }) => requests)
  const restKeys = new Set(rest.map(nameKey))
  const evicted = existing.filter((row) => restKeys.has(nameKey(row)))
  for (const { name } of evicted)
    await transaction
      .deleteFrom('traffic_names')
      .where('kind', '=', kind)
      .where('zone', '=', zone)
      .where('day', '=', day)
      .where('name', '=', name)
      .execute()
  return [...rows, ...evicted].map((row) =>
    restKeys.has(nameKey(row)) ? { ...row, name: otherName } : row,
  )
}

function sumByKey(rows: readonly TrafficNameTable[]): readonly TrafficNameTable[] {
  const sums = new Map<string, TrafficNameTable>()
  for (const row of rows) {
    const sum = sums.get(nameKey(row))
    if (sum === undefined) sums.set(nameKey(row), { ...row })
    else {
      sum.requests += row.requests
      sum.bytes += row.bytes
    }
  }
  return [...sums.values()]
}
