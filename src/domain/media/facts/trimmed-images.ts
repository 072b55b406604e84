import { createSingleFlight } from '../../../lib/async/single-flight.ts'
import { LruCache } from '../../../lib/collections/lru-cache.ts'
import type { MediaFacts } from '../../../ports/media/media-facts-store.ts'
import type { Box } from '../../../ports/media/renderer.ts'
import { createRefusals } from '../render/recent-refusals.ts'
import type { Examiner, Trimming } from './examiner.ts'
import type { Asking, ImageRecord } from './inspection.ts'

/** Boxes are small, and to find one the whole image is decoded. */
const rememberedCount = 10_000

interface Dependencies {
  readonly examiner: Pick<Examiner, 'trim'>
  readonly find: (picture: ImageRecord, signal: AbortSignal) => Promise<Pick<MediaFacts, 'header'>>
  readonly now: () => number
}

/** Tells what is left of an image without its border, of which a pixel differs by at most `threshold` of 255. */
export type Trims = (
  picture: ImageRecord,
  border: Omit<Trimming, 'header'>,
  asking: Asking,
) => Promise<Box>

/** Each image is looked at once. */
export function createTrims({ examiner, find, now }: Dependencies): Trims {
  const known = new LruCache<Box>({ maxWeight: rememberedCount, weigh: () => 1 })
  const flights = createSingleFlight<Box>()
  const refusals = createRefusals(now)

  return async (picture, { threshold, color }, { priority, signal: leaving }) => {
    const key = `${threshold} ${color ?? ''} ${picture.sha256}`
    const found = known.get(key)
    if (found !== undefined) return found
    const trim = async (signal: AbortSignal): Promise<Box> => {
      const { header } = await find(picture, signal)
      const box = await examiner.trim(picture, { header, threshold, color }, { priority, signal })
      known.set(key, box)
      return box
    }
    const work = (signal: AbortSignal) => refusals.guard(key, () => trim(signal))
    return (await flights.run(key, leaving, work)).value
  }
}
