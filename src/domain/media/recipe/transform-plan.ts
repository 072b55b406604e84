import type { MediaFacts, MipFacts } from '../../../ports/media/media-facts-store.ts'
import type { OutputFormat, OutputSpec, Size, TransformJob } from '../../../ports/media/renderer.ts'
import type { AcceptedFormats } from './accepted-formats.ts'
import { chooseFormat } from './choose-format.ts'
import { chooseFocus, type FocusedFacts, isFound } from './gravity.ts'
import { ServiceError } from '../../errors.ts'
import { encoderLimitOf } from './image-limits.ts'
import { type Focus, layOut, resultSizeOf } from './layout.ts'
import type { Recipe } from './recipe.ts'
import { defaultQuality } from './transform-parameters.ts'

/**
 * Everything that decides what the result looks like, and nothing else: the job but for the file that
 * it is made from. Every member is named, so that one that the job gains cannot be forgotten here.
 */
export type TransformPlan = Readonly<Required<Omit<TransformJob, 'source'>>>

export interface PlannedTransform {
  readonly plan: TransformPlan
  /** What callers are told about how it came to be so. */
  readonly notes: readonly string[]
}

/** What one client wants of one image. */
export interface TransformOptions {
  readonly recipe: Recipe
  readonly accepted: AcceptedFormats
  readonly savesData: boolean
  /** What was chosen for the client already. It gives way like a format that is chosen here. */
  readonly chosenFormat?: OutputFormat
}

/** Whether the pixels have to be looked at first: only a crop is led by what is found in them. */
export const needsAnalysis = ({ gravity, fit = 'cover', width, height }: Recipe): boolean =>
  isFound(gravity) && fit === 'cover' && width !== undefined && height !== undefined

/**
 * Decides a transform to the pixel. Throws `UnprocessableImage` for a result that is too large, at all
 * or for the format that was named.
 */
export function planTransform(facts: FocusedFacts, options: TransformOptions): PlannedTransform {
  const { recipe } = options
  const { header } = facts
  const { focus, note } = chooseFocus(usefulGravity(recipe), facts)
  const wanted = wantedFormat(facts, options)
  const isAnimated = isMoving(facts, recipe) && (wanted === 'webp' || wanted === 'gif')
  const frames = isAnimated ? header.frames : 1
  const size = { width: header.width, height: header.height }
  const source = { size, isVector: header.format === 'svg', frames }
  const { resize, crop, canvas } = layOut(recipe, source, flippedFocus(focus, recipe))
  const { format, why } = affordableFormat(wanted, {
    pixels: areaOf(resultSizeOf({ resize, crop, canvas })),
    options,
    hasAlpha: header.hasAlpha || canvas !== undefined,
  })
  const plan: TransformPlan = {
    kind: 'transform',
    isAnimated,
    resize,
    flip: recipe.flip,
    crop,
    canvas,
    blurSigma: recipe.blur === undefined ? undefined : recipe.blur / 2,
    sharpen: recipe.sharpen,
    output: outputOf(format, facts, options),
  }
  return { plan, notes: [crop && note, why].filter((each) => each !== undefined) }
}

/** Where an encoder does not ask for something it is the same for all, or equal results had two keys. */
function outputOf(format: OutputFormat, facts: MediaFacts, options: TransformOptions): OutputSpec {
  const isLossless = format === 'png' || format === 'gif'
  return {
    format,
    quality: isLossless ? 100 : qualityOf(options),
    effort: 'fast',
    isGraphic: format === 'avif' && isGraphic(facts),
  }
}

/** What was found in the image moves with it; sides are those of what is seen. */
const flippedFocus =
  (focus: Focus, { flip, gravity }: Recipe): Focus =>
  (share) => {
    const { x, y } = focus(share)
    if (flip === undefined || !isFound(gravity)) return { x, y }
    return { x: flip.includes('h') ? 1 - x : x, y: flip.includes('v') ? 1 - y : y }
  }

