import type { Manifest } from '../../ports/records/manifest.ts'
import { zoneSuspended } from '../errors.ts'
import type { Actor } from './actor.ts'

/** Refuses a change of zones that are suspended by what is published, for what is no commit. Zones that do not exist are somebody else's to refuse. */
export function requireUnsuspended(
  zones: Iterable<string>,
  published: Pick<Manifest, 'zone'>,
): void {
  for (const zone of zones) if (published.zone(zone)?.suspended === true) throw zoneSuspended(zone)
}

/** A tenant changes nothing of a zone that is suspended; the operator may. */
export function requireUnsuspendedFor(
  { zones }: Pick<Actor, 'zones'>,
  touched: Iterable<string>,
  published: Pick<Manifest, 'zone'>,
): void {
  if (zones !== undefined) requireUnsuspended(touched, published)
}
