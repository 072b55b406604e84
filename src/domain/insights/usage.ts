import { takeTurns } from '../../lib/async/turns.ts'
import type {
  Stored,
  UsageCounts,
  UsageDays,
  UsageScope,
  UsageStore,
} from '../../ports/traffic/usage-store.ts'
import { dayOf } from './period.ts'

/** What was stored and used, by zone and day. */
export interface UsageReports {
  report(query: UsageQuery): Promise<UsageReport>
}

export interface UsageQuery extends UsageScope {
  /** From 1. */
  readonly page: number
  readonly perPage: number
}

export interface UsageReport {
  /** Of all zones of the query. */
  readonly totals: UsageTotals
  /** The same by day. */
  readonly daily: readonly DayUsage[]
  /** Those of the page, by name. */
  readonly zones: readonly ZoneUsage[]
  /** Of all pages. */
  readonly zoneCount: number
}

/** What is stored is what was there at the end: of the day, or of the last day. */
export interface UsageTotals extends UsageCounts, Stored {
  /** What was stored at the end of each day, added up. */
  readonly storedByteDays: number
}

export interface DayUsage extends UsageCounts, Stored {
  readonly day: number
}

export interface ZoneUsage {
  readonly zone: string
  readonly totals: UsageTotals
  /** Every day of the period, oldest first. */
  readonly daily: readonly DayUsage[]
}

export function createUsageReports({ store }: { readonly store: UsageStore }): UsageReports {
  return {
    async report({ page, perPage, ...scope }) {
      const names = await store.zones(scope)
      const shown = names.slice((page - 1) * perPage, page * perPage)
      const zones = await zonesIn(store, scope, shown)
      const daily = everyDay(scope, await store.days(scope))
      return {
        totals: totalsOf(daily),
        daily,
        zones,
        zoneCount: names.length,
      }
    },
  }
}

/** A year of so many zones takes milliseconds; others have their turn before the next. */
const zonesPerTurn = 10

async function zonesIn(
  store: Pick<UsageStore, 'zoneDays'>,
  scope: UsageScope,
  names: readonly string[],
): Promise<readonly ZoneUsage[]> {
  const zones: ZoneUsage[] = []
  const turns = takeTurns(1)
  for (let start = 0; start < names.length; start += zonesPerTurn) {
    const some = names.slice(start, start + zonesPerTurn)
    const byZone = await store.zoneDays({ ...scope, zones: new Set(some) })
    await turns.after(1)
    for (const zone of some) {
      const daily = everyDay(scope, byZone.get(zone) ?? nothing)
      zones.push({ zone, totals: totalsOf(daily), daily })
    }
    await turns.after(1)
  }
  return zones
}

/** The first day that is told of: the current month and the twelve before it are. */
export function firstUsageDay(now: Date): number {
  return dayOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 12, 1)))
}

const nothing: UsageDays = { before: { storedBytes: 0, files: 0 }, days: [] }

const noCounts: UsageCounts = {
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
}

const countNames = Object.keys(noCounts) as readonly (keyof UsageCounts)[]

function everyDay(
  { fromDay, toDay }: UsageScope,
  { before, days }: UsageDays,
): readonly DayUsage[] {
  const known = new Map(days.map((each) => [each.day, each]))
  let { storedBytes, files } = before
  return Array.from({ length: toDay - fromDay + 1 }, (_, past) => {
    const day = fromDay + past
    const found = known.get(day)
    storedBytes += found?.storedBytes ?? 0
    files += found?.files ?? 0
    return { ...noCounts, ...found, day, storedBytes, files }
  })
}

function totalsOf(daily: readonly DayUsage[]): UsageTotals {
  const sums: Record<keyof UsageCounts, number> = { ...noCounts }
  let storedByteDays = 0
  for (const day of daily) {
    storedByteDays += day.storedBytes
    for (const name of countNames) sums[name] += day[name]
  }
  const { storedBytes, files } = daily.at(-1) ?? { storedBytes: 0, files: 0 }
  return { ...sums, storedBytes, files, storedByteDays }
}
