import { join } from 'node:path'

import { DiskStreamIndexStore } from '../adapters/disk/disk-stream-index-store.ts'
import { openDiskVariantStore } from '../adapters/disk/disk-variant-store.ts'
import { SqlEmbeddedMetadataStore } from '../adapters/sql/media/sql-embedded-metadata-store.ts'
import { SqlFormerFocalPoints } from '../adapters/sql/media/sql-former-focal-points.ts'
import { SqlMediaFactsStore } from '../adapters/sql/media/sql-media-facts-store.ts'
import { TesseractReader } from '../adapters/tesseract/tesseract-reader.ts'
import type { Config } from '../config/config.ts'
import type { Catalog } from '../domain/catalog/catalog.ts'
import type { PublishedBytes } from '../domain/content/delivered/published-bytes.ts'
import type { Calm } from '../lib/async/calm.ts'
import type { ChildBox } from '../lib/box/child-box.ts'
import type { StreamIndexStore } from '../ports/media/stream-index-store.ts'
import type { MediaFactsStore } from '../ports/media/media-facts-store.ts'
import type { EncodeQuota } from '../domain/access/quotas/encode-quota.ts'
import { deliverableAt, hasExpired } from '../domain/content/delivered/expiry.ts'
import { isPrivate } from '../domain/content/delivered/delivered-assets.ts'
import { createCostModel } from '../domain/media/render/costs/cost-model.ts'
import { createReEncodedVariants } from '../domain/media/render/re-encoded-variants.ts'
import { createImageService } from '../domain/media/image-service.ts'
import { strictest } from '../domain/media/named/transform-modes.ts'
import { createKnownMedia } from '../domain/media/facts/known-media.ts'
import { createRenderQueue, type RenderQueue } from '../domain/media/render/render-queue.ts'
import { createPreRenderedVariants } from '../domain/media/render/pre-rendered-variants.ts'
import { createSmallerCopies, type FetchCopy } from '../domain/media/render/smaller-copies.ts'
import { createVariants, type Variants } from '../domain/media/render/variants.ts'
import { createDrawnCards } from '../domain/media/stills/drawn-cards.ts'
import { createSanitisedSvgs } from '../domain/media/svg/sanitised-svgs.ts'
import { createColourIndex } from '../domain/media/facts/colour-index.ts'
import { createDetailedImages } from '../domain/media/facts/image-details.ts'
import { createEmbeddedValues } from '../domain/media/facts/embedded-values.ts'
import { carryFocalPoints } from '../domain/media/facts/carry-focal-points.ts'
import { followFiles } from '../domain/media/facts/follow-files.ts'
import { followPublished } from '../domain/media/facts/follow-published.ts'
import { createDuplicatesReport } from '../domain/media/likeness/duplicates.ts'
import { createKnownLikenesses } from '../domain/media/likeness/known-likenesses.ts'
import { createSimilarAssets } from '../domain/media/likeness/similar-assets.ts'
import { createImageTexts } from '../domain/media/facts/image-texts.ts'
import { plainText, sign } from '../domain/access/signed-url.ts'
import { createStills } from '../domain/media/stills/stills.ts'
import { createVideoThumbnails } from '../domain/media/stills/video-thumbnails.ts'
import { createStreams } from '../domain/streaming/streams.ts'
import { type Rendering, type RenderingWorld, startRendering } from './rendering.ts'
import { openStillMakers } from './still-makers.ts'
import type { Limits } from './access/limits.ts'
import type { Manifest } from '../ports/records/manifest.ts'
import type { Publishing } from './content/publishing.ts'
import type { Stores } from './content/stores.ts'
import type { World } from './world.ts'

export type Media = Awaited<ReturnType<typeof openMedia>>

const gib = 2 ** 30
const mib = 2 ** 20
/** After a start there is more urgent work. */
const catchUpAfterMs = 30_000

