import type {
  UsedUpMode,
  ZoneBounds as StoredBounds,
  ZoneQuotaStore,
} from '../../../ports/access/zone-quota-store.ts'
import { Mutex } from '../../../lib/async/mutex.ts'
import { type Actor, auditRecordOf, requireAllZones } from '../actor.ts'
import { orUnavailable } from '../or-unavailable.ts'
import { zoneNotFound } from '../../errors.ts'
import { type ZoneQuotaName, zoneQuotaNames } from '../../../lib/zone-quota-names.ts'

export type BoundsByName = Readonly<Partial<Record<ZoneQuotaName, number>>>

/** What is to be otherwise; what is left out stays. */
export interface BoundsChange {
  /** `null` is no bound, `'default'` what holds for every zone. */
  readonly limits?: Readonly<Partial<Record<ZoneQuotaName, number | null | 'default'>>>
  readonly whenUsedUp?: UsedUpMode
}

/** What each zone may have and use, from memory. */
export interface ZoneBounds {
  /** Whether anything may bound the zone at all. */
  isBounded(zone: string): boolean
  /** `undefined` where nothing bounds it. */
  limitOf(zone: string, name: ZoneQuotaName): number | undefined
  /** The same, where a setting of the service bounds what was not bounded otherwise. */
  limitOr(zone: string, name: ZoneQuotaName, standard: number): number
  /** Whether the operator said it of this zone alone. */
  isOwn(zone: string, name: ZoneQuotaName): boolean
  whenUsedUp(zone: string): UsedUpMode
  /**
   * Limits are for whoever has all zones to change; what is made of delivery beyond them is the zone's own
   * choice. Answers once it is durable, and holds from then on.
   */
  change(zone: string, change: BoundsChange, actor: Actor): Promise<void>
  /** Of a zone that is gone nothing is known any more. */
  forget(zone: string): void
}

interface Dependencies {
  readonly store: ZoneQuotaStore
  /** What holds for every zone. */
  readonly defaults: BoundsByName
  readonly now: () => Date
}

const nothingSaid = { limits: {}, whenUsedUp: 'degrade' } as const

/** Reads the table once; from then on every look-up is answered from memory. */
export async function openZoneBounds({ store, defaults, now }: Dependencies): Promise<ZoneBounds> {
  const known = new Map((await store.list()).map((bounds) => [bounds.zone, bounds]))
  const turns = new Mutex()
  const boundsOf = (zone: string): Omit<StoredBounds, 'zone'> => known.get(zone) ?? nothingSaid

  const isEveryBounded = Object.keys(defaults).length > 0

  return {
    isBounded: (zone) => isEveryBounded || known.has(zone),
    limitOf(zone, name) {
      const own = boundsOf(zone).limits[name]
      return own === undefined ? defaults[name] : (own ?? undefined)
    },
    limitOr(zone, name, standard) {
      const own = boundsOf(zone).limits[name]
      return own === null ? Infinity : (own ?? defaults[name] ?? standard)
    },
    isOwn: (zone, name) => boundsOf(zone).limits[name] !== undefined,
    whenUsedUp: (zone) => boundsOf(zone).whenUsedUp,
    async change(zone, change, actor) {
      if (change.limits !== undefined) requireAllZones(actor)
      using _turn = await turns.acquire()
      const bounds = { zone, ...changed(boundsOf(zone), change) }
      const meta = { limits: bounds.limits, whenUsedUp: bounds.whenUsedUp }
      const audit = auditRecordOf({ action: 'zone.quotas', target: zone, meta }, actor, now())
      if (!(await orUnavailable(store.save(bounds, audit)))) throw zoneNotFound(zone)
      known.set(zone, bounds)
    },
    forget: (zone) => void known.delete(zone),
  }
}

function changed(
  before: Omit<StoredBounds, 'zone'>,
  { limits = {}, whenUsedUp = before.whenUsedUp }: BoundsChange,
): Omit<StoredBounds, 'zone'> {
  const next = new Map(Object.entries(before.limits))
  for (const name of zoneQuotaNames) {
    const limit = limits[name]
    if (limit === 'default') next.delete(name)
    else if (limit !== undefined) next.set(name, limit)
  }
  return { limits: Object.fromEntries(next), whenUsedUp }
}
