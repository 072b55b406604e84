import type { MediaFacts, MipFacts } from '../../../ports/media/media-facts-store.ts'
import type { OutputFormat, Size, TransformJob } from '../../../ports/media/renderer.ts'
import type { AcceptedFormats } from './accepted-formats.ts'
import { chooseFormat } from './choose-format.ts'
import { chooseFocus, isFound } from './gravity.ts'
import { ServiceError } from '../../errors.ts'
import { encoderLimitOf } from './image-limits.ts'
import { type Layout, layOut, resultSizeOf } from './layout.ts'
import type { Recipe } from './recipe.ts'
import { defaultQuality, type Gravity, savingQuality } from './recipe-values.ts'

/** Everything that decides what the result looks like, and nothing else. */
export interface TransformPlan extends Layout {
  readonly sourceSha256: string
  readonly isAnimated: boolean
  readonly blurSigma: number | undefined
  readonly sharpen: number | undefined
  readonly format: OutputFormat
  readonly quality: number
  readonly notes: readonly string[]
}

export interface Wishes {
  readonly recipe: Recipe
  readonly accepted: AcceptedFormats
  readonly savesData: boolean
}

/** Whether the pixels have to be looked at first: only a crop is led by what is found in them. */
export const needsAnalysis = ({ gravity, fit, width, height }: Recipe): boolean =>
  isFound(gravity) && fit === 'cover' && width !== undefined && height !== undefined

/**
 * Decides a transform to the pixel. Throws `UnprocessableImage` for a result that is too large, at all
 * or for the format that was named.
 */
export function planTransform(facts: MediaFacts, wishes: Wishes): TransformPlan {
  const { recipe } = wishes
  const { header } = facts
  const { focus, note } = chooseFocus(usefulGravity(recipe), facts)
  const wanted = wantedFormat(facts, wishes)
  const isAnimated = isMoving(facts, recipe) && (wanted === 'webp' || wanted === 'gif')
  const frames = isAnimated ? header.frames : 1
  const source = { size: header, isVector: header.format === 'svg', frames }
  const layout = layOut(recipe, source, focus)
  const { format, why } = affordableFormat(wanted, {
    pixels: areaOf(resultSizeOf(layout)),
    wishes,
    hasAlpha: header.hasAlpha || layout.canvas !== undefined,
  })
  return {
    ...layout,
    sourceSha256: facts.sha256,
    isAnimated,
    blurSigma: recipe.blur === undefined ? undefined : recipe.blur / 2,
    sharpen: recipe.sharpen,
    format,
    quality: qualityOf(wishes),
    notes: [layout.crop && note, why].filter((each) => each !== undefined),
  }
}

const usefulGravity = (recipe: Recipe): Gravity =>
  isFound(recipe.gravity) && !needsAnalysis(recipe) ? 'center' : recipe.gravity

const qualityOf = ({ recipe, savesData }: Wishes): number =>
  recipe.quality ?? (savesData ? savingQuality : defaultQuality)

const isMoving = ({ header }: MediaFacts, { isAnimated }: Recipe): boolean =>
  isAnimated && header.frames > 1

function wantedFormat(facts: MediaFacts, { recipe, accepted }: Wishes): OutputFormat {
  if (recipe.format !== 'auto' && recipe.format !== 'svg') return recipe.format
  const { hasAlpha } = facts.header
  return chooseFormat(accepted, { isAnimated: isMoving(facts, recipe), hasAlpha })
}

interface Affordability {
  /** Of one frame: what moves is bounded as a whole. */
  readonly pixels: number
  readonly wishes: Wishes
  readonly hasAlpha: boolean
}

/** A format that was named is made or refused; one that is ours to choose may give way to another. */
function affordableFormat(
  format: OutputFormat,
  { pixels, wishes: { recipe, accepted }, hasAlpha }: Affordability,
): { readonly format: OutputFormat; readonly why?: string } {
  const limit = encoderLimitOf(format, hasAlpha)
  if (pixels <= (recipe.isFormatNamed ? limit.named : limit.chosen)) return { format }
  if (recipe.isFormatNamed) throw tooLargeFor(format, pixels, limit.named)
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

/** All frames together. */
export const pixelsOf = (plan: TransformPlan, frames: number): number =>
  areaOf(resultSizeOf(plan)) * (plan.isAnimated ? frames : 1)

const areaOf = ({ width, height }: Size): number => width * height

/** Raised when the same plan would give other bytes, so that no variant of before is served. */
const engineVersion = 1

/** Equal for every spelling of one transform. */
export function variantKeyOf(plan: TransformPlan): string {
  const { sourceSha256, resize, crop, canvas, isAnimated, blurSigma, sharpen } = plan
  const isLossless = plan.format === 'png' || plan.format === 'gif'
  const parts = [
    `sedge-${engineVersion}`,
    sourceSha256,
    `${resize.width}x${resize.height}`,
    crop && `crop=${crop.width}x${crop.height}+${crop.left}+${crop.top}`,
    canvas && `canvas=${canvas.size.width}x${canvas.size.height}+${canvas.left}+${canvas.top}`,
    isAnimated ? 'animated' : 'still',
    blurSigma && `blur=${blurSigma}`,
    sharpen && `sharpen=${sharpen}`,
    plan.format,
    isLossless ? undefined : `q=${plan.quality}`,
  ]
  return new Bun.CryptoHasher('sha256').update(parts.join('|')).digest('hex')
}

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
  const { crop, canvas, blurSigma, sharpen } = plan
  return {
    kind: 'transform',
    source: { path, ...sourceShape(facts, mip) },
    isAnimated: plan.isAnimated,
    resize: plan.resize,
    ...(crop && { crop }),
    ...(canvas && { canvas }),
    ...(blurSigma !== undefined && { blurSigma }),
    ...(sharpen !== undefined && { sharpen }),
    output: {
      format: plan.format,
      quality: plan.quality,
      effort: 'fast',
      isGraphic: isGraphic(facts),
    },
  }
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
