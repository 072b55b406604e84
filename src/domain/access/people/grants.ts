import type { RoleGrant } from '../../../ports/access/people-store.ts'
import type { Actor, Reach } from '../actor.ts'
import { roles, scopesOfRole } from './roles.ts'

/** Where the grants open the scope. */
export function reachOfGrants(grants: readonly RoleGrant[], scope: string): Reach {
  const zones = new Set<string>()
  for (const grant of grants) {
    if (!scopesOfRole(grant.role).some((each) => each === scope)) continue
    if (grant.zones === undefined) return 'everywhere'
    for (const zone of grant.zones) zones.add(zone)
  }
  return zones
}

/** The part of the grants that is about zones of the actor alone. */
export const grantsWithin = (
  grants: readonly RoleGrant[],
  { zones: reached }: Pick<Actor, 'zones'>,
): readonly RoleGrant[] =>
  reached === undefined
    ? grants
    : grants.flatMap((grant) => {
        const zones = grant.zones?.filter((zone) => reached.has(zone)) ?? []
        return zones.length === 0 ? [] : [{ ...grant, zones }]
      })

/** The rest. */
export const grantsBeyond = (
  grants: readonly RoleGrant[],
  { zones: reached }: Pick<Actor, 'zones'>,
): readonly RoleGrant[] =>
  reached === undefined
    ? []
    : grants.flatMap((grant) => {
        if (grant.zones === undefined) return [grant]
        const zones = grant.zones.filter((zone) => !reached.has(zone))
        return zones.length === 0 ? [] : [{ ...grant, zones }]
      })

/** One for each role and source, by source and then from the least role to the most. */
export function mergedGrants(grants: readonly RoleGrant[]): readonly RoleGrant[] {
  return [...Map.groupBy(grants, ({ role, source }) => `${source} ${role}`).values()]
    .flatMap((group) => {
      const [first] = group
      if (first === undefined) return []
      const isEverywhere = group.some(({ zones }) => zones === undefined)
      const zones = [...new Set(group.flatMap((grant) => grant.zones ?? []))].toSorted()
      return [{ ...first, zones: isEverywhere ? undefined : zones }]
    })
    .toSorted(
      (a, b) =>
        Number(a.source === 'provider') - Number(b.source === 'provider') || rankOf(a) - rankOf(b),
    )
}

const rankOf = ({ role }: RoleGrant): number => roles.findIndex((each) => each === role)
