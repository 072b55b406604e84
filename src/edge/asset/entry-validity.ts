import { encodePath } from '../../domain/content/asset-path.ts'
import type { RuledUrl } from '../../domain/content/rules/books/ruled-url.ts'
import type { RuleBooks } from '../../domain/content/rules/books/rule-books.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import type { PreviewRecord } from '../../ports/records/preview.ts'
import { countersOf, everythingCounter } from '../purge/counter-names.ts'
import type { PurgeGenerations } from '../purge/purge-generations.ts'
import type { EdgeBlobs } from '../response/build-representation.ts'
import type { Entry } from './entry.ts'
import { extended } from '../response/representation.ts'
import type { LocatedAsset } from '../routing/location.ts'
import type { Route } from '../routing/decision.ts'
import type { Site } from '../routing/site.ts'

/** The part of the purge generations that a holder of entries needs. */
export type Purges = Pick<PurgeGenerations, 'newest' | 'stateOf'>

export interface ValidityOptions {
  readonly blobs: EdgeBlobs
  readonly manifest: Manifest
  readonly now: () => Date
  readonly siteOf: (hostname: string) => Site | undefined
  readonly bookOf: RuleBooks
  /** Purges make nothing fresher here, where nothing is ever stale; but what is purged is forgotten. */
  readonly purges: Purges | undefined
}

/**
 * Tells whether an entry is still what would be made now. Everything it was made from is compared by
 * identity, since none of it is ever changed in place: so no announcement can come too late.
 */
export function createEntryValidity(options: ValidityOptions): (entry: Entry) => boolean {
  const { purges, blobs } = options
  const isFoundStill = createFindingValidity(options)
  return (entry) =>
    isFoundStill(entry.route) &&
    hasItsBytes(entry, blobs) &&
    (purges === undefined || entry.generation === purges.newest || outlives(entry, purges))
}

/** What was found for a URL, and by what. */
export interface Finding extends Pick<Route, 'site' | 'book'> {
  readonly located: Pick<LocatedAsset, 'record' | 'shown' | 'zone' | 'preview'>
  readonly url: Pick<RuledUrl, 'hostname' | 'zone'>
}

/** Tells whether the same would be found now. */
export const createFindingValidity =
  ({ manifest, siteOf, bookOf, now }: Omit<ValidityOptions, 'blobs' | 'purges'>) =>
  ({ url, site, located, book }: Finding): boolean =>
    isAsItWas(located, { manifest, now }) &&
    // Whether the zone is as it was has been looked at.
    (url.zone === located.zone.name ? bookOf.isCurrent(book) : bookOf(url.zone) === book) &&
    (site.isFixed || siteOf(url.hostname)?.zone === site.zone)

type Showing = Pick<ValidityOptions, 'manifest' | 'now'>

const isAsItWas = (
  { record, shown, zone, preview }: Finding['located'],
  showing: Showing,
): boolean => {
  const { manifest } = showing
  return (
    manifest.asset(record.path) === shown &&
    manifest.zone(record.zone) === zone &&
    !manifest.isErased(record.sha256) &&
    (preview === undefined || isShown(preview, showing))
  )
}

/** It shows the same commit to the same people, and its time is not over. */
const isShown = (preview: PreviewRecord, { manifest, now }: Showing): boolean =>
  manifest.preview(preview.zone, preview.name) === preview && preview.expiresAt > now()

/** Bytes in memory are the entry's own; a file may have been forgotten. */
const hasItsBytes = ({ identity, route }: Entry, blobs: EdgeBlobs): boolean =>
  !identity.isFile || (blobs.touch?.(route.located.record.sha256) ?? true)

/** Whether the purges since it was made, hard or soft, all were for something else. */
function outlives(entry: Entry, purges: Purges): boolean {
  const isCurrent = purges.stateOf(entry.generation, countersOfEntry(entry)) === 'current'
  if (isCurrent) entry.generation = purges.newest
  return isCurrent
}

/** The purges that can mean an entry: by URL, by tag, by zone, and by the URL of its asset. */
const countersOfEntry = ({ route: { key, located }, identity: { headers } }: Entry) =>
  countersOfResponse(key, located.record, headers)

/** The same of an answer by its URL, what it is about and the tags among its fields. */
export function countersOfResponse(
  key: string,
  { path }: Pick<LocatedAsset['record'], 'path'>,
  headers: Headers,
): readonly string[] {
  const tags = `${headers.get('surrogate-key') ?? ''} path:${encodePath(path)}`
  return countersOf(key, extended(headers, { 'Surrogate-Key': tags })) ?? [everythingCounter]
}
