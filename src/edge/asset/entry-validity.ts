import { encodePath } from '../../domain/content/asset-path.ts'
import type { RuleBooks } from '../../domain/content/rules/books/rule-books.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import type { PreviewRecord } from '../../ports/records/preview.ts'
import { countersOf, everythingCounter } from '../purge/counter-names.ts'
import type { PurgeGenerations } from '../purge/purge-generations.ts'
import type { EdgeBlobs } from '../response/build-representation.ts'
import type { Entry } from './entry.ts'
import { extended } from '../response/representation.ts'
import type { LocatedAsset } from '../routing/location.ts'
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
  const { manifest, siteOf, bookOf, purges, blobs, now } = options
  return (entry) => {
    const { url, site, located, book } = entry.route
    return (
      isAsItWas(located, { manifest, now }) &&
      hasItsBytes(entry, blobs) &&
      // Whether the zone is as it was has been looked at.
      (url.zone === located.zone.name ? bookOf.isCurrent(book) : bookOf(url.zone) === book) &&
      (site.isFixed || siteOf(url.hostname)?.zone === site.zone) &&
      (purges === undefined || entry.generation === purges.newest || outlives(entry, purges))
    )
  }
}

type Showing = Pick<ValidityOptions, 'manifest' | 'now'>

const isAsItWas = ({ record, shown, zone, preview }: LocatedAsset, showing: Showing): boolean => {
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
function countersOfEntry({ route, identity }: Entry): readonly string[] {
  const { key, located } = route
  const tags = `${identity.headers.get('surrogate-key') ?? ''} path:${encodePath(located.record.path)}`
  return (
    countersOf(key, extended(identity.headers, { 'Surrogate-Key': tags })) ?? [everythingCounter]
  )
}
