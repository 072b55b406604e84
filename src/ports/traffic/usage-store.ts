import type { TrafficScope } from './traffic-store.ts'

/**
 * What was stored and used, added up by zone and day (UTC, whole days since 1970). What was delivered is
 * what {@link TrafficStore} has of the same days, by whatever edge; what is stored and was uploaded is
 * counted where it is published, in the same transaction. `''` is the zone of what belongs to none. A zone
 * that was made anew has nothing of its former self, which is under a name that no zone can have.
 */
export interface UsageStore {
  /** Zones with anything stored or used in the period, in byte order; at most those of the scope. */
  zones(scope: UsageScope): Promise<readonly string[]>
  /** Of all zones of the scope together, by day; days without a change are left out. */
  days(scope: UsageScope): Promise<UsageDays>
  /** What zones of the scope used in the whole period, those that used nothing left out. */
  sums(scope: UsageScope): Promise<ReadonlyMap<string, UsageSums>>
  /** Of each of these zones by itself. */
  zoneDays(scope: UsageScope & { readonly zones: ReadonlySet<string> }): Promise<ZoneUsageDays>
}

export type UsageScope = Omit<TrafficScope, 'hours'>

export type UsageSums = Pick<UsageCounts, 'requests' | 'bytes' | 'uploads' | 'visionCalls'>

export interface UsageCounts {
  readonly requests: number
  /** Bytes of delivered bodies. */
  readonly bytes: number
  readonly hits: number
  /** Images made of assets, from a cache or not. */
  readonly transforms: number
  /** Of these, those that no cache had. */
  readonly transformsMade: number
  /** Files that were published, each time their bytes were written; not those that were only moved. */
  readonly uploads: number
  readonly uploadedBytes: number
  /** Calls to the models that the operator has set. */
  readonly visionCalls: number
  readonly chatCalls: number
  readonly embeddingCalls: number
}

export interface Stored {
  readonly storedBytes: number
  readonly files: number
}

/** What is stored is told as by how much it grew that day. */
export interface UsageDay extends UsageCounts, Stored {
  readonly day: number
}

export interface UsageDays {
  /** What was stored when the period began. */
  readonly before: Stored
  readonly days: readonly UsageDay[]
}

/** By zone; those without anything are left out. */
export type ZoneUsageDays = ReadonlyMap<string, UsageDays>
