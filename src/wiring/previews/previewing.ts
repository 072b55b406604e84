import type { Catalog } from '../../domain/catalog/catalog.ts'
import type { LocalFeed } from '../../domain/feed.ts'
import type { PreviewBook } from '../../domain/previews/preview-book.ts'
import { createPreviewBlobs } from '../../domain/previews/preview-blobs.ts'
import { createPreviewCatalogs } from '../../domain/previews/preview-catalogs.ts'
import { createPreviewHeads } from '../../domain/previews/preview-heads.ts'
import { createPreviewVerbs } from '../../domain/previews/preview-verbs.ts'
import { createPromotions } from '../../domain/previews/promotions.ts'
import { createPreviewedAssets } from '../../domain/previews/previewed/previewed-assets.ts'
import { createPreviews } from '../../domain/previews/previews.ts'
import type { Publisher } from '../../domain/publishing/publisher.ts'
import type { ShownZones, ZoneRoom } from '../../domain/publishing/room/zone-room.ts'
import { KeyedQueue } from '../../lib/async/keyed-queue.ts'
import type { Stores } from '../content/stores.ts'
import type { World } from '../world.ts'

/** Refuses changes that a zone does not let become live. */
export type RequireFit = NonNullable<Parameters<typeof createPromotions>[0]['requireFit']>

interface Opened {
  readonly stores: Stores
  readonly catalog: Catalog
  readonly publisher: Publisher
  readonly book: PreviewBook
  readonly feed: LocalFeed
  /** Of what is live. */
  readonly room: ZoneRoom
  readonly roomIn: (shown: ShownZones) => ZoneRoom
  readonly opening: AsyncDisposableStack
}

const settleEveryMs = 1_000

/** Previews, and what is done with them. */
export async function openPreviewing({ config, log, now }: World, opened: Opened) {
  const { stores, catalog, publisher, book, feed, room, roomIn, opening } = opened
  const { content, blobs, erased } = stores
  const { lines } = content
  const published = {
    zone: (name: string) => catalog.zone(name),
    zoneFiles: (name: string) => catalog.zoneFiles(name),
    zoneMarkers: (name: string) => catalog.zoneMarkers(name),
    isErased: (sha256: string) => erased.isErased(sha256),
  }
  const liveCommitId = () => publisher.commitId
  const turns = new KeyedQueue()
  const given = { book, content, lines, blobs, published, feed, turns, now, log }
  const catalogs = createPreviewCatalogs({ ...given, publishedCommitId: liveCommitId })
  const heads = createPreviewHeads({
    ...given,
    days: config.previewDays,
    onCommits: (key, commits) => catalogs.take(key, commits),
  })
  await heads.start()
  const settle = () =>
    void heads.settle().catch((error: unknown) => log.warn('previews are behind', { error }))
  const timer = setInterval(settle, settleEveryMs)
  opening.defer(() => clearInterval(timer))
  const previews = createPreviews({
    ...given,
    liveCommitId,
    maxPerZone: config.previewsPerZone,
    days: config.previewDays,
  })
  let moderate: RequireFit | undefined
  const requireFit: RequireFit = async (...asked) => await moderate?.(...asked)
  const promotions = createPromotions({ ...given, liveCommitId, previews, requireFit, room })
  return {
    previews,
    promotions,
    previewed: createPreviewedAssets({ previews, promotions }),
    /** Nobody has looked at images before this is called. */
    moderateWith(others: RequireFit): void {
      moderate = others
    },
    assetsOf: (...asked: Parameters<typeof catalogs.assets>) => catalogs.assets(...asked),
    blobs: createPreviewBlobs(given),
    verbsOf: createPreviewVerbs({ ...given, previews, catalogs, roomIn }),
  }
}