/** What images and videos need of the world. */
export interface MediaWorld extends Pick<World, 'log' | 'now' | 'monotonicMs'> {
  readonly config: RenderingWorld['config'] &
    Pick<Config, 'idleWork' | 'transformMode' | 'transformMaxMs'> & {
      readonly keys: Pick<Config['keys'], 'signedUrlSecret'>
    }
}

export interface MediaParts {
  readonly stores: Pick<Stores, 'database'> & {
    readonly blobs: Pick<PublishedBytes, 'open' | 'read' | 'path'> &
      Partial<Pick<PublishedBytes, 'mend'>>
  }
  readonly encodes: EncodeQuota
  readonly catalog: Catalog
  readonly erased: Pick<Manifest, 'isErased'>
  readonly opening: AsyncDisposableStack
  /** Waited for before anything is made ahead. */
  readonly calm?: Calm
  /** Started here where it is left out. */
  readonly rendering?: Rendering
  /** Where what is not known here comes from; by default all is found here. */
  readonly elsewhere?: MediaElsewhere
  /** The usual where it is left out. */
  readonly room?: MediaRoom
}

export interface MediaElsewhere {
  readonly facts: MediaFactsStore
  /** With those that are here. */
  readonly indexes: (kept: StreamIndexStore) => StreamIndexStore
  readonly fetchCopy: FetchCopy
}

export interface MediaRoom {
  readonly variantBytes: number
  readonly copyBytes: number
  /** For variants that are asked for past the HTTP cache (decisions/031). */
  readonly memoryBytes: number
}

const usualRoom: MediaRoom = {
  variantBytes: 4 * gib,
  copyBytes: 2 * gib,
  memoryBytes: 128 * mib,
}

interface Opened {
  readonly rendering: Rendering
  readonly stores: Stores
  readonly publishing: Publishing
  readonly limits: Pick<Limits, 'encodes'>
  readonly opening: AsyncDisposableStack
}

/** Pictures and films: what is known of them, and what is made of them. */
export async function openMedia(world: World, opened: Opened) {
  const { stores, publishing, limits, opening, rendering } = opened
  const { catalog, feed, calm } = publishing
  const { facts, files, mend, ...parts } = await openMediaParts(world, {
    stores: { ...stores, blobs: publishing.bytes },
    encodes: limits.encodes,
    catalog,
    erased: publishing.manifest,
    opening,
    calm,
    rendering,
  })
  const { media, streams, renderQueue: queue } = parts
  const { config, log } = world
  const former = new SqlFormerFocalPoints(stores.database)
  await carryFocalPoints({ former, ...given(stores, publishing), log })
  const reader = config.idleWork.includes('reading') ? openReader(log, parts.box) : undefined
  const embedded = new SqlEmbeddedMetadataStore(stores.database)
  const { publisher, bytes: blobs } = publishing
  const values = createEmbeddedValues({ store: embedded, blobs, queue, files, mend, publisher })
  const texts = createImageTexts({ media, queue, files, mend, reader, stills: parts.stills })
  const rest: Calm['rest'] = (workedMs, signal) => calm.rest(workedMs, signal)
  const published = { feed, published: catalog, all: () => catalog.all(), log, calm, rest }
  const imageFacts = opening.use(
    followPublished({ ...published, media, streams, ...idleThumbnails(config, parts) }),
  )
  const likenesses = opening.use(
    createKnownLikenesses({
      ...published,
      kept: (sha256s) => facts.likenesses(sha256s),
      subscribe: (listener) => imageFacts.subscribe((path, isWhole) => isWhole && listener(path)),
      onFault: (error) => log.warn('what images look like could not be read', { error }),
    }),
  )
  const duplicates = createDuplicatesReport({ likenesses, published: catalog })
  const similarAssets = createSimilarAssets({ likenesses, store: facts, media, published: catalog })
  openColours(world, { catalog, media, imageFacts, opening })
  const followers = [
    opening.use(followFiles({ ...published, ...values, atOnce: parts.backgroundSlots })),
    imageFacts,
    opening.use(followFiles({ ...published, ...texts, calm: imageFacts.summarised })),
  ]
  // Closed before those who wait for it.
  if (reader) opening.use(reader)
  const first = setTimeout(() => {
    for (const follower of followers) void follower.catchUp()
  }, catchUpAfterMs)
  opening.defer(() => clearTimeout(first))
  /** Forgets what was found out about bytes that are gone. */
  async function forget(sha256: string): Promise<void> {
    await facts.remove(sha256)
    await embedded.remove(sha256)
    await streams.forget(sha256)
  }
  return { ...parts, files, mend, texts, imageFacts, similarAssets, duplicates, forget }
}

