import { type Kysely, sql, type Transaction } from 'kysely'

import type { CallRow } from '../../../ports/traffic/traffic-store.ts'
import { keptDays } from '../../../ports/traffic/traffic-store.ts'
import type { RowWriter } from '../row-writer.ts'
import type { Schema } from '../schema.ts'
import { createSummer } from '../traffic/summing-statement.ts'
import type { UsageSums, UsageTable } from './usage-schema.ts'

const usageNames = [
  'stored_bytes',
  'files',
  'uploads',
  'uploaded_bytes',
  'vision_calls',
  'chat_calls',
  'embedding_calls',
] as const satisfies readonly (keyof UsageSums)[]

const nothing: UsageSums = {
  stored_bytes: 0,
  files: 0,
  uploads: 0,
  uploaded_bytes: 0,
  vision_calls: 0,
  chat_calls: 0,
  embedding_calls: 0,
}

/** Sums by zone, until they are added to a day. */
export class UsageByZone {
  readonly #sumsByZone = new Map<string, UsageSums>()

  add(zone: string, added: Partial<UsageSums>): void {
    const sums = this.#sumsByZone.get(zone) ?? { ...nothing }
    for (const name of usageNames) sums[name] += added[name] ?? 0
    this.#sumsByZone.set(zone, sums)
  }

  /** Of a day; those of which there is nothing are left out. */
  rows(day: number): readonly UsageTable[] {
    return [...this.#sumsByZone]
      .filter(([, sums]) => usageNames.some((name) => sums[name] !== 0))
      .map(([zone, sums]) => ({ zone, day, ...sums }))
  }
}

/** Adds to the rows there are. No zone may occur twice for a day. */
export const createUsageSummer = (queries: Kysely<Schema>): RowWriter<UsageTable> =>
  createSummer<UsageTable>(queries, {
    table: 'usage_days',
    keys: ['zone', 'day'],
    sums: usageNames,
  })

const columnByKind = {
  vision: 'vision_calls',
  chat: 'chat_calls',
  embedding: 'embedding_calls',
} as const satisfies Record<CallRow['kind'], keyof UsageSums>

export function usageOfCalls(calls: readonly CallRow[]): UsageByZone {
  const usage = new UsageByZone()
  for (const { zone, kind, calls: count } of calls) usage.add(zone, { [columnByKind[kind]]: count })
  return usage
}

const adding = sql`on conflict (zone, day) do update set
  stored_bytes = usage_days.stored_bytes + excluded.stored_bytes,
  files = usage_days.files + excluded.files`

/** From this day on nothing is stored, as the assets are to be made anew. */
export async function forgetStored(transaction: Transaction<Schema>, day: number): Promise<void> {
  await sql`insert into usage_days (zone, day, stored_bytes, files)
    select zone, cast(${day} as bigint), -sum(stored_bytes), -sum(files) from usage_days where true
    group by zone having sum(stored_bytes) <> 0 or sum(files) <> 0 ${adding}`.execute(transaction)
}

/** What was stored before the days that are kept counts as stored on the first of them. */
export async function forgetUsage(transaction: Transaction<Schema>, today: number): Promise<void> {
  const first = today - keptDays + 1
  await sql`insert into usage_days (zone, day, stored_bytes, files)
    select zone, cast(${first} as bigint), sum(stored_bytes), sum(files) from usage_days
    where day < ${first}
    group by zone having sum(stored_bytes) <> 0 or sum(files) <> 0 ${adding}`.execute(transaction)
  await transaction.deleteFrom('usage_days').where('day', '<', first).execute()
}
