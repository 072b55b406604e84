import {
  type Rendered,
  type Renderer,
  UnrenderableImageError,
} from '../../../ports/media/renderer.ts'
import type { StillJob, StillMaker, StillOutcome } from '../../../ports/media/still-maker.ts'
import { keyFrameBefore, tellingKeyFrame } from '../../streaming/key-frames/choose-key-frame.ts'
import type { KeyFrames } from '../../streaming/key-frames/frame-format.ts'
import { openKeyFrames } from '../../streaming/key-frames/open-key-frames.ts'
import {
  fitted,
  planPreview,
  planThumbnails,
  shownSize,
  type Sized,
} from '../../streaming/key-frames/thumbnails.ts'
import { UnstreamableMediaError } from '../../streaming/mp4/byte-source.ts'
import { createFrameImages, type FrameImagesDependencies } from './frame-images.ts'

interface Dependencies extends FrameImagesDependencies {
  readonly renderer: Pick<Renderer, 'run'>
}

const previewSide = 640
const maxMs = 30_000

/**
 * Stills of videos by their key frames. What is found in the file is found here, within bounds of its own;
 * frames that an image file can hold are handed on as they are, and others to a decoder in a child.
 */
export function createVideoStillMaker(dependencies: Dependencies): StillMaker {
  const imagesOf = createFrameImages(dependencies)
  const { renderer, withFile, decoders } = dependencies

  async function joined(
    frames: KeyFrames,
    places: readonly number[],
    how: { readonly tile: Sized; readonly layout: { columns: number } | { delayMs: number } },
  ): Promise<Rendered<StillOutcome>> {
    const found = await imagesOf({ frames, places, within: how.tile })
    if ('install' in found) return outcome({ outcome: 'absent', ...found })
    const { images, format } = found
    const size = shownSize(frames.format)
    const lengths = images.map(({ length }) => length)
    const { result: bytes, cpuMs } = await withFile(Buffer.concat(images), (path) =>
      renderer.run({ kind: 'join', path, format, lengths, size, ...how }),
    )
    return outcome({ outcome: 'made', bytes, format: 'webp' }, found.cpuMs + cpuMs)
  }

  async function still(frames: KeyFrames, seconds: number | undefined) {
    const place =
      seconds === undefined ? await tellingKeyFrame(frames) : keyFrameBefore(frames, seconds)
    const found = await imagesOf({ frames, places: [place] })
    if ('install' in found) return outcome({ outcome: 'absent', ...found })
    const [bytes = new Uint8Array()] = found.images
    return outcome({ outcome: 'made', bytes, format: found.format }, found.cpuMs)
  }

  async function make({ bytes, at }: StillJob): Promise<Rendered<StillOutcome>> {
    const frames = bytes && (await openKeyFrames(bytes))
    if (frames === undefined) return outcome({ outcome: 'none' })
    if (at.isSprite === true) {
      const { places, ...how } = planThumbnails(frames)
      return await joined(frames, places, { tile: how.tile, layout: { columns: how.columns } })
    }
    if (at.preview === undefined) return await still(frames, at.seconds)
    const { places, delayMs } = planPreview(frames, at.preview)
    const tile = fitted(shownSize(frames.format), previewSide)
    return await joined(frames, places, { tile, layout: { delayMs } })
  }

  return {
    kinds: ['video'],
    readsParts: true,
    maxMs,
    async make(job) {
      const startedAt = performance.now()
      const made = await make(job).catch(translated)
      return { ...made, wallMs: performance.now() - startedAt }
    },
    async [Symbol.asyncDispose]() {
      for (const decoder of decoders) await decoder[Symbol.asyncDispose]()
    },
  }
}

const outcome = (result: StillOutcome, cpuMs = 0): Rendered<StillOutcome> => ({
  result,
  cpuMs,
  wallMs: 0,
})

function translated(error: unknown): never {
  if (!(error instanceof UnstreamableMediaError)) throw error
  throw new UnrenderableImageError(
    'damaged',
    `is of a video that no frame can be taken of: ${error.message}`,
    { cause: error },
  )
}
