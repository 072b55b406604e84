import type { MediaFacts } from '../../../../ports/media/media-facts-store.ts'
import { ServiceError } from '../../../errors.ts'
import type { Recipe } from '../recipe.ts'

type Header = MediaFacts['header']

/** Whether a source is as small as a caller wants what moves to be. */
export const mayMove = (
  header: Header,
  { maxFrames = Infinity, maxFrameMegapixels = Infinity }: Partial<Recipe>,
): boolean => header.frames <= maxFrames && megapixelsOf(header) <= maxFrameMegapixels

/** Throws `UnprocessableImage` for a frame that is not there, and for a source beyond what is wanted. */
export function requireWanted(recipe: Recipe, header: Header): void {
  requireFrame(recipe, header)
  const { maxSourceMegapixels = Infinity } = recipe
  if (megapixelsOf(header) <= maxSourceMegapixels) return
  const megapixels = megapixelsOf(header).toFixed(1)
  throw new ServiceError('UnprocessableImage', `The image has ${megapixels} megapixels`, {
    target: 'max_source_mp',
  })
}

/** The same of a file, of which nothing has to be known. */
export function requireWantedBytes({ maxSourceBytes = Infinity }: Recipe, sizeBytes: number): void {
  if (sizeBytes > maxSourceBytes)
    throw new ServiceError('UnprocessableImage', `The image has ${sizeBytes} bytes`, {
      target: 'max_source_bytes',
    })
}

function requireFrame({ frame }: Recipe, { frames }: Header): void {
  if (frame === undefined || frame <= frames) return
  const count = frames === 1 ? 'one frame' : `${frames} frames`
  throw new ServiceError('UnprocessableImage', `The image has ${count}`, { target: 'frame' })
}

const megapixelsOf = ({ width, height }: Header): number => (width * height) / 1e6
