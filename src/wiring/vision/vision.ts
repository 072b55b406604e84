import { setTimeout as sleep } from 'node:timers/promises'

import { OpenaiVisionModel } from '../../adapters/openai/openai-vision-model.ts'
import { SqlSightingStore } from '../../adapters/sql/media/sql-sighting-store.ts'
import type { CallCounter } from '../../domain/insights/call-counter.ts'
import { createDescriptions } from '../../domain/content/metadata/descriptions.ts'
import { followFiles, type Looking } from '../../domain/media/facts/follow-files.ts'
import { createAppliedSuggestions } from '../../domain/media/sightings/applied-suggestions.ts'
import { createDailyBudget } from '../../domain/media/sightings/daily-budget.ts'
import { createModeration } from '../../domain/media/sightings/moderation.ts'
import { createSightings, type Sightings } from '../../domain/media/sightings/sightings.ts'
import { createSuggestions } from '../../domain/media/sightings/suggestions.ts'
import { createVisionImages } from '../../domain/media/sightings/vision-images.ts'
import { createWantedImages } from '../../domain/media/sightings/wanted-images.ts'
import type { Publishing } from '../content/publishing.ts'
import type { Stores } from '../content/stores.ts'
import type { Media } from '../media.ts'
import type { ZoneQuotasOpen } from '../quotas/zone-quotas.ts'
import type { World } from '../world.ts'

/** What is known of images, with what a model sees in them. */
export type SeenMedia = ReturnType<typeof openSeenMedia>

interface Opened {
  readonly stores: Stores
  readonly publishing: Publishing
  readonly media: Media
  readonly calls: CallCounter
  readonly zoneQuotas: Pick<ZoneQuotasOpen, 'watch'>
  readonly opening: AsyncDisposableStack
}

/** After a start there is more urgent work. */
const catchUpAfterMs = 45_000
/** A model needs so long for an image at most. */
const patienceMs = 60_000

export function openSeenMedia(world: World, { media, ...opened }: Opened) {
  const store = new SqlSightingStore(opened.stores.database)
  const vision = openVision(world, { ...opened, media, store })
  return {
    ...media,
    vision,
    /** Forgets what was found out about bytes that are gone. */
    async forget(sha256: string): Promise<void> {
      await media.forget(sha256)
      await store.remove(sha256)
      vision.sightings.forget(sha256)
    },
  }
}

interface Seeing extends Opened {
  readonly store: SqlSightingStore
}

/** What is seen in images, and what comes of that. */
function openVision(world: World, opened: Seeing) {
  const { newId, log } = world
  const { store, publishing, opening } = opened
  const { content } = opened.stores
  const { media } = opened.media
  const { catalog, publisher, previewing, feed } = publishing
  const zone = (name: string) => catalog.zone(name)
  const sightings = openSightings(world, opened)
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
  const wanted = opening.use(wantedImages(log, (image, signal) => sightings.look(image, signal)))
  const overlooked = opening.use(wantedImages(log, (asset, signal) => looking.look(asset, signal)))
  opening.use(
    feed.subscribe((entries) => {
      for (const { event, zone: name } of entries)
        if (event === 'zone.updated' && name !== undefined && zone(name)?.vision === 'apply')
          for (const asset of catalog.zoneFiles(name)) overlooked.add(asset)
    }),
  )
  const moderation = createModeration({
    sightings,
    store,
    zone,
    liveFiles: (name) => catalog.zoneFiles(name),
    want: (image) => wanted.add(image),
  })
  previewing.moderateWith((...asked) => moderation.requireFit(...asked))
  publishing.doors.requireFit = (changes) => moderation.requireFitLive(changes)
  const follower = opening.use(
    followFiles({ feed, published: catalog, all: () => catalog.all(), log, ...looking }),
  )
  const first = setTimeout(() => void follower.catchUp(), catchUpAfterMs)
  opening.defer(() => clearTimeout(first))
  return { sightings, suggestions, moderation }
}

const wantedImages = (log: World['log'], look: Looking['look']) =>
  createWantedImages({
    look,
    onFault: (error) => log.debug('an image could not be looked at', { error }),
  })

const wait = async (ms: number, signal: AbortSignal): Promise<void> =>
  await sleep(ms, undefined, { signal, ref: false })

function openSightings(
  { config, now }: World,
  { store, publishing, calls, zoneQuotas, media: { renderQueue: queue, ...parts } }: Seeing,
): Sightings {
  const { visionBaseUrl: baseUrl, visionModel, visionApiKey: apiKey } = config
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
    mayAsk: (zone) => !zoneQuotas.watch.isUsedUp(zone, 'ai-calls'),
    onAsk: (zone) => calls.count('vision', zone),
    zone: (name) => publishing.catalog.zone(name),
    now,
    wait,
  })
}
