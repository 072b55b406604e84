import type { SourceFormat } from '../../../../ports/media/renderer.ts'
import type { MediaFacts, MipFacts } from '../../../../ports/media/media-facts-store.ts'
import type { ImageHeader, Rendered, Size } from '../../../../ports/media/renderer.ts'
import { ServiceError } from '../../../errors.ts'
import { resultSizeOf } from '../../recipe/plan/layout.ts'
import type { TransformPlan } from '../../recipe/plan/transform-plan.ts'
import { encodingMs, stepsMs } from './step-costs.ts'

/** What a job will probably take, and which earlier jobs that is judged by. */
export interface Cost {
  readonly kind: string
  readonly cpuMs: number
}

/** Predicts CPU time, and learns from what jobs took on this machine. */
export interface CostModel {
  /** The prediction, corrected by what jobs of the same kind took lately. */
  predict(cost: Cost): number
  observe(cost: Cost, cpuMs: number): void
}

/** Milliseconds of one core for a megapixel, measured; decoders that shrink while decoding do less. */
const decodeMsPerMegapixel: Readonly<Record<SourceFormat, number>> = {
  jpeg: 2,
  png: 12,
  webp: 12,
  gif: 10,
  avif: 40,
  svg: 20,
}
const progressiveFactor = 4.3
const resizeMsPerMegapixel = 6
const trimMsPerMegapixel = 15
/** Of what is laid over an image, and of what it covers. */
const drawMsPerMegapixel = 25
const blendMsPerMegapixel = 22
const baseMs = 2
const analysedDrawing = { width: 512, height: 512 }
/** Reading a header. */
export const inspectCost: Cost = { kind: 'inspect', cpuMs: 2 }
/** And all that is in it. */
export const detailsCost: Cost = { kind: 'details', cpuMs: 3 }

/** Decoders that can leave most of it out do. */
export const summariseCost = (header: ImageHeader): Cost => ({
  kind: `summarise-${header.format}`,
  cpuMs: 2 * baseMs + (header.format === 'svg' ? 0 : megapixels(header) * decodeMs(header)),
})

export function analyseCost(header: ImageHeader): Cost {
  // An SVG is looked at in one size, whatever size it says it has.
  const pixels = megapixels(header.format === 'svg' ? analysedDrawing : header)
  return { kind: `analyse-${header.format}`, cpuMs: 60 + pixels * decodeMs(header) * 2 }
}

/** All of it is decoded, and looked at. */
export const trimCost = (header: ImageHeader): Cost => ({
  kind: `trim-${header.format}`,
  cpuMs: baseMs + megapixels(header) * (decodeMs(header) + trimMsPerMegapixel),
})

/** What a transform is made of besides its plan. */
export interface TransformSources {
  readonly mip: MipFacts | undefined
  /** Those of the plan, in their order. */
  readonly overlays?: readonly { readonly facts: Pick<MediaFacts, 'header'> }[] | undefined
}

export function transformCost(
  plan: TransformPlan,
  { header }: Pick<MediaFacts, 'header'>,
  { mip, overlays = [] }: TransformSources,
): Cost {
  const frames = plan.isAnimated ? header.frames : 1
  const decode =
    mip === undefined
      ? sourcePixels(header, plan) * decodeMs(header)
      : megapixels(mip) * decodeMsPerMegapixel.jpeg
  const result = megapixels(resultSizeOf(plan))
  const made = result * (resizeMsPerMegapixel + stepsMs(plan)) + encodingMs(plan.output, result)
  return {
    kind: `${mip === undefined ? header.format : 'mip'}-${plan.output.format}`,
    cpuMs: baseMs + frames * (decode + made) + overlaysMs(plan, { overlays, frames, result }),
  }
}

/** Each is decoded and scaled once, and laid over each frame; an SVG is drawn at the size that it has there. */
function overlaysMs(plan: TransformPlan, { overlays, frames, result }: Readonly<Laid>): number {
  const costs = overlays.map(({ facts: { header } }, index) => {
    const { box = header, gap } = plan.overlays?.[index] ?? {}
    const decoded = megapixels(header.format === 'svg' ? box : header) * decodeMs(header)
    const covered = gap === undefined ? megapixels(box) : result
    return decoded + megapixels(box) * drawMsPerMegapixel + frames * covered * blendMsPerMegapixel
  })
  return costs.reduce((sum, ms) => sum + ms, 0)
}

interface Laid {
  readonly overlays: NonNullable<TransformSources['overlays']>
  readonly frames: number
  /** Megapixels of the result. */
  readonly result: number
}

/** An SVG costs by the size it is drawn at. */
const sourcePixels = (header: ImageHeader, plan: TransformPlan): number =>
  megapixels(header.format === 'svg' ? plan.resize : header)

const decodeMs = ({ format, isProgressive }: ImageHeader): number =>
  decodeMsPerMegapixel[format] * (format === 'jpeg' && isProgressive ? progressiveFactor : 1)

const megapixels = ({ width, height }: Size): number => (width * height) / 1e6

const learningRate = 0.2
const minFactor = 0.1
const maxFactor = 20

export function createCostModel(): CostModel {
  const factorByKind = new Map<string, number>()
  const factorOf = (kind: string) => factorByKind.get(kind) ?? 1
  return {
    predict: ({ kind, cpuMs }) => cpuMs * factorOf(kind),
    observe(cost, cpuMs) {
      const seen = Math.min(maxFactor, Math.max(minFactor, cpuMs / cost.cpuMs))
      const before = factorOf(cost.kind)
      factorByKind.set(cost.kind, before + learningRate * (seen - before))
    },
  }
}

/** What one image may cost, by what is known before any of it is decoded. */
export function requireWithin({ cpuMs }: Pick<Cost, 'cpuMs'>, maxCostMs: number): void {
  if (cpuMs <= maxCostMs) return
  throw new ServiceError(
    'UnprocessableImage',
    `The image would take about ${seconds(cpuMs)} of a processor, of ${seconds(maxCostMs)} that one may take: ask for a smaller one, another format, or for less to be done with it`,
    { context: { Cost: Math.round(cpuMs), MaxCost: maxCostMs } },
  )
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** What most images cost at most. */
const usualMs = 200

/** For how many usual images one counts where a network's are counted. */
export const shareOf = ({ cpuMs }: Pick<Cost, 'cpuMs'>): number =>
  Math.max(1, Math.ceil(cpuMs / usualMs))

/** What a job took is what the next ones of its kind are judged by. */
export const learnWith =
  (costs: CostModel, slowdown: ReturnType<typeof createSlowdown>) =>
  async <T>(cost: Cost, rendering: Promise<Rendered<T>>): Promise<Rendered<T>> => {
    const rendered = await rendering
    costs.observe(cost, rendered.cpuMs)
    slowdown.learn(rendered)
    return rendered
  }

const slowdownLearningRate = 0.1
const maxSlowdown = 8

/** How much wall-clock time a millisecond of CPU time takes: others use the machine too. */
export function createSlowdown() {
  let factor = 1
  return {
    get factor() {
      return factor
    },
    learn({ cpuMs, wallMs }: Rendered<unknown>): void {
      if (cpuMs < 1) return
      const seen = Math.min(maxSlowdown, Math.max(1, wallMs / cpuMs))
      factor += slowdownLearningRate * (seen - factor)
    },
  }
}