const usefulGravity = (recipe: Recipe): Recipe['gravity'] =>
  isFound(recipe.gravity) && !needsAnalysis(recipe) ? 'center' : recipe.gravity

/** What `Save-Data: on` lowers the quality to where the caller asked for none. */
const savingQuality = 60

const qualityOf = ({ recipe, savesData }: TransformOptions): number =>
  recipe.quality ?? (savesData ? savingQuality : defaultQuality)

const isMoving = ({ header }: MediaFacts, { isAnimated }: Recipe): boolean =>
  isAnimated && header.frames > 1

function wantedFormat(
  facts: MediaFacts,
  { recipe, accepted, chosenFormat }: TransformOptions,
): OutputFormat {
  if (chosenFormat !== undefined) return chosenFormat
  if (recipe.format !== 'auto' && recipe.format !== 'svg') return recipe.format
  const { hasAlpha } = facts.header
  return chooseFormat(accepted, { isAnimated: isMoving(facts, recipe), hasAlpha })
}

interface Affordability {
  /** Of one frame: what moves is bounded as a whole. */
  readonly pixels: number
  readonly options: TransformOptions
  readonly hasAlpha: boolean
}

/** A format that was named is made or refused; one that is ours to choose may give way to another. */
function affordableFormat(
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
  return { format: instead ?? (hasAlpha ? 'png' : 'jpeg'), why: `too-large-for-${format}` }
}

const tooLargeFor = (format: OutputFormat, pixels: number, most: number): ServiceError =>
  new ServiceError(
    'UnprocessableImage',
    `The result would have ${(pixels / 1e6).toFixed(1)} megapixels; as ${format} at most ${most / 1e6} are made: ask for a smaller one, or for another format`,
    { target: 'format' },
  )

/** Of all frames together. */
export const pixelsOf = (plan: TransformPlan, frames: number): number =>
  areaOf(resultSizeOf(plan)) * (plan.isAnimated ? frames : 1)

const areaOf = ({ width, height }: Size): number => width * height

/** How much larger than the result a copy must be, so that scaling it down loses nothing visible. */
const maxMipShare = 0.75

/** The smallest copy that is large enough, or `undefined` where only the original will do. */
export function chooseMip(plan: TransformPlan, facts: MediaFacts): MipFacts | undefined {
  if (plan.isAnimated || facts.header.frames > 1) return undefined
  return facts.analysis?.mips
    .toSorted((a, b) => a.width - b.width)
    .find(
      (mip) =>
        plan.resize.width <= mip.width * maxMipShare &&
        plan.resize.height <= mip.height * maxMipShare,
    )
}

export interface JobSource {
  readonly path: string
  readonly mip: MipFacts | undefined
}

/** The job that carries a plan out. */
export function transformJobOf(
  plan: TransformPlan,
  facts: MediaFacts,
  { path, mip }: JobSource,
): TransformJob {
  return { ...plan, source: { path, ...sourceShape(facts, mip) } }
}

function sourceShape({ header }: MediaFacts, mip: MipFacts | undefined) {
  if (mip === undefined) return { size: header, ...shapeOf(header) }
  const { width, height, channels } = mip
  const size = { width, height }
  const isSrgb = true
  return channels === undefined
    ? { format: 'jpeg' as const, size, isSrgb }
    : { format: 'png' as const, size, isSrgb, raw: { ...size, channels }, hasAlpha: channels === 4 }
}

/** What a renderer wants to know of a source before it opens it. */
export const shapeOf = ({
  format,
  isSrgb,
  hasAlpha,
  isProgressive,
  frames,
}: MediaFacts['header']) => ({
  format,
  isSrgb,
  hasAlpha,
  isProgressive,
  frames,
})

/** Before anyone has looked at the pixels the format is the best guess. */
const isGraphic = ({ header, analysis }: MediaFacts): boolean =>
  analysis?.isGraphic ?? (header.format === 'svg' || header.format === 'gif')
