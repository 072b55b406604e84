import { invalid } from '../errors.ts'

/** A name that has passed {@link parseZoneName}, and so is safe as one path segment. */
export type ZoneName = string & { readonly __brand: 'ZoneName' }

const zoneNamePattern = /^[a-z0-9-]{2,64}$/

/**
 * The interface specification's list, which would shadow the service's own paths, and what reports call
 * all zones together. One that has such a name already keeps it.
 */
const reservedZoneNames: ReadonlySet<string> = new Set([
  'stocks',
  'shared',
  'website',
  'functions',
  'api',
  'dashboard',
  'dist',
  'content',
  'global',
  'clients',
  'all',
])

export const isZoneName = (text: string): text is ZoneName => zoneNamePattern.test(text)

/** The name of a zone that is to be made: never repaired, refused with `target` where it will not do. */
export function parseZoneName(text: string, target = 'Name'): ZoneName {
  if (!isZoneName(text)) throw invalid(target, `must match ${zoneNamePattern.source}`)
  if (reservedZoneNames.has(text)) throw invalid(target, `must not be the reserved name "${text}"`)
  return text
}
