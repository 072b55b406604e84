import type { MediaFacts, MipFacts } from '../../../../ports/media/media-facts-store.ts'
import type { Box, RenderSource, Size, TransformJob } from '../../../../ports/media/renderer.ts'
import type { TransformPlan } from './transform-plan.ts'

/** How much larger than the result a copy must be, so that scaling it down loses nothing visible. */
const maxMipShare = 0.75

const takenShare = ({ region }: TransformPlan, { width, height }: Size): Size =>
  region === undefined
    ? { width: 1, height: 1 }
    : { width: region.width / width, height: region.height / height }

const losslessFormats: ReadonlySet<MediaFacts['header']['format']> = new Set(['png', 'gif', 'svg'])

/** The smallest copy that is large enough, or `undefined` where only the original will do. */
export function chooseMip(plan: TransformPlan, facts: MediaFacts): MipFacts | undefined {
  const { header } = facts
  if (plan.isAnimated || header.frames > 1) return undefined
  // A copy knows nothing but its pixels, and not each of them.
  const { metadata, isLossless, keepsProfile } = plan.output
  if (metadata !== undefined || isLossless === true || keepsProfile === true) return undefined
  const wantsPixels = plan.output.format === 'png' && losslessFormats.has(header.format)
  const taken = takenShare(plan, header)
  return facts.analysis?.mips
    .toSorted((a, b) => a.width - b.width)
    .find(
      (mip) =>
        // A JPEG has lost what an image without loss is asked for to keep.
        !(wantsPixels && mip.channels === undefined) &&
        plan.resize.width <= mip.width * taken.width * maxMipShare &&
        plan.resize.height <= mip.height * taken.height * maxMipShare,
    )
}

export interface JobSource {
  readonly path: string
  readonly mip: MipFacts | undefined
  /** Those of the plan, in their order. */
  readonly overlays?: readonly RenderSource[]
}

/** The job that carries a plan out. */
export function transformJobOf(
  plan: TransformPlan,
  facts: MediaFacts,
  { path, mip, overlays = [] }: JobSource,
): TransformJob {
  const source = { path, ...sourceShape(facts, mip) }
  const job = { ...plan, source, overlays: overlayJobs(plan, overlays) }
  const { region } = plan
  if (region === undefined || mip === undefined) return job
  return { ...job, region: scaledBox(region, facts.header, mip) }
}

const overlayJobs = (
  { overlays }: TransformPlan,
  sources: readonly RenderSource[],
): TransformJob['overlays'] =>
  overlays?.flatMap(({ sha256: _sha256, ...overlay }, index) => {
    const source = sources[index]
    return source === undefined ? [] : [{ ...overlay, source }]
  })

/** The same part of a smaller copy; at least a pixel of it. */
function scaledBox({ left, top, width, height }: Box, from: Size, to: Size): Box {
  const [x, y] = [to.width / from.width, to.height / from.height]
  const start = { left: Math.floor(left * x), top: Math.floor(top * y) }
  return {
    ...start,
    width: Math.max(1, Math.min(to.width, Math.ceil((left + width) * x)) - start.left),
    height: Math.max(1, Math.min(to.height, Math.ceil((top + height) * y)) - start.top),
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
