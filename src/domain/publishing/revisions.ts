import type { Publication, PublicationStore } from '../../ports/content/publication-store.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import type { FeedEntry, NewFeedEntry } from '../../ports/records/feed.ts'
import { assetEventData } from './translation/asset-event-data.ts'

/** Answers `undefined` where nothing is to change. */
export type Revision = (asset: AssetRecord) => AssetRecord | undefined

interface Dependencies {
  readonly store: Pick<PublicationStore, 'publish'>
  readonly catalog: {
    asset(path: string): AssetRecord | undefined
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

/** No commit did it. */
const revisionEntry = (asset: AssetRecord, at: Date): NewFeedEntry => ({
  at,
  event: 'asset.updated',
  zone: asset.zone,
  path: asset.path,
  commitId: undefined,
  data: assetEventData(asset),
})