interface ColourParts extends Pick<Opened, 'opening'> {
  readonly catalog: Catalog
  readonly media: MediaDelivery['media']
  readonly imageFacts: ReturnType<typeof followPublished>
}

function openColours({ log }: World, { catalog, media, imageFacts, opening }: ColourParts): void {
  const colours = opening.use(
    createColourIndex({
      ...media,
      published: catalog,
      all: () => catalog.all(),
      subscribe: (listener) => imageFacts.subscribe(listener),
      onFault: (error) => log.warn('colours of images could not be read', { error }),
    }),
  )
  catalog.knowColours(colours)
}

const given = ({ blobs }: Stores, { catalog, publisher }: Publishing) => ({
  all: () => catalog.all(),
  published: catalog,
  blobs,
  publisher,
})

const openReader = (log: World['log'], box: ChildBox): TesseractReader =>
  new TesseractReader({
    box,
    onRefused: (reason) => log.warn('what is written in images is not read', { reason }),
  })

/** What is made of assets when it is asked for. */
export type MediaDelivery = Awaited<ReturnType<typeof openMediaParts>>

/** The same without looking at anything before it is asked for. */
export async function openMediaParts(world: MediaWorld, parts: MediaParts) {
  const facts = parts.elsewhere?.facts ?? new SqlMediaFactsStore(parts.stores.database)
  const images = await openImages(world, { ...parts, facts })
  const ownIndexes = new DiskStreamIndexStore({
    directory: join(world.config.dataDirectory, 'cache', 'stream-indexes'),
  })
  const indexes = parts.elsewhere?.indexes(ownIndexes) ?? ownIndexes
  return { ...images, facts, indexes, streams: openStreams(world, parts, indexes) }
}

