import { createSingleFlight } from '../../../lib/async/single-flight.ts'
import { LruCache } from '../../../lib/collections/lru-cache.ts'
import type { KeptSighting, SightingStore } from '../../../ports/vision/sighting-store.ts'
import {
  UnusableSightingError,
  type VisionModel,
  VisionModelUnavailableError,
} from '../../../ports/vision/vision-model.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { ZoneRecord } from '../../../ports/records/zone.ts'
import { languagesOf } from '../../content/zone-settings.ts'
import { ServiceError } from '../../errors.ts'
import type { Looking } from '../facts/follow-files.ts'
import { isImageFormat } from '../stills/still-formats.ts'
import type { DailyBudget } from './daily-budget.ts'
import { soundSighting } from './sound-sighting.ts'
import type { VisionImages } from './vision-images.ts'

/** What a model sees in images: asked once for each SHA-256, when nobody waits, within its budget. */
export interface Sightings extends Looking {
  /** Whether there is a model at all. */
  readonly hasModel: boolean
  /** What is kept of these bytes; asks nobody. */
  of(sha256: string): Promise<KeptSighting | undefined>
  /** Whether a model looks at the images of a zone. */
  isSeen(asset: Pick<AssetRecord, 'zone' | 'format'>): boolean
  /** Has what was kept looked for anew. */
  forget(sha256: string): void
  /** Tells the path of each asset of which it has become known what is seen in it. */
  subscribe(listener: (path: string) => void): Disposable
}

interface Dependencies {
  readonly store: Pick<SightingStore, 'find' | 'save'>
  /** Left out where the operator has set none. */
  readonly model?: VisionModel | undefined
  readonly images: VisionImages
  readonly budget: DailyBudget
  /** Told each time the model is asked about an image of a zone. */
  /** Whether the model may be asked about the zone; what it has not seen then waits. */
  readonly mayAsk?: (zone: string) => boolean
  readonly onAsk?: (zone: string) => void
  readonly zone: (name: string) => ZoneRecord | undefined
  readonly now: () => Date
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

const firstRestMs = 5_000
const longestRestMs = 15 * 60_000
/** An endpoint may ask to be left alone for longer. */
const longestAskedRestMs = 3_600_000
const rememberedCount = 5_000

export function createSightings(dependencies: Dependencies): Sightings {
  const { store, model, zone: zoneNamed } = dependencies
  const memory = new LruCache<KeptSighting>({ maxWeight: rememberedCount, weigh: () => 1 })
  const listeners = new Set<(path: string) => void>()
  const flights = createSingleFlight<KeptSighting>()
  const see = createSeeing(dependencies)

  async function find(sha256: string): Promise<KeptSighting | undefined> {
    const kept = memory.get(sha256) ?? (await store.find(sha256))
    if (kept !== undefined) memory.set(sha256, kept)
    return kept
  }

  const isSeen: Sightings['isSeen'] = ({ zone, format }) => {
    const { vision, moderation } = zoneNamed(zone) ?? {}
    const isWanted = vision !== 'off' || moderation !== undefined
    return model !== undefined && isImageFormat(format) && isWanted
  }

  return {
    hasModel: model !== undefined,
    of: find,
    isSeen,
    isOverlooked: async (asset) => isSeen(asset) && (await find(asset.sha256)) === undefined,
    async look(asset, signal) {
      const { sha256, path } = asset
      if (!isSeen(asset)) return
      const known = await find(sha256)
      const kept =
        known ?? (await flights.run(sha256, signal, (flight) => see(asset, flight))).value
      memory.set(sha256, kept)
      if (kept.sighting !== undefined) for (const listener of listeners) listener(path)
    },
    forget: (sha256) => memory.delete(sha256),
    subscribe(listener) {
      listeners.add(listener)
      return { [Symbol.dispose]: () => void listeners.delete(listener) }
    },
  }
}

/** Asks the model, and keeps what it says. After a fault of the model nobody asks it for a while. */
function createSeeing(dependencies: Dependencies) {
  const { store, model, images, budget, now, wait } = dependencies
  let restMs = 0

  async function ask(asset: AssetRecord, signal: AbortSignal): Promise<KeptSighting['sighting']> {
    if (model === undefined) throw new VisionModelUnavailableError('there is no model')
    if (dependencies.mayAsk?.(asset.zone) === false)
      throw new VisionModelUnavailableError('the zone has used up its calls of this month')
    const languages = languagesOf(dependencies.zone(asset.zone))
    const jpeg = await images(asset, signal)
    if (restMs > 0) await wait(restMs, signal)
    await budget.take(signal)
    dependencies.onAsk?.(asset.zone)
    try {
      const said = await model.look({ jpeg, languages, signal })
      restMs = 0
      return soundSighting(said)
    } catch (error) {
      restMs = error instanceof VisionModelUnavailableError ? restAfter(error, restMs) : 0
      throw error
    }
  }

  return async (asset: AssetRecord, signal: AbortSignal): Promise<KeptSighting> => {
    const sighting = await ask(asset, signal).catch(nothingOfUnusable)
    const kept = { seenAt: now(), sighting }
    await store.save(asset.sha256, kept)
    return kept
  }
}

const restAfter = ({ retryAfterMs = 0 }: VisionModelUnavailableError, formerMs: number): number =>
  Math.max(
    Math.min(longestRestMs, Math.max(firstRestMs, 2 * formerMs)),
    Math.min(longestAskedRestMs, retryAfterMs),
  )

/** What cannot be seen, or comes to no sighting, would come to none the next time. */
function nothingOfUnusable(error: unknown): undefined {
  if (error instanceof UnusableSightingError) return undefined
  if (error instanceof ServiceError && error.code === 'UnprocessableImage') return undefined
  throw error
}
