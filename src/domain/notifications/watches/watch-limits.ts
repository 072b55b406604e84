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
  const { name, zone, limit, used, warnShare = usualShare } = given
  if (limit <= 0 || used < limit * warnShare) return undefined
  return conditionOf({
    kind: 'quota',
    about: aboutOf(given),
    name: zone === undefined ? name : `${name}, ${zone}`,
    zone,
    severity: used >= limit ? 'critical' : 'warning',
    detail: detailOf(given, warnShare),
  })
}

/** One setting may be for several quotas of a zone: those have a share of their own. */
const aboutOf = ({ name, setting, zone, warnShare }: UsedLimit): string =>
  [setting, zone, warnShare === undefined ? undefined : name]
    .filter((each) => each !== undefined)
    .join(' ')

function detailOf(
  { name, setting, zone, window, limit, used }: UsedLimit,
  warnShare: number,
): string {
  const place = zone === undefined ? '' : ` of zone ${zone}`
  const time = window === undefined ? '' : ` of this ${window}`
  return used >= limit
    ? `All ${limit} ${name}${place}${time} are used; more are refused. ${setting} changes that.`
    : `More than ${warnShare * 100} % of the ${limit} ${name}${place}${time} are used. ${setting} changes that.`
}
