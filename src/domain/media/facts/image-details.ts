import { createSingleFlight } from '../../../lib/async/single-flight.ts'
import { createS3FifoCache } from '../../../lib/collections/s3-fifo-cache.ts'
import type { BlobStore } from '../../../ports/content/blob-store.ts'
import type { ImageDetails } from '../../../ports/media/image-details.ts'
import { type EmbeddedFormat, UnrenderableImageError } from '../../../ports/media/renderer.ts'
import { detailsCost } from '../render/costs/cost-model.ts'
import { createRefusals } from '../render/recent-refusals.ts'
import type { RenderQueue } from '../render/render-queue.ts'
import { requireRenderable, type Sources, sourcePath, withSoundSource } from '../render/sources.ts'
import { embeddedFormatOf } from './embedded-format.ts'
import type { ImageRecord } from './inspection.ts'

export interface DetailedImage extends ImageDetails {
  readonly format: EmbeddedFormat
}

/** What files say of the images in them. */
export interface DetailedImages {
  /** Throws `UnprocessableImage` for what is no image. Each file is read once for all who ask. */
  of(image: ImageRecord, signal?: AbortSignal): Promise<DetailedImage>
  /** Forgets what a file said. */
  forget(sha256: string): void
}

interface Dependencies extends Sources {
  readonly blobs: Pick<BlobStore, 'open'>
  readonly queue: RenderQueue
  /** Milliseconds that only grow. */
  readonly now: () => number
}

const memoryBytes = 4 * 2 ** 20

export function createDetailedImages(dependencies: Dependencies): DetailedImages {
  const { blobs, queue, now } = dependencies
  const memory = createS3FifoCache<DetailedImage>(memoryBytes)
  const flights = createSingleFlight<DetailedImage>()
  const refusals = createRefusals(now)
  let forgotten = 0

  async function read(image: ImageRecord, signal: AbortSignal): Promise<DetailedImage> {
    requireRenderable(image)
    const format = await embeddedFormatOf(blobs, image)
    if (format === undefined) throw noImage()
    const path = await sourcePath(dependencies, image)
    const job = { kind: 'details', path, format } as const
    const { zone } = image
    const { result } = await queue.run({
      job,
      cost: detailsCost,
      zone,
      priority: 'interactive',
      signal,
    })
    return { ...result, format }
  }

  async function readOnce(image: ImageRecord, signal: AbortSignal): Promise<DetailedImage> {
    const since = forgotten
    const found = await withSoundSource(dependencies, image.sha256, () => read(image, signal))
    if (since === forgotten) memory.set(image.sha256, found, JSON.stringify(found).length)
    return found
  }

  return {
    async of(image, signal) {
      const known = memory.get(image.sha256)
      if (known !== undefined) return known
      const work = (flight: AbortSignal) =>
        refusals.guard(image.sha256, () => readOnce(image, flight))
      return (await flights.run(image.sha256, signal, work)).value
    },
    forget(sha256) {
      forgotten += 1
      memory.delete(sha256)
    },
  }
}

const noImage = () =>
  new UnrenderableImageError('unsupported-type', 'is of a kind that cannot be transformed')
