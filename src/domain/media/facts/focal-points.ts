import type { Manifest } from '../../../ports/records/manifest.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { PublicationStore } from '../../../ports/content/publication-store.ts'
import type { Point } from '../../../ports/media/renderer.ts'
import { type Actor, auditRecordOf } from '../../access/actor.ts'
import { orUnavailable } from '../../access/or-unavailable.ts'
import { requireUnsuspended } from '../../access/suspended-zones.ts'
import type { LocalFeed } from '../../feed.ts'
import { assetEventData } from '../../publishing/asset-event-data.ts'
import type { KnownMedia } from './known-media.ts'

/** Where the owner of an image says its subject is. */
export interface FocalPoints {
  /** `undefined` leaves it to what is found. Every edge hears of it, and what it has made is made anew. */
  set(asset: AssetRecord, point: Point | undefined, actor: Actor): Promise<void>
}

interface Dependencies {
  readonly media: Pick<KnownMedia, 'setFocalPoint'>
  readonly store: Pick<PublicationStore, 'publish'>
  readonly feed: Pick<LocalFeed, 'announce'>
  readonly published: Pick<Manifest, 'zone'>
  readonly now: () => Date
}

export const createFocalPoints = (dependencies: Dependencies): FocalPoints => ({
  async set(asset, point, actor) {
    const { media, store, feed, published, now } = dependencies
    requireUnsuspended([asset.zone], published)
    await media.setFocalPoint(asset, point)
    const at = now()
    const focalPoint = point ?? null
    const { zone, path } = asset
    const meta = { zone, focalPoint }
    const audit = auditRecordOf({ action: 'asset.focal-point', target: path, meta }, actor, at)
    const entry = {
      at,
      event: 'asset.updated' as const,
      zone,
      path,
      // No commit did it.
      commitId: undefined,
      data: { ...assetEventData(asset), focalPoint },
    }
    feed.announce(await orUnavailable(store.publish([{ audit: [audit], feed: [entry] }])))
  },
})
