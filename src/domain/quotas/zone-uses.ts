import type { QuotaStore } from '../../ports/access/quota-store.ts'
import type { UsageSums } from '../../ports/traffic/usage-store.ts'
import { type ZoneQuotaName, zoneQuotaNames } from '../../lib/zone-quota-names.ts'

export type UsesByName = Readonly<Record<ZoneQuotaName, number>>

/** How much zones use of what they may have. */
export interface ZoneUses {
  /** Of each quota that is wanted; without saying, of all. */
  of(zone: string, sums: UsageSums | undefined): Promise<UsesByName>
  of(
    zone: string,
    sums: UsageSums | undefined,
    isWanted: (name: ZoneQuotaName) => boolean,
  ): Promise<Partial<UsesByName>>
  /** What is added up by the month, of these zones. */
  sums(zones: ReadonlySet<string>): Promise<ReadonlyMap<string, UsageSums>>
}

/** How much there is of what does not come back with time. */
export interface StandingCounts {
  readonly webhooks: (zone: string) => number | Promise<number>
  readonly domains: (zone: string) => number
  readonly tokens: (zone: string) => number
}

interface Dependencies {
  readonly shown: {
    zoneSummary(zone: string): { readonly fileCount: number; readonly storageBytes: number }
  }
  readonly quotas: Pick<QuotaStore, 'used'>
  readonly sumsOf: (zones: ReadonlySet<string>, at: Date) => Promise<ReadonlyMap<string, UsageSums>>
  readonly counts: StandingCounts
  readonly now: () => Date
}

const nothing: UsageSums = { requests: 0, bytes: 0, uploads: 0, visionCalls: 0 }

export function createZoneUses({ shown, quotas, sumsOf, counts, now }: Dependencies): ZoneUses {
  const counted = async (name: string, zone: string): Promise<number> =>
    await quotas.used(`${name} ${zone}`, now().toISOString().slice(0, 7))

  const readings: Readonly<
    Record<ZoneQuotaName, (zone: string, sums: UsageSums) => number | Promise<number>>
  > = {
    bytes: (zone) => shown.zoneSummary(zone).storageBytes,
    files: (zone) => shown.zoneSummary(zone).fileCount,
    uploads: (_, { uploads }) => uploads,
    traffic: (_, { bytes }) => bytes,
    requests: (_, { requests }) => requests,
    'new-variants': (zone) => counted('transform', zone),
    purges: (zone) => counted('purges', zone),
    chats: (zone) => counted('chats', zone),
    'ai-calls': (_, { visionCalls }) => visionCalls,
    ...counts,
  }

  async function of(
    zone: string,
    sums = nothing,
    isWanted: (name: ZoneQuotaName) => boolean = () => true,
  ): Promise<UsesByName> {
    const uses: Partial<Record<ZoneQuotaName, number>> = {}
    for (const name of zoneQuotaNames)
      if (isWanted(name)) uses[name] = await readings[name](zone, sums)
    return uses as UsesByName
  }

  return { of, sums: async (zones) => await sumsOf(zones, now()) }
}
