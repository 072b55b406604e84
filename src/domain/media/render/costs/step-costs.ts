import type { Adjustment, OutputFormat, OutputSpec } from '../../../../ports/media/renderer.ts'
import type { TransformPlan } from '../../recipe/plan/transform-plan.ts'

/** Of a plan, what is not a step but where it begins and ends. */
type NoStep = 'kind' | 'isAnimated' | 'frame' | 'resize' | 'overlays' | 'output'
type Step = Exclude<keyof TransformPlan, NoStep>
type Costs = {
  readonly [Each in Step]: number | ((value: NonNullable<TransformPlan[Each]>) => number)
}

/**
 * Milliseconds of a core that each step adds for a megapixel of the result, at most: what `bench/steps.ts`
 * measured. A step that a plan gains has to be measured before it compiles. 0 is what nobody could measure.
 */
const stepMs: Costs = {
  isAsStored: 0,
  region: 0,
  flip: 3,
  rotate: 8,
  crop: 0,
  canvas: 2,
  background: 1,
  blurSigma: blurMs,
  sharpen: 28,
  adjust: adjustMs,
  gamma: 6,
  pixelate: 14,
  opacity: 18,
  // The lines of one that is as wide as the image.
  texts: (texts) => 26 * texts.length,
  radius: 17,
  padding: 2,
  border: 5,
}

/** More for each pixel that it reaches, up to where it is made on a smaller copy. */
function blurMs(sigma: number): number {
  return sigma > 16 ? 55 : 3 + 1.7 * sigma
}

function adjustMs({ brightness, contrast, saturation, tint, ...mixed }: Adjustment): number {
  const { hue, sepia, isInverted } = mixed
  const isMixed = saturation !== 1 || hue !== undefined || sepia !== undefined
  return (
    (brightness !== 1 || contrast !== 1 ? 13 : 0) +
    (isMixed ? 18 : 0) +
    (tint === undefined ? 0 : 14) +
    (isInverted === true ? 1 : 0)
  )
}

/** What all steps of a plan add for a megapixel of its result. */
export const stepsMs = (plan: TransformPlan): number =>
  (Object.keys(stepMs) as Step[]).reduce((sum, step) => sum + msOf(stepMs[step], plan[step]), 0)

function msOf(cost: Costs[Step], value: TransformPlan[Step]): number {
  if (value === undefined) return 0
  // The cost of a step is a function of what the plan says of this step alone.
  return typeof cost === 'number' ? cost : (cost as (known: typeof value) => number)(value)
}

const encodeMs: Readonly<Record<OutputFormat, number>> = {
  jpeg: 8,
  webp: 35,
  avif: 70,
  png: 45,
  gif: 150,
}
/** Between that of a graphic and that of a photograph. */
const losslessMs = { webp: 400, avif: 240 } as const
/** AVIF's tools for screens. */
const graphicFactor = 2.5
const progressiveFactor = { jpeg: 2, png: 1.5 } as const
const filterFactor = 2
/** So often is something encoded that has to fit. */
const encodesToFit = 7
/** What is as similar as was asked for may be of a higher quality than usual. */
const similarFactor = 1.3
/** Three pieces of the image each way, encoded three times and compared. */
const similarityMs = 40
const triedMegapixels = 0.45

/** What encoding the result once takes for a megapixel of it. */
function onceMs(output: OutputSpec): number {
  const { format, isLossless, isGraphic, isProgressive, hasFilters } = output
  if (isLossless === true && (format === 'webp' || format === 'avif')) return losslessMs[format]
  const isSlow = isProgressive === true && (format === 'jpeg' || format === 'png')
  return (
    encodeMs[format] *
    (isGraphic ? graphicFactor : 1) *
    (isSlow ? progressiveFactor[format] : 1) *
    (hasFilters === true ? filterFactor : 1)
  )
}

/** What encoding takes for a result of so many megapixels, until it is as it was asked for. */
export function encodingMs(output: OutputSpec, megapixels: number): number {
  const { maxBytes, similarity } = output
  const once = onceMs(output)
  const times = maxBytes === undefined ? 1 : encodesToFit
  if (similarity === undefined) return megapixels * once * times
  return similarityMs + triedMegapixels * once + megapixels * once * times * similarFactor
}
