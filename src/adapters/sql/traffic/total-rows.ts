import type { Kysely, Transaction } from 'kysely'

import { addHistograms } from '../../../lib/collections/duration-histogram.ts'
import { paddedLists } from '../row-lists.ts'
import type { RowWriter } from '../row-writer.ts'
import type { Schema } from '../schema.ts'
import type { ZoneTotals } from './fold-rows.ts'
import { latencyText, readLatencyText } from './latency-text.ts'
import { createSummer } from './summing-statement.ts'
import type { TrafficTotals } from './traffic-schema.ts'

/** The tables of sums by time, and what each calls its time. */
export const totalTables = {
  minute: 'traffic_minutes',
  hour: 'traffic_hours',
  day: 'traffic_days',
} as const

export type Step = keyof typeof totalTables

export const totalNames = [
  'requests',
  'bytes',
  'hits',
  'status_2xx',
  'status_3xx',
  'status_4xx',
  'status_5xx',
  'transforms',
  'transforms_made',
] as const satisfies readonly (keyof TrafficTotals)[]

type TotalRow = TrafficTotals & Record<string, unknown>

/** Adds to the sums of a minute, an hour or a day. Histograms are added here: no database knows how. */
export class TotalRows {
  readonly #step: Step
  readonly #summer: RowWriter<TotalRow>

  constructor(queries: Kysely<Schema>, step: Step) {
    this.#step = step
    this.#summer = createSummer<TotalRow>(queries, {
      table: totalTables[step],
      keys: ['zone', step],
      sums: totalNames,
      replaced: ['latencies'],
    })
  }

  async add(
    transaction: Transaction<Schema>,
    at: number,
    totals: readonly ZoneTotals[],
  ): Promise<void> {
    const known = await this.#latencies(transaction, at, totals)
    const rows = totals.map(({ zone, latencies, ...sums }) => {
      const before = known.get(zone)
      const sum = addHistograms([before === undefined ? [] : readLatencyText(before), latencies])
      const isMeasured = sum.size > 0
      return { ...sums, zone, [this.#step]: at, latencies: isMeasured ? latencyText(sum) : null }
    })
    await this.#summer.execute(transaction, rows)
  }

  async #latencies(
    transaction: Transaction<Schema>,
    at: number,
    totals: readonly ZoneTotals[],
  ): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>()
    for (const zones of paddedLists(totals.map(({ zone }) => zone))) {
      const rows = await transaction
        .selectFrom(totalTables[this.#step])
        .select(['zone', 'latencies'])
        .where('zone', 'in', zones)
        .where(this.#step as never, '=', at as never)
        .where('latencies', 'is not', null)
        .execute()
      for (const { zone, latencies } of rows) if (latencies !== null) found.set(zone, latencies)
    }
    return found
  }
}
