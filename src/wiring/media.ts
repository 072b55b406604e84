import { join } from 'node:path'

import { openBlobSourceFiles } from '../adapters/disk/blob-source-files.ts'
import { placeOf } from '../adapters/disk/blob-layout.ts'
import { DiskStreamIndexStore } from '../adapters/disk/disk-stream-index-store.ts'
import { openDiskVariantStore } from '../adapters/disk/disk-variant-store.ts'
import { openSharpRenderer } from '../adapters/sharp/sharp-renderer.ts'
import { SqlMediaFactsStore } from '../adapters/sql/sql-media-facts-store.ts'
import { createQuota } from '../domain/access/quota.ts'
import { isPrivate } from '../domain/content/delivered-assets.ts'
import { createCostModel } from '../domain/media/cost-model.ts'
import { createDenserVariants } from '../domain/media/denser-variants.ts'
import { createImages } from '../domain/media/images.ts'
import { createKnownMedia } from '../domain/media/known-media.ts'
import { createRenderQueue } from '../domain/media/render-queue.ts'
import { createSmallerCopies } from '../domain/media/smaller-copies.ts'
import { createVariants } from '../domain/media/variants.ts'
import { createSanitisedDrawings } from '../domain/media/sanitised-drawings.ts'
import { followPublished } from '../domain/media/follow-published.ts'
import { plainText, sign } from '../domain/access/signed-url.ts'
import { createStreams } from '../domain/streaming/streams.ts'
import type { Publishing } from './publishing.ts'
import type { Stores } from './stores.ts'
import type { World } from './world.ts'

export type Media = Awaited<ReturnType<typeof openMedia>>

const gib = 2 ** 30
const mib = 2 ** 20
/** New variants a month. */
const monthlyEncodes = 50_000

interface Opened {
  readonly stores: Stores
  readonly publishing: Publishing
  readonly opening: AsyncDisposableStack
}

/** Pictures and films: what is known of them, and what is made of them. */
export async function openMedia(world: World, opened: Opened) {
  const { stores, publishing, opening } = opened
  const { catalog, feed } = publishing
  const facts = new SqlMediaFactsStore(stores.database)
  const pictures = await openPictures(world, { ...opened, facts })
  const streams = openStreams(world, opened)
  const { media } = pictures
  opening.use(followPublished({ feed, published: catalog, media, streams, log: world.log }))
  /** Forgets what was found out about bytes that are gone. */
  async function forget(sha256: string): Promise<void> {
    await facts.remove(sha256)
    await streams.forget(sha256)
  }
  return { ...pictures, streams, forget }
}

async function openPictures(
  world: World,
  { stores, publishing, opening, facts }: Opened & { readonly facts: SqlMediaFactsStore },
) {
  const { log, now: at, monotonicMs: now } = world
  const { catalog } = publishing
  const { blobs, quotas } = stores
  const renderer = opening.use(await openSharpRenderer())
  const renderQueue = createRenderQueue({ renderer, costs: createCostModel(), now })
  const queue = renderQueue
  const files = await openSourceFiles(world, stores)
  const store = await openVariantStore(world, variantRoom)
  const copies = createSmallerCopies(await openVariantStore(world, copyRoom))
  const media = createKnownMedia({ store: facts, queue, blobs, files, copies, now })
  const limits = { name: 'transform', limit: monthlyEncodes, window: 'month' } as const
  const quota = createQuota({ store: quotas, ...limits, now: at })
  const variants = createVariants({ store, queue, quota, log, now, memoryBytes: 128 * mib })
  const denser = createDenserVariants({ variants, queue, log })
  opening.defer(() => denser.idle())
  const manifest = {
    asset: (path: string) => {
      const asset = catalog.asset(path)
      return asset && !isPrivate(asset) ? asset : undefined
    },
  }
  const images = createImages({ manifest, blobs, files, media, copies, variants, denser })
  const drawings = createSanitisedDrawings({ queue, files, store, now })
  return { images, media, drawings, renderQueue }
}

const openStreams = ({ config }: World, { stores, publishing }: Opened) =>
  createStreams({
    assets: publishing.catalog,
    blobs: stores.blobs,
    indexes: new DiskStreamIndexStore({
      directory: join(config.dataDirectory, 'cache', 'stream-indexes'),
    }),
    sign: (path, expires) => sign(plainText(path, expires), config.keys.signedUrlSecret.reveal()),
  })

const openSourceFiles = ({ config, monotonicMs }: World, { blobs }: Stores) =>
  openBlobSourceFiles({
    blobs,
    directory: join(config.dataDirectory, 'cache', 'sources'),
    maxBytes: gib,
    ownPath: (sha256) => placeOf(join(config.dataDirectory, 'blobs'), sha256)?.path,
    now: monotonicMs,
  })

interface VariantRoom {
  readonly name: string
  readonly maxBytes: number
  readonly maxPerSource: number
}

const variantRoom: VariantRoom = { name: 'variants', maxBytes: 4 * gib, maxPerSource: 500 }
const copyRoom: VariantRoom = { name: 'mips', maxBytes: 2 * gib, maxPerSource: 4 }

const openVariantStore = ({ config }: World, { name, ...bounds }: VariantRoom) =>
  openDiskVariantStore({ directory: join(config.dataDirectory, 'cache', name), ...bounds })
