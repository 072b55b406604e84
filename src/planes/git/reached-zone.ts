import { type Actor, requireZone } from '../../domain/access/actor.ts'
import { zoneNotFound } from '../../domain/errors.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import type { ZoneRecord } from '../../ports/records/zone.ts'

/** The zone, where it is there and the caller may know of it; for whoever may not it is not there. */
export function requireReachedZone(
  name: string,
  caller: Pick<Actor, 'zones'>,
  manifest: Pick<Manifest, 'zone'>,
): ZoneRecord {
  requireZone(caller, name)
  const zone = manifest.zone(name)
  if (zone === undefined) throw zoneNotFound(name)
  return zone
}
