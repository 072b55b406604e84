import { setImmediate } from 'node:timers/promises'

import { Mutex } from '../../lib/async/mutex.ts'
import type { Log } from '../../lib/log.ts'
import type { NewFeedEntry } from '../../ports/records/feed.ts'
import type { BoundDelivery } from '../../ports/records/zone.ts'
import type { ZoneBounds } from '../access/quotas/zone-bounds.ts'
import { type ZoneQuotaName, zoneQuotaNames } from '../../lib/zone-quota-names.ts'
import { softPercent, zoneQuotas } from '../access/quotas/zone-quotas.ts'
import { monthEnd } from '../access/quotas/used-up.ts'
import type { UsesByName, ZoneUses } from './zone-uses.ts'

/** Looks at what bounded zones use: says so in time, and has less delivered of those that use too much. */
export interface QuotaWatch {
  /** Looks at every zone. Never rejects; who asks meanwhile waits for another look, since the first may have passed. */
  look(): Promise<void>
  /** Whether the models of the operator are not to be asked about the zone, as of the last look. */
  isUsedUp(zone: string, name: ZoneQuotaName): boolean
}

interface Dependencies {
  readonly bounds: Pick<ZoneBounds, 'isBounded' | 'limitOf' | 'whenUsedUp'>
  readonly uses: ZoneUses
  readonly zones: () => readonly { readonly name: string; readonly delivery?: BoundDelivery }[]
  readonly setDelivery: (zone: string, delivery: BoundDelivery | undefined) => Promise<void>
  /** Whether something is to be told: `true` once in a month for each name, whoever asks. */
  readonly claim: (name: string, month: string) => Promise<boolean>
  readonly announce: (entries: readonly NewFeedEntry[]) => Promise<void>
  readonly now: () => Date
  readonly log: Pick<Log, 'warn'>
}

type Limits = ReadonlyMap<ZoneQuotaName, number>

export function createQuotaWatch(dependencies: Dependencies): QuotaWatch {
  const { bounds, uses, zones, setDelivery, log } = dependencies
  let usedUp = new Map<string, ReadonlySet<ZoneQuotaName>>()
  const turns = new Mutex()
  const limitsOf = (zone: string): Limits =>
    new Map(
      zoneQuotaNames.flatMap((name) => {
        const limit = bounds.limitOf(zone, name)
        return limit === undefined ? [] : [[name, limit] as const]
      }),
    )

  async function lookAtAll(): Promise<void> {
    const bounded = zones()
      .filter(({ name }) => bounds.isBounded(name))
      .map((zone) => ({ zone, limits: limitsOf(zone.name) }))
    const summed = bounded.filter(({ limits }) => isSummed(limits)).map(({ zone }) => zone.name)
    const sums = await uses.sums(new Set(summed))
    const found = new Map<string, ReadonlySet<ZoneQuotaName>>()
    for (const { zone, limits } of bounded) {
      const use = await uses.of(zone.name, sums.get(zone.name), (name) => limits.has(name))
      const over = reached(limits, use, 100)
      if (over.length > 0) found.set(zone.name, new Set(over))
      await tell(zone.name, { limits, use }, dependencies)
      await setImmediate()
    }
    usedUp = found
    for (const { name, delivery } of zones()) {
      const wanted = deliveryFor(found.get(name), bounds.whenUsedUp(name))
      if (delivery !== wanted) await setDelivery(name, wanted)
    }
  }

  return {
    async look() {
      using _turn = await turns.acquire()
      await lookAtAll().catch((error: unknown) =>
        log.warn('quotas could not be looked at', { error }),
      )
    },
    isUsedUp: (zone, name) => usedUp.get(zone)?.has(name) === true,
  }
}

const summedNames = ['uploads', 'traffic', 'requests', 'ai-calls'] as const

const isSummed = (limits: Limits): boolean => summedNames.some((name) => limits.has(name))

/** New variants alone are refused where the zone wants no other in their place. */
function deliveryFor(
  over: ReadonlySet<ZoneQuotaName> | undefined,
  mode: 'degrade' | 'cut',
): BoundDelivery | undefined {
  if (over === undefined) return undefined
  const isDelivered = over.has('traffic') || over.has('requests')
  if (mode === 'cut') return isDelivered ? 'cut' : undefined
  return isDelivered || over.has('new-variants') ? 'degraded' : undefined
}

const reached = (
  limits: Limits,
  use: Partial<UsesByName>,
  percent: number,
): readonly ZoneQuotaName[] =>
  [...limits].flatMap(([name, limit]) => ((use[name] ?? 0) * 100 >= limit * percent ? [name] : []))

interface Found {
  readonly limits: Limits
  readonly use: Partial<UsesByName>
}

const levels = [
  { percent: 100, event: 'quota.reached' },
  { percent: softPercent, event: 'quota.warning' },
] as const

/** Each once in a month; another limit is another matter. */
async function tell(
  zone: string,
  { limits, use }: Found,
  { claim, announce, now }: Dependencies,
): Promise<void> {
  const at = now()
  const month = at.toISOString().slice(0, 7)
  const entries: NewFeedEntry[] = []
  for (const { percent, event } of levels)
    for (const quota of reached(limits, use, percent)) {
      const limit = limits.get(quota) ?? 0
      if (!(await claim(`${event} ${zone} ${quota} ${limit}`, month))) continue
      const resets = zoneQuotas[quota].window === 'month' ? monthEnd(at).toISOString() : null
      const data = { zone, quota, limit, used: use[quota] ?? 0, resets }
      entries.push({ at, event, zone, path: undefined, commitId: undefined, data })
    }
  if (entries.length > 0) await announce(entries)
}
