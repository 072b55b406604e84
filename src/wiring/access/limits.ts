import type { Config } from '../../config/config.ts'
import { createEncodeQuota, type EncodeQuota } from '../../domain/access/quotas/encode-quota.ts'
import type { ZoneBounds } from '../../domain/access/quotas/zone-bounds.ts'
import { createQuota, type OnQuotaUse, type Quota } from '../../domain/access/quotas/quota.ts'
import {
  createMemoryRateWindows,
  createRateLimits,
  type RateLimit,
  type RateLimits,
} from '../../http/access/rate-limits.ts'
import { grantRateLimit } from '../../http/access/upload-grant.ts'
import type { Log } from '../../lib/log.ts'
import type { limitSettings } from '../../config/limit-settings.ts'
import type { QuotaStore } from '../../ports/access/quota-store.ts'
import type { BoundDelivery } from '../../ports/records/zone.ts'
import type { World } from '../world.ts'

type LimitConfig = Pick<Config, keyof typeof limitSettings>

/** Everything that runs out, and comes back with time. */
export interface Limits {
  readonly chats: Quota
  readonly purges: Quota
  readonly purgesOf: (zone: string) => Quota
  /** Host names that are added to a zone. */
  readonly domainsOf: (zone: string) => Quota
  readonly transforms: Quota
  readonly transformsOf: (zone: string) => Quota
  readonly encodes: EncodeQuota
  /** What zones may use in a month, besides; nothing where they are not bounded. */
  readonly monthly: MonthlyQuotas
  /** What each network has, counted in memory. */
  readonly rates: RateLimits
  /** How many variants edges elsewhere may lease under a name, all of them or a zone's. */
  readonly leases: { limitOf(name: string): number; readonly onUse: OnQuotaUse }
}

type Bounds = Pick<ZoneBounds, 'limitOf' | 'whenUsedUp'>

/** By zone. */
export interface MonthlyQuotas {
  readonly purges: (zone: string) => Quota
  readonly chats: (zone: string) => Quota
}

interface Parts {
  readonly quotas: QuotaStore
  readonly zoneCount: () => number
  /** Without any where they are kept elsewhere. */
  readonly bounds?: Bounds
  /** What is delivered of a zone that has used up what it may. */
  readonly deliveryOf?: (zone: string) => BoundDelivery | undefined
}

const unbounded: Bounds = {
  limitOf: () => undefined,
  whenUsedUp: () => 'degrade',
}

const transformName = 'transform'

export function createLimits(
  {
    config,
    log,
    now,
  }: Pick<World, 'now'> & { readonly config: LimitConfig; readonly log: Pick<Log, 'warn'> },
  { quotas: store, zoneCount, bounds = unbounded, deliveryOf = () => undefined }: Parts,
): Limits {
  const common = { store, now, onUse: warnAtFourFifths(log) }
  const beyond = (limit: number) => limit + Math.floor((limit * config.operatorReserve) / 100)
  const month = (name: string, limit: number) =>
    createQuota({ ...common, name, limit, operatorLimit: beyond(limit), window: 'month' })
  const day = (name: string, limit: number, operatorLimit: number) =>
    createQuota({ ...common, name, limit, operatorLimit, window: 'day' })
  const { purgesPerDay, purgesReserved, transformsPerMonth } = config
  const ofOneZone = () =>
    zoneCount() > 1
      ? Math.floor((transformsPerMonth * config.transformsZoneShare) / 100)
      : transformsPerMonth
  const newVariantsOf = (zone: string) =>
    Math.min(ofOneZone(), bounds.limitOf(zone, 'new-variants') ?? Infinity)
  const transforms = month(transformName, transformsPerMonth)
  const transformsOf = (zone: string) =>
    monthOfZone(common, `${transformName} ${zone}`, newVariantsOf(zone))
  const rates = createRateLimits({
    rows: rateLimitsOf(config),
    windows: createMemoryRateWindows(),
    now,
  })
  return {
    chats: month('chat', config.chatsPerMonth),
    purges: day('purge', Math.max(0, purgesPerDay - purgesReserved), purgesPerDay),
    purgesOf: (zone) => day(`purge ${zone}`, config.purgesPerZone, Number.MAX_SAFE_INTEGER),
    domainsOf: (zone) => day(`domain ${zone}`, config.domainsPerDay, Number.MAX_SAFE_INTEGER),
    transforms,
    transformsOf,
    monthly: monthlyOf(bounds, common),
    encodes: createEncodeQuota({
      all: transforms,
      ofZone: transformsOf,
      instead: insteadOf({ bounds, deliveryOf, now }),
      // What alone is more than all is still had once.
      chargeNetwork: (address, share) =>
        void rates.charge(transformName, address, Math.min(share, config.transformsPerMinute)),
    }),
    rates,
    leases: {
      limitOf: (name) =>
        name === transformName ? transformsPerMonth : newVariantsOf(zoneIn(name)),
      onUse: common.onUse,
    },
  }
}

