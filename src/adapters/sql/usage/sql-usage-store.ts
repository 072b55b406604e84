import { type Kysely, sql } from 'kysely'

import type {
  Stored,
  UsageDay,
  UsageDays,
  UsageScope,
  UsageStore,
  UsageSums,
  ZoneUsageDays,
} from '../../../ports/traffic/usage-store.ts'
import type { Database } from '../database.ts'
import type { Schema } from '../schema.ts'
import { everyZone } from '../traffic/fold-rows.ts'
import { zonesOf } from '../traffic/traffic-reader.ts'

/** Usage, put together of the sums of traffic and those of all else. */
export class SqlUsageStore implements UsageStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async zones(scope: UsageScope): Promise<readonly string[]> {
    const { queries } = this.#database
    const delivered = await trafficOf(queries, scope)
      .select('zone')
      .where('zone', '<>', everyZone)
      .distinct()
      .execute()
    const others = await usageUntil(queries, scope)
      .select('zone')
      .groupBy('zone')
      .having((each) =>
        each.or([
          each(each.fn.max('day'), '>=', scope.fromDay),
          each(each.fn.sum('files'), '<>', 0),
        ]),
      )
      .execute()
    const names = new Set([...delivered, ...others].map(({ zone }) => zone))
    return [...names].toSorted(inByteOrder)
  }

  async days(scope: UsageScope): Promise<UsageDays> {
    const found = await this.#read(scope, sql<string>`''`)
    return found.get('') ?? { before: nothingStored, days: [] }
  }

  async zoneDays(
    scope: UsageScope & { readonly zones: ReadonlySet<string> },
  ): Promise<ZoneUsageDays> {
    return scope.zones.size === 0 ? new Map() : await this.#read(scope, sql.ref<string>('zone'))
  }

  async sums(scope: UsageScope): Promise<ReadonlyMap<string, UsageSums>> {
    const { queries } = this.#database
    const delivered = await trafficOf(queries, scope)
      .where('zone', '<>', everyZone)
      .select(['zone', summed('requests'), summed('bytes')])
      .groupBy('zone')
      .execute()
    const others = await usageUntil(queries, scope)
      .where('day', '>=', scope.fromDay)
      .select(['zone', summed('uploads'), summed('vision_calls')])
      .groupBy('zone')
      .execute()
    const nothing = { requests: 0, bytes: 0, uploads: 0, visionCalls: 0 }
    const sums = new Map<string, UsageSums>()
    for (const { zone, requests, bytes } of delivered)
      sums.set(zone, { ...nothing, requests, bytes })
    for (const { zone, uploads, vision_calls: visionCalls } of others)
      sums.set(zone, { ...nothing, ...sums.get(zone), uploads, visionCalls })
    return sums
  }

  /** @param zone - what stands for the zone in the result. */
  async #read(
    scope: UsageScope,
    zone: ReturnType<typeof sql<string>>,
  ): Promise<ReadonlyMap<string, UsageDays>> {
    const { queries } = this.#database
    const traffic = await trafficOf(queries, scope)
      .where((each) =>
        scope.zones === undefined ? each('zone', '=', everyZone) : each('zone', '<>', everyZone),
      )
      .select([zone.as('of'), 'day', ...trafficColumns.map(summed)])
      .groupBy(['of', 'day'])
      .execute()
    const others = await usageUntil(queries, scope)
      .where('day', '>=', scope.fromDay)
      .select([zone.as('of'), 'day', ...usageColumns.map(summed)])
      .groupBy(['of', 'day'])
      .execute()
    const before = await usageUntil(queries, { ...scope, toDay: scope.fromDay - 1 })
      .select([zone.as('of'), ...storedColumns.map(summed)])
      .groupBy('of')
      .execute()
    return joined({ traffic, others, before })
  }
}

type Sums<Names extends string> = Readonly<Record<Names, number>>

interface Read {
  readonly traffic: readonly ({ of: string; day: number } & Sums<TrafficColumn>)[]
  readonly others: readonly ({ of: string; day: number } & Sums<UsageColumn>)[]
  readonly before: readonly ({ of: string } & Sums<'stored_bytes' | 'files'>)[]
}

type TrafficColumn = (typeof trafficColumns)[number]
type UsageColumn = (typeof usageColumns)[number]

const trafficColumns = ['requests', 'bytes', 'hits', 'transforms', 'transforms_made'] as const
const storedColumns = ['stored_bytes', 'files'] as const
const usageColumns = [
  ...storedColumns,
  'uploads',
  'uploaded_bytes',
  'vision_calls',
  'chat_calls',
  'embedding_calls',
] as const

const summed = <Name extends string>(name: Name) => sql<number>`sum(${sql.ref(name)})`.as(name)

const trafficOf = (queries: Kysely<Schema>, { zones, fromDay, toDay }: UsageScope) =>
  queries
    .selectFrom('traffic_days')
    .where('day', '>=', fromDay)
    .where('day', '<=', toDay)
    .$if(zones !== undefined, (query) => query.where('zone', 'in', zonesOf({ zones })))

const usageUntil = (queries: Kysely<Schema>, { zones, toDay }: UsageScope) =>
  queries
    .selectFrom('usage_days')
    .where('day', '<=', toDay)
    .$if(zones !== undefined, (query) => query.where('zone', 'in', zonesOf({ zones })))

const nothingStored: Stored = { storedBytes: 0, files: 0 }

function joined({ traffic, others, before }: Read): ReadonlyMap<string, UsageDays> {
  const found = new Map<string, { before: Stored; readonly byDay: Map<number, UsageDay> }>()
  const usageOf = (zone: string) => {
    const known = found.get(zone) ?? { before: nothingStored, byDay: new Map<number, UsageDay>() }
    found.set(zone, known)
    return known
  }
  const add = (zone: string, day: number, added: Partial<UsageDay>): void => {
    const { byDay } = usageOf(zone)
    byDay.set(day, { ...nothingOn(day), ...byDay.get(day), ...added })
  }
  for (const { of, ...stored } of before) usageOf(of).before = storedOf(stored)
  for (const { of, day, transforms_made: transformsMade, ...sums } of traffic)
    add(of, day, { ...sums, transformsMade })
  for (const { of, day, ...sums } of others)
    add(of, day, {
      ...storedOf(sums),
      uploads: sums.uploads,
      uploadedBytes: sums.uploaded_bytes,
      visionCalls: sums.vision_calls,
      chatCalls: sums.chat_calls,
      embeddingCalls: sums.embedding_calls,
    })
  return new Map(
    [...found].map(([zone, { before: first, byDay }]) => {
      const days = [...byDay.values()].toSorted((one, other) => one.day - other.day)
      return [zone, { before: first, days }]
    }),
  )
}

const storedOf = ({
  stored_bytes: storedBytes,
  files,
}: Sums<'stored_bytes' | 'files'>): Stored => ({
  storedBytes,
  files,
})

const nothingOn = (day: number): UsageDay => ({
  day,
  ...nothingStored,
  requests: 0,
  bytes: 0,
  hits: 0,
  transforms: 0,
  transformsMade: 0,
  uploads: 0,
  uploadedBytes: 0,
  visionCalls: 0,
  chatCalls: 0,
  embeddingCalls: 0,
})

const inByteOrder = (one: string, other: string): number =>
  one === other ? 0 : one < other ? -1 : 1
