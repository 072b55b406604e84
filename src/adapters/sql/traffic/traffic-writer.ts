import type { Kysely, Transaction } from 'kysely'

import { maxBeaconRowsPerDay, type TrafficFlush } from '../../../ports/traffic/traffic-store.ts'
import type { RowWriter } from '../row-writer.ts'
import type { Schema } from '../schema.ts'
import { ErrorRows } from './error-rows.ts'
import { beaconKey, type FoldedFlush, foldRows } from './fold-rows.ts'
import { PathBlocks } from './paths/path-blocks.ts'
import { createSummer } from './summing-statement.ts'
import { type NamedRow, NameRows } from './name-rows.ts'
import { TotalRows } from './total-rows.ts'
import { createUsageSummer, usageOfCalls } from '../usage/usage-rows.ts'
import type { UsageTable } from '../usage/usage-schema.ts'
import type { TrafficBeaconTable, TrafficCountryTable } from './traffic-schema.ts'

/** Adds flushes to the tables. */
export class TrafficWriter {
  readonly #minutes: TotalRows
  readonly #hours: TotalRows
  readonly #days: TotalRows
  readonly #countries: RowWriter<TrafficCountryTable>
  readonly #beacons: RowWriter<TrafficBeaconTable>
  readonly #errors: ErrorRows
  readonly #hourErrors: ErrorRows
  readonly #paths: PathBlocks
  readonly #names: NameRows
  readonly #hourNames: NameRows
  readonly #usage: RowWriter<UsageTable>

  constructor(queries: Kysely<Schema>) {
    const sums = ['requests', 'bytes'] as const
    this.#minutes = new TotalRows(queries, 'minute')
    this.#hours = new TotalRows(queries, 'hour')
    this.#days = new TotalRows(queries, 'day')
    this.#countries = createSummer<TrafficCountryTable>(queries, {
      table: 'traffic_countries',
      keys: ['zone', 'day', 'country'],
      sums,
    })
    this.#beacons = createSummer<TrafficBeaconTable>(queries, {
      table: 'traffic_beacons',
      keys: ['day', 'path', 'country', 'hit'],
      sums,
    })
    this.#errors = new ErrorRows(queries, 'day')
    this.#hourErrors = new ErrorRows(queries, 'hour')
    this.#paths = new PathBlocks(queries)
    this.#names = new NameRows(queries, 'day')
    this.#usage = createUsageSummer(queries)
    this.#hourNames = new NameRows(queries, 'hour')
  }

  /** Answers whether the flush was new. */
  async write(transaction: Transaction<Schema>, flush: TrafficFlush): Promise<boolean> {
    const folded = foldRows(flush)
    const { day, hour, minute, totals } = folded
    if (!(await isNew(transaction, flush, day))) return false
    await this.#minutes.add(transaction, minute, totals)
    await this.#hours.add(transaction, hour, totals)
    await this.#days.add(transaction, day, totals)
    await this.#countries.execute(transaction, folded.countries)
    await this.#errors.add(transaction, folded.errors, day)
    await this.#hourErrors.add(transaction, folded.errors, hour)
    await this.#addBeacons(transaction, folded.beacons, day)
    await this.#paths.add(transaction, folded)
    await this.#names.add(transaction, at(folded.names, day))
    await this.#usage.execute(transaction, usageOfCalls(flush.calls ?? []).rows(day))
    await this.#hourNames.add(transaction, at([...folded.names, ...namesOfCountries(folded)], hour))
    return true
  }

  /** To be called where a transaction of this writer was undone. */
  undone(): void {
    this.#paths.forget()
  }

  /** Where a day has no more room, what is new is counted together. */
  async #addBeacons(
    transaction: Transaction<Schema>,
    added: readonly TrafficBeaconTable[],
    day: number,
  ): Promise<void> {
    if (added.length === 0) return
    const existing = await transaction
      .selectFrom('traffic_beacons')
      .selectAll()
      .where('day', '=', day)
      .execute()
    const known = new Set(existing.map(beaconKey))
    for (const row of added) {
      const hasRoom = known.size < maxBeaconRowsPerDay || known.has(beaconKey(row))
      const kept = hasRoom ? row : { ...row, path: '', country: 'XX' }
      if (hasRoom) known.add(beaconKey(row))
      await this.#beacons.execute(transaction, [kept])
    }
  }
}

const at = (names: readonly Omit<NamedRow, 'at'>[], time: number): readonly NamedRow[] =>
  names.map((row) => ({ ...row, at: time }))

const namesOfCountries = ({ countries }: FoldedFlush): readonly Omit<NamedRow, 'at'>[] =>
  countries.map(({ country: name, zone, requests, bytes }) => {
    return { kind: 'country', zone, name, requests, bytes }
  })

async function isNew(
  transaction: Transaction<Schema>,
  { process, number }: TrafficFlush,
  day: number,
): Promise<boolean> {
  const row = await transaction
    .insertInto('traffic_flushes')
    .values({ process, number, day })
    .onConflict((conflict) =>
      conflict
        .column('process')
        .doUpdateSet({ number, day })
        .where('traffic_flushes.number', '<', number),
    )
    .returning('number')
    .executeTakeFirst()
  return row !== undefined
}
