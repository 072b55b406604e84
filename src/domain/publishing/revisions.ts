import type { Publication, PublicationStore } from '../../ports/content/publication-store.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import type { BoundDelivery, ZoneRecord } from '../../ports/records/zone.ts'
import type { FeedEntry, NewFeedEntry } from '../../ports/records/feed.ts'
import { assetEventData } from './translation/asset-event-data.ts'
import { zoneEventData } from './translation/zone-event-data.ts'

/** Answers `undefined` where nothing is to change. */
export type Revision = (asset: AssetRecord) => AssetRecord | undefined

interface Dependencies {
  readonly store: Pick<PublicationStore, 'publish'>
  readonly catalog: {
    asset(path: string): AssetRecord | undefined
    zone(name: string): ZoneRecord | undefined
    apply(publications: readonly Publication[]): void
  }
  readonly now: () => Date
}

/** Publishes an asset whose file stays as it is. Answers what is to be announced. */
export const createRevisions =
  ({ store, catalog, now }: Dependencies) =>
  async (path: string, revise: Revision): Promise<readonly FeedEntry[]> => {
    const asset = catalog.asset(path)
    const revised = asset && revise(asset)
    if (revised === undefined) return []
    const publication = { assets: [revised], feed: [revisionEntry(revised, now())] }
    const entries = await store.publish([publication])
    catalog.apply([publication])
    return entries
  }

/** Publishes how much of a zone is delivered. Answers what is to be announced; nothing where it is so already. */
export const createDeliveryRevisions =
  ({ store, catalog, now }: Dependencies) =>
  async (name: string, delivery: BoundDelivery | undefined): Promise<readonly FeedEntry[]> => {
    const zone = catalog.zone(name)
    if (zone === undefined || zone.delivery === delivery) return []
    const { delivery: _former, ...rest } = zone
    const revised = { ...rest, ...(delivery !== undefined && { delivery }) }
    const entry = {
      at: now(),
      event: 'zone.updated' as const,
      zone: name,
      path: undefined,
      commitId: undefined,
      data: zoneEventData(revised),
    }
    const publication = { zones: [revised], feed: [entry] }
    const entries = await store.publish([publication])
    catalog.apply([publication])
    return entries
  }

/** No commit did it. */
const revisionEntry = (asset: AssetRecord, at: Date): NewFeedEntry => ({
  at,
  event: 'asset.updated',
  zone: asset.zone,
  path: asset.path,
  commitId: undefined,
  data: assetEventData(asset),
})
