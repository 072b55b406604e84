import { setTimeout } from 'node:timers/promises'

import { OpenaiVisionModel } from '../adapters/openai/openai-vision-model.ts'
import type { Database } from '../adapters/sql/database.ts'
import { SqlSightingStore } from '../adapters/sql/media/sql-sighting-store.ts'
import { createDescriptions } from '../domain/content/metadata/descriptions.ts'
import {
  type FilesToFollow,
  followFiles,
  type Looking,
} from '../domain/media/facts/follow-files.ts'
import type { KnownMedia } from '../domain/media/facts/known-media.ts'
import type { RenderQueue } from '../domain/media/render/render-queue.ts'
import type { SmallerCopies } from '../domain/media/render/smaller-copies.ts'
import type { Sources } from '../domain/media/render/sources.ts'
import { createAppliedSuggestions } from '../domain/media/sightings/applied-suggestions.ts'
import { createDailyBudget } from '../domain/media/sightings/daily-budget.ts'
import { createModeration } from '../domain/media/sightings/moderation.ts'
import { createSightings, type Sightings } from '../domain/media/sightings/sightings.ts'
import { createSuggestions } from '../domain/media/sightings/suggestions.ts'
import { createVisionImages } from '../domain/media/sightings/vision-images.ts'
import { createWantedImages } from '../domain/media/sightings/wanted-images.ts'
import type { Publishing } from './content/publishing.ts'
import type { Stores } from './content/stores.ts'
import type { World } from './world.ts'

export type Vision = ReturnType<typeof openVision>

interface Opened extends Sources, Pick<Stores, 'content'> {
  readonly media: KnownMedia
  readonly renderQueue: RenderQueue
  readonly copies: SmallerCopies
  readonly database: Database
  readonly publishing: Publishing
  readonly opening: AsyncDisposableStack
  /** What is published, to be looked at when it is new. */
  readonly followed: FilesToFollow
}

/** A model needs so long for an image at most. */
const patienceMs = 60_000

/** What is seen in images, and what comes of that. */
export function openVision(world: World, opened: Opened) {
  const { now, newId, log } = world
  const { media, database, publishing, opening, followed, content } = opened
  const { catalog, publisher, previewing } = publishing
  const store = new SqlSightingStore(database)
  const zone = (name: string) => catalog.zone(name)
  const sightings = openSightings(world, { ...opened, store })
  const factsOf = (sha256: string) => media.known(sha256)
  const suggestions = createSuggestions({ sightings, store, factsOf, zone })
  const descriptions = createDescriptions({ content, published: catalog, publisher })
  const apply = createAppliedSuggestions({ suggestions, descriptions, zone, newId })
  const looking: Looking = {
    isOverlooked: (asset) => sightings.isOverlooked(asset),
    async look(asset, signal) {
      await sightings.look(asset, signal)
      await apply(asset)
    },
  }
  const wanted = opening.use(
    createWantedImages({
      look: (image, signal) => sightings.look(image, signal),
      onFault: (error) => log.warn('an image that is held back could not be looked at', { error }),
    }),
  )
  const want = (image: Parameters<typeof wanted.add>[0]) => wanted.add(image)
  const overlooked = opening.use(
    createWantedImages({
      look: (asset, signal) => looking.look(asset, signal),
      onFault: (error) => log.debug('an image could not be looked at', { error }),
    }),
  )
  opening.use(
    publishing.feed.subscribe((entries) => {
      for (const { event, zone: name } of entries)
        if (event === 'zone.updated' && name !== undefined && zone(name)?.vision === 'apply')
          for (const asset of catalog.zoneFiles(name)) overlooked.add(asset)
    }),
  )
  const moderation = createModeration({ sightings, store, zone, want })
  previewing.moderateWith((name, changes) => moderation.requireFit(name, changes))
  return {
    sightings,
    suggestions,
    moderation,
    follower: opening.use(followFiles({ ...followed, ...looking })),
    async forget(sha256: string): Promise<void> {
      await store.remove(sha256)
      sightings.forget(sha256)
    },
  }
}

function openSightings(
  { config, now }: World,
  {
    store,
    renderQueue: queue,
    publishing,
    ...parts
  }: Opened & { readonly store: SqlSightingStore },
): Sightings {
  const { visionBaseUrl: baseUrl, visionModel, visionApiKey: apiKey } = config
  const wait = async (ms: number, signal: AbortSignal): Promise<void> =>
    await setTimeout(ms, undefined, { signal, ref: false })
  return createSightings({
    store,
    model:
      baseUrl === undefined
        ? undefined
        : new OpenaiVisionModel({ baseUrl, model: visionModel ?? '', apiKey, patienceMs }),
    images: createVisionImages({ ...parts, queue }),
    budget: createDailyBudget({
      limit: config.visionDailyImages,
      countSince: (moment) => store.countSince(moment),
      now,
      wait,
    }),
    zone: (name) => publishing.catalog.zone(name),
    now,
    wait,
  })
}