async function openImages(
  world: MediaWorld,
  {
    stores,
    encodes,
    catalog,
    erased,
    opening,
    facts,
    room = usualRoom,
    elsewhere,
    calm,
    rendering = startRendering(world, opening),
  }: MediaParts & { readonly facts: MediaFactsStore },
) {
  const { config, log, monotonicMs: now } = world
  const { blobs } = stores
  const { box } = rendering
  const renderer = opening.use(await rendering.renderer)
  const queue = createRenderQueue({ renderer, costs: createCostModel(), now })
  const { variantBytes, copyBytes, memoryBytes } = room
  const store = await openVariantStore(world, { ...variantRoom, maxBytes: variantBytes })
  const copyStore = await openVariantStore(world, { ...copyRoom, maxBytes: copyBytes })
  const copies = createSmallerCopies(copyStore, elsewhere?.fetchCopy)
  const stillStore = await openVariantStore(world, { ...stillRoom, maxBytes: copyBytes })
  const isErased = (sha256: string): boolean => erased.isErased(sha256)
  const makers = openStillMakers(world, { box, renderer, opening })
  const stills = createStills({ makers, queue, files: blobs, store: stillStore, isErased })
  const sources = { files: blobs, mend: blobs.mend, stills }
  const thumbnails = createVideoThumbnails({ blobs, ...sources })
  const media = createKnownMedia({ store: facts, queue, blobs, ...sources, copies, now })
  const making = { store, queue, quota: encodes, isErased, log, now, memoryBytes }
  const variants = createVariants(making)
  const { reEncoded, preRendered } = openIdleWork(config, { variants, queue, log, opening, calm })
  const manifest = {
    asset: (path: string) => {
      const asset = catalog.asset(path)
      return asset && !isPrivate(asset) && !hasExpired(asset, world.now()) ? asset : undefined
    },
  }
  const known = { media, copies, maxCostMs: config.transformMaxMs, ...sources }
  const modeOf = (zone: string) =>
    strictest(config.transformMode, catalog.zone(zone)?.transformMode)
  const idle = { reEncoded, preRendered }
  const made = { variants, cards: createDrawnCards(stillStore), modeOf, ...idle }
  const images = createImageService({ manifest, blobs, ...made, ...known })
  const drawings = createSanitisedSvgs({ queue, ...sources, store, now })
  /** What is kept of what was made. */
  const madeBytes = () => store.sizeBytes + copyStore.sizeBytes + stillStore.sizeBytes
  /** So many images are analysed at a time; one core is left to whoever waits. */
  const backgroundSlots = Math.max(1, renderer.slotsByLane.raster - 1)
  const details = createDetailedImages({ queue, blobs, ...sources, now })
  /** What was made of an image goes. */
  const forgetMade = async (sha256: string): Promise<void> => {
    for (const each of [store, copyStore, stillStore]) await each.removeSource(sha256)
    media.forget(sha256)
    variants.clearMemory()
    details.forget(sha256)
  }
  const madeOf = () => [...store.sources(), ...copyStore.sources(), ...stillStore.sources()]
  const work = { renderQueue: queue, backgroundSlots, box, madeBytes, madeOf, forgetMade }
  return { ...known, images, thumbnails, modeOf, details, drawings, ...work }
}

const idleThumbnails = (
  { idleWork }: MediaWorld['config'],
  {
    thumbnails,
    backgroundSlots,
  }: Pick<Awaited<ReturnType<typeof openMediaParts>>, 'thumbnails' | 'backgroundSlots'>,
) => ({
  thumbnails: idleWork.includes('thumbnails') ? thumbnails : undefined,
  atOnce: backgroundSlots,
})

interface IdleParts {
  readonly variants: Variants
  readonly queue: RenderQueue
  readonly log: World['log']
  readonly opening: AsyncDisposableStack
  readonly calm: Calm | undefined
}

/** What cores make while nobody waits, as far as it is wanted. */
function openIdleWork({ idleWork }: MediaWorld['config'], { opening, ...parts }: IdleParts) {
  const reEncoded = idleWork.includes('denser') ? createReEncodedVariants(parts) : undefined
  const preRendered = idleWork.includes('siblings') ? createPreRenderedVariants(parts) : undefined
  opening.defer(async () => {
    await preRendered?.stop()
    await reEncoded?.stop()
  })
  return { reEncoded, preRendered }
}

const openStreams = (
  { config, now }: MediaWorld,
  { stores, catalog, erased }: MediaParts,
  indexes: StreamIndexStore,
) =>
  createStreams({
    assets: deliverableAt({ ...erased, asset: catalog.asset, zone: catalog.zone }, now),
    blobs: stores.blobs,
    indexes,
    sign: (path, expires) => sign(plainText(path, expires), config.keys.signedUrlSecret.reveal()),
  })

interface VariantRoom {
  readonly name: string
  readonly maxBytes: number
  readonly maxPerSource: number
}

const variantRoom = { name: 'variants', maxPerSource: 500 }
const copyRoom = { name: 'mips', maxPerSource: 100 }
/** Of the pages of one file, and what is written on them. */
const stillRoom = { name: 'stills', maxPerSource: 200 }

const openVariantStore = (
  { config, monotonicMs: now }: MediaWorld,
  { name, ...bounds }: VariantRoom,
) => openDiskVariantStore({ directory: join(config.dataDirectory, 'cache', name), ...bounds, now })