type Common = Pick<Parameters<typeof createQuota>[0], 'store' | 'now' | 'onUse'>

/** Whoever has all zones is not held to it. */
const monthOfZone = (common: Common, name: string, limit: number): Quota =>
  createQuota({
    ...common,
    name,
    limit,
    operatorLimit: Number.MAX_SAFE_INTEGER,
    window: 'month',
  })

/** Of the name under which new variants of a zone are counted. */
const zoneIn = (name: string): string => name.slice(transformName.length + 1)

/** Where something else is delivered in the place of a new variant. */
const insteadOf = ({
  bounds,
  deliveryOf,
  now,
}: Required<Pick<Parts, 'bounds' | 'deliveryOf'>> & Pick<World, 'now'>) => ({
  isBounded: (zone: string) => deliveryOf(zone) !== undefined,
  limitOf: (zone: string) => degradingLimit(zone, bounds),
  now,
})

/** Beyond which the zone wants something else delivered. */
const degradingLimit = (zone: string, bounds: Bounds): number | undefined =>
  bounds.whenUsedUp(zone) === 'cut' ? undefined : bounds.limitOf(zone, 'new-variants')

/** Counted where nothing bounds it as well, so that it is known how much it was. */
function monthlyOf(bounds: Bounds, common: Common): MonthlyQuotas {
  const of = (name: 'purges' | 'chats') => (zone: string) =>
    monthOfZone(common, `${name} ${zone}`, bounds.limitOf(zone, name) ?? Number.MAX_SAFE_INTEGER)
  return { purges: of('purges'), chats: of('chats') }
}

/** A network has the calls of so many agents that use up their own. */
const tokensOfNetwork = 10

/** What the service limits in memory, node by node. */
const rateLimitsOf = (config: LimitConfig): readonly RateLimit[] => [
  { name: 'search', quota: config.searchesPerMinute, window: 60, per: 'client' },
  { name: 'passkeys', quota: config.passkeyCallsPerMinute, window: 60, per: 'client' },
  { name: 'health', quota: config.healthChecksPerMinute, window: 60, per: 'client' },
  { name: 'beacon', quota: config.beaconsPerMinute, window: 60, per: 'client' },
  { name: 'chat', quota: config.chatsPerMinute, window: 60, per: 'client' },
  { name: 'chat-day', quota: config.chatsPerDay, window: 86_400, per: 'client' },
  { name: grantRateLimit, quota: config.grantRequestsPerMinute, window: 60, per: 'client' },
  { name: transformName, quota: config.transformsPerMinute, window: 60, per: 'client' },
  { name: 'history', quota: config.historyPerMinute, window: 60, per: 'client' },
  {
    name: 'agents',
    quota: tokensOfNetwork * config.agentCallsPerMinute,
    window: 60,
    per: 'client',
  },
  { name: 'push', quota: config.pushesPerMinute, window: 60, per: 'client' },
  { name: 'push-kb', quota: 1000 * config.pushMbPerDay, window: 86_400, per: 'client' },
  { name: 'push-zone', quota: config.pushesPerZone, window: 60, per: 'zone' },
  { name: 'push-kb-zone', quota: 1000 * config.pushMbPerDay, window: 86_400, per: 'zone' },
]

/** The operator hears of it while there is time to do something. */
const warnAtFourFifths =
  (log: Pick<Log, 'warn'>): OnQuotaUse =>
  ({ name, used, amount, limit }) => {
    const threshold = Math.ceil(limit * 0.8)
    if (limit === 0 || used < threshold || used - amount >= threshold) return
    const [what, zone] = name.split(' ')
    log.warn('four fifths of a limit are used up', {
      what,
      ...(zone !== undefined && { zone }),
      used,
      limit,
    })
  }
