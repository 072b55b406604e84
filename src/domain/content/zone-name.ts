import { invalid } from '../errors.ts'

/** A name that has passed {@link parseZoneName}, and so is safe as one path segment. */
export type ZoneName = string & { readonly __brand: 'ZoneName' }

const zoneNamePattern = /^[a-z0-9-]{2,64}$/

/**
 * The interface specification's list and what other protocols have their paths below, which would shadow
 * the service's own paths, and what reports call all zones together. One that has such a name already
 * keeps it.
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
  's3',
  'dav',
  'iiif',
  'mcp',
  'git',
])

export const isZoneName = (text: string): text is ZoneName => zoneNamePattern.test(text)

/** Whether no zone can be made of that name any more. */
export const isReservedZoneName = (name: string): boolean => reservedZoneNames.has(name)

/** The name of a zone that is to be made: never repaired, refused with `target` where it will not do. */
export function parseZoneName(text: string, target = 'Name'): ZoneName {
  if (!isZoneName(text)) throw invalid(target, `must match ${zoneNamePattern.source}`)
  if (isReservedZoneName(text)) throw invalid(target, `must not be the reserved name "${text}"`)
  return text
}
