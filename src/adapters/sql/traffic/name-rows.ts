import { type Kysely, sql, type Transaction } from 'kysely'

import { keepLargest } from '../../../lib/collections/greatest.ts'
import {
  maxNamesPerHour,
  maxReferrersPerDay,
  otherName,
} from '../../../ports/traffic/traffic-store.ts'
import type { RowWriter } from '../row-writer.ts'
import type { Schema } from '../schema.ts'
import { nameKey } from './fold-rows.ts'
import { createSummer } from './summing-statement.ts'
import type { TrafficHourNameTable } from './traffic-schema.ts'

/** A name and its sums in a day or an hour, whichever `at` is of. */
export interface NamedRow extends Omit<TrafficHourNameTable, 'hour'> {
  readonly at: number
}

const tables = {
  day: { name: 'traffic_names', most: maxReferrersPerDay },
  hour: { name: 'traffic_hour_names', most: maxNamesPerHour },
} as const

/** Of these there are never more than a few hundred, so none needs to make room. */
const boundedKinds: ReadonlySet<NamedRow['kind']> = new Set(['country', 'status', 'own'])

/**
 * Writes who asked. Each zone and day, or hour, has room for so many names of a kind; the rarest share one
 * row, so that names which clients make up leave room for those that come again.
 */
export class NameRows {
  readonly #step: keyof typeof tables
  readonly #summer: RowWriter<NamedRow & Record<string, unknown>>

  constructor(queries: Kysely<Schema>, step: keyof typeof tables) {
    this.#step = step
    this.#summer = createSummer(queries, {
      table: tables[step].name,
      keys: ['kind', 'zone', step, 'name'],
      sums: ['requests', 'bytes'],
    })
  }

  async add(transaction: Transaction<Schema>, added: readonly NamedRow[]): Promise<void> {
    const additions: NamedRow[] = []
    for (const rows of Map.groupBy(added, groupKey).values())
      additions.push(...(await this.#additionsIn(transaction, rows)))
    const rows = sumByKey(additions).map((row) => ({ ...row, [this.#step]: row.at }))
    await this.#summer.execute(transaction, rows)
  }

  /** Rows of one kind, zone and time. */
  async #additionsIn(
    transaction: Transaction<Schema>,
    rows: readonly NamedRow[],
  ): Promise<readonly NamedRow[]> {
    const [first] = rows
    if (first === undefined || boundedKinds.has(first.kind)) return rows
    const existing = await this.#existing(transaction, first)
    const told = sumByKey([...existing, ...rows].filter(({ name }) => name !== otherName))
    const { most } = tables[this.#step]
    if (told.length <= most) return rows
    const { rest } = keepLargest(told, most, ({ requests }) => requests)
    const restKeys = new Set(rest.map(nameKey))
    const evicted = existing.filter((row) => restKeys.has(nameKey(row)))
    for (const row of evicted) await this.#remove(transaction, row)
    return [...rows, ...evicted].map((row) =>
      restKeys.has(nameKey(row)) ? { ...row, name: otherName } : row,
    )
  }

  async #existing(
    transaction: Transaction<Schema>,
    { kind, zone, at }: NamedRow,
  ): Promise<readonly NamedRow[]> {
    const rows = await transaction
      .selectFrom(tables[this.#step].name)
      .select(['name', 'requests', 'bytes'])
      .where('kind', '=', kind as 'referrer')
      .where('zone', '=', zone)
      .where(sql.ref(this.#step), '=', at)
      .where('name', '!=', otherName)
      .execute()
    return rows.map((row) => ({ ...row, kind, zone, at }))
  }

  async #remove(
    transaction: Transaction<Schema>,
    { kind, zone, at, name }: NamedRow,
  ): Promise<void> {
    await transaction
      .deleteFrom(tables[this.#step].name)
      .where('kind', '=', kind as 'referrer')
      .where('zone', '=', zone)
      .where(sql.ref(this.#step), '=', at)
      .where('name', '=', name)
      .execute()
  }
}

const groupKey = ({ kind, zone }: NamedRow): string => `${kind}\n${zone}`

function sumByKey(rows: readonly NamedRow[]): readonly NamedRow[] {
  const sums = new Map<string, NamedRow>()
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
