import type { Condition } from '../../../ports/records/notification.ts'
import { conditionOf, type Watch } from '../watch.ts'

/** How much of something bounded is used. */
export interface UsedLimit {
  readonly name: string
  readonly setting: string
  readonly zone: string | undefined
  readonly window: 'day' | 'month' | undefined
  readonly limit: number
  readonly used: number
  /** From this share on it is told of; the usual where it is left out. */
  readonly warnShare?: number
}

const usualShare = 0.9

/** Limits that are nearly or wholly used up. `read` rejecting means that nothing is known. */
export function watchLimits(read: () => Promise<readonly UsedLimit[]>): Watch {
  return {
    kinds: ['quota'],
    look: async () => (await read()).flatMap((limit) => conditionOfLimit(limit) ?? []),
  }
}

function conditionOfLimit(given: UsedLimit): Condition | undefined {
  const { name, setting, zone, window, limit, used, warnShare = usualShare } = given
  if (limit <= 0 || used < limit * warnShare) return undefined
  const isFull = used >= limit
  const place = zone === undefined ? '' : ` of zone ${zone}`
  const time = window === undefined ? '' : ` of this ${window}`
  return conditionOf({
    kind: 'quota',
    // One setting is for several quotas of a zone.
    about: `${setting} ${zone ?? ''}${given.warnShare === undefined ? '' : ` ${name}`}`.trimEnd(),
    name: zone === undefined ? name : `${name}, ${zone}`,
    zone,
    severity: isFull ? 'critical' : 'warning',
    detail: isFull
      ? `All ${limit} ${name}${place}${time} are used; more are refused. ${setting} changes that.`
      : `More than ${warnShare * 100} % of the ${limit} ${name}${place}${time} are used. ${setting} changes that.`,
  })
}
