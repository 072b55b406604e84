import type { MediaFacts } from '../../../../ports/media/media-facts-store.ts'
import type { OutputFormat, OutputSpec } from '../../../../ports/media/renderer.ts'
import { ServiceError } from '../../../errors.ts'
import type { AcceptedFormats } from '../accepted-formats.ts'
import { chooseFormat } from '../choose-format.ts'
import { encoderLimitOf } from '../image-limits.ts'
import { defaultQuality } from '../parameters/encoding-parameters.ts'
import type { Recipe } from '../recipe.ts'
import { mayMove } from './source-limits.ts'

/** What one client wants of one image. */
export interface TransformOptions {
  readonly recipe: Recipe
  readonly accepted: AcceptedFormats
  readonly savesData: boolean
  /** Whether the client says that its connection is slow. */
  readonly isSlow?: boolean
  /** What was chosen for the client already. It gives way like a format that is chosen here. */
  readonly chosenFormat?: OutputFormat
}

/** Where an encoder does not ask for something it is the same for all, or equal results had two keys. */
export function outputOf(
  format: OutputFormat,
  facts: MediaFacts,
  options: TransformOptions,
): OutputSpec {
  const { isLossless, metadata, profile } = options.recipe
  const hasQuality = format !== 'png' && format !== 'gif' && !isLossless
  return {
    format,
    ...(hasQuality ? qualityOf(options, format) : { quality: 100 }),
    effort: 'fast',
    isGraphic: format === 'avif' && isGraphic(facts),
    ...encoderSwitches(format, options.recipe, hasQuality),
    ...(format === 'png' && !isGraphic(facts) && { hasFilters: true }),
    ...(metadata !== 'none' && { metadata }),
    ...(profile === 'source' && !facts.header.isSrgb && { keepsProfile: true }),
  }
}

const encoderSwitches = (
  format: OutputFormat,
  { isLossless, isProgressive, maxBytes }: Recipe,
  hasQuality: boolean,
) => ({
  ...(isLossless && (format === 'webp' || format === 'avif') && { isLossless }),
  ...(isProgressive && (format === 'jpeg' || format === 'png') && { isProgressive }),
  ...(maxBytes !== undefined && hasQuality && { maxBytes }),
})

/** What `Save-Data: on` lowers the quality to where the caller asked for none. */
const savingQuality = 60

/** What a similarity is looked for below. */
const bestQuality = 95

function qualityOf(
  { recipe, savesData, isSlow = false }: TransformOptions,
  format: OutputFormat,
): Pick<OutputSpec, 'quality' | 'similarity'> {
  const { quality, slowQuality } = recipe
  if (slowQuality !== undefined && isSlow) return { quality: slowQuality }
  if (quality === undefined) return { quality: savesData ? savingQuality : defaultQuality }
  const { byFormat, number, similarity } = quality
  const named = byFormat[format] ?? number
  if (named !== undefined) return { quality: named }
  return similarity === undefined
    ? { quality: defaultQuality }
    : { quality: bestQuality, similarity }
}

/** One frame does not move; nor does what is turned by a quarter, which encoders of frames cannot. */
export const isMoving = (facts: MediaFacts, { isAnimated, frame, rotate, ...most }: Recipe) =>
  isAnimated &&
  facts.header.frames > 1 &&
  frame === undefined &&
  rotate !== '90' &&
  rotate !== '270' &&
  mayMove(facts.header, most)

/** The format, if the result is not too large for it. `hasAlpha` is of the result. */
export function wantedFormat(
  facts: MediaFacts,
  { recipe, accepted, chosenFormat }: TransformOptions,
  hasAlpha: boolean,
): OutputFormat {
  if (chosenFormat !== undefined) return chosenFormat
  if (recipe.format !== 'auto' && recipe.format !== 'svg' && recipe.format !== 'jxl')
    return recipe.format
  const traits = { isAnimated: isMoving(facts, recipe), hasAlpha }
  return chooseFormat(recipe.isLossless ? withoutLoss(accepted) : accepted, traits)
}

/** Without loss, AVIF is larger than WebP and takes long, and JPEG is not to be had. */
const withoutLoss = (accepted: AcceptedFormats): AcceptedFormats => ({
  ...accepted,
  avif: { weight: 0, isNamed: false },
  jpeg: { weight: 0, isNamed: false },
  png: { weight: Math.max(accepted.png.weight, Number.MIN_VALUE), isNamed: true },
})

interface Affordability {
  /** Of one frame: what moves is bounded as a whole. */
  readonly pixels: number
  readonly options: TransformOptions
  readonly hasAlpha: boolean
}

/** A format that was named is made or refused; one that is ours to choose may give way to another. */
export function affordableFormat(
  format: OutputFormat,
  { pixels, options: { recipe, accepted }, hasAlpha }: Affordability,
): { readonly format: OutputFormat; readonly why?: string } {
  const isNamed = recipe.format !== 'auto'
  const limit = encoderLimitOf(format, hasAlpha)
  if (pixels <= (isNamed ? limit.named : limit.chosen)) return { format }
  if (isNamed) throw tooLargeFor(format, pixels, limit.named)
  const candidates: readonly OutputFormat[] =
    format === 'avif' && accepted.webp.weight > 0 ? ['webp'] : []
  const instead = candidates.find((each) => pixels <= encoderLimitOf(each, hasAlpha).chosen)
  const last = hasAlpha || recipe.isLossless ? 'png' : 'jpeg'
  return { format: instead ?? last, why: `too-large-for-${format}` }
}

const tooLargeFor = (format: OutputFormat, pixels: number, most: number): ServiceError =>
  new ServiceError(
    'UnprocessableImage',
    `The result would have ${(pixels / 1e6).toFixed(1)} megapixels; as ${format} at most ${most / 1e6} are made: ask for a smaller one, or for another format`,
    { target: 'format' },
  )

/** Before anyone has looked at the pixels the format is the best guess. */
const isGraphic = ({ header, analysis }: MediaFacts): boolean =>
  analysis?.isGraphic ?? (header.format === 'svg' || header.format === 'gif')
