import type { ImageSummary } from '../../../ports/media/image-summary.ts'
import type { RenderSource, Size, SummariseJob } from '../../../ports/media/renderer.ts'
import { summaryOf, summarySide } from './image-summary.ts'
import { fitWithin, rawImage } from './raw-image.ts'
import { openSource } from '../open-source.ts'

/** Has the decoder leave out what it can: of a photograph it makes an eighth of the size in a few milliseconds. */
export async function summarise({ source }: SummariseJob): Promise<ImageSummary> {
  const target = targetOf(source)
  const image = await openSource(source, { isAnimated: false, target })
  const resized = image.toColourspace('srgb').resize({ ...target, fit: 'fill' })
  return await summaryOf(await rawImage(resized))
}

/** A small drawing is as sharp in any size. */
function targetOf({ format, size }: RenderSource): Size {
  if (format !== 'svg') return fitWithin(size, summarySide)
  const scale = summarySide / Math.max(size.width, size.height)
  const scaled = (length: number): number => Math.max(1, Math.round(length * scale))
  return { width: scaled(size.width), height: scaled(size.height) }
}
