import type { AnalysedFacts, MediaFacts } from '../../../ports/media/media-facts-store.ts'
import type { ImageSummary } from '../../../ports/media/image-summary.ts'
import type { Box, ImageHeader, RenderSource } from '../../../ports/media/renderer.ts'
import { analyseCost, detailsCost, summariseCost, trimCost } from '../render/costs/cost-model.ts'
import type { SmallerCopies } from '../render/smaller-copies.ts'
import { sourcePath, withSoundSource } from '../render/sources.ts'
import { shapeOf } from '../recipe/plan/job-of-plan.ts'
import {
  type Asking,
  createInspection,
  type ImageRecord,
  type InspectionDependencies,
} from './inspection.ts'

/** Has images looked at where they can do no harm. */
export interface Examiner {
  /** Of what is no image the header of its still. Throws `UnprocessableImage` for what has none. */
  inspect(image: ImageRecord, asking: Asking): Promise<ImageHeader>
  /** Looks at as few pixels as will do. */
  summarise(image: ImageRecord, header: ImageHeader, asking: Asking): Promise<ImageSummary>
  /** Looks at every pixel, and keeps the smaller copies that it makes. What stands for the image stays as it is. */
  analyse(image: ImageRecord, known: KnownFacts, asking: Asking): Promise<AnalysedFacts>
  /** What is left of it without its border. */
  trim(image: ImageRecord, wanted: Trimming, asking: Asking): Promise<Box>
  /** Its EXIF orientation, 1 to 8. */
  orientation(image: ImageRecord, header: ImageHeader, asking: Asking): Promise<number>
}

export type KnownFacts = Pick<MediaFacts, 'header' | 'summary'>

export interface Trimming {
  readonly header: ImageHeader
  /** How much of 255 a pixel of the border may differ. */
  readonly threshold: number
  /** `#rrggbb`; that of the left upper corner where left out. */
  readonly color?: string | undefined
}

export interface ExaminerDependencies extends InspectionDependencies {
  readonly copies: SmallerCopies
}

export function createExaminer(dependencies: ExaminerDependencies): Examiner {
  const { queue, copies } = dependencies

  const inspect = createInspection(dependencies)

  async function sourceOf(image: ImageRecord, header: ImageHeader): Promise<RenderSource> {
    const path = await sourcePath(dependencies, image, header.still)
    return { path, size: header, ...shapeOf(header) }
  }

  async function summarise(image: ImageRecord, header: ImageHeader, asking: Asking) {
    const job = { kind: 'summarise', source: await sourceOf(image, header) } as const
    return (await queue.run({ job, zone: image.zone, cost: summariseCost(header), ...asking }))
      .result
  }

  async function look(image: ImageRecord, { header, summary }: KnownFacts, asking: Asking) {
    const { zone } = image
    const isVector = header.format === 'svg'
    const job = {
      kind: 'analyse',
      source: await sourceOf(image, header),
      ...(summary && { summary }),
      mipWidths: isVector || header.frames > 1 ? [] : copies.widths,
      findFaces: !isVector,
    } as const
    return (await queue.run({ job, zone, cost: analyseCost(header), ...asking })).result
  }

  async function trim(
    image: ImageRecord,
    { header, threshold, color }: Trimming,
    asking: Asking,
  ): Promise<Box> {
    const source = await sourceOf(image, header)
    const job = { kind: 'trim', source, threshold, ...(color !== undefined && { color }) } as const
    return (await queue.run({ job, zone: image.zone, cost: trimCost(header), ...asking })).result
  }

  async function orientation(
    image: ImageRecord,
    { format, still }: ImageHeader,
    asking: Asking,
  ): Promise<number> {
    if (format === 'svg') return 1
    const { zone } = image
    const path = await sourcePath(dependencies, image, still)
    const job = { kind: 'details', path, format } as const
    return (await queue.run({ job, zone, cost: detailsCost, ...asking })).result.orientation
  }

  return {
    orientation: (image, header, asking) =>
      withSoundSource(dependencies, image.sha256, () => orientation(image, header, asking)),
    trim: (image, wanted, asking) =>
      withSoundSource(dependencies, image.sha256, () => trim(image, wanted, asking)),
    inspect: (image, asking) =>
      withSoundSource(dependencies, image.sha256, () => inspect(image, asking)),
    summarise: (image, header, asking) =>
      withSoundSource(dependencies, image.sha256, () => summarise(image, header, asking)),
    async analyse(image, known, asking) {
      const { sha256 } = image
      const found = await withSoundSource(dependencies, sha256, () => look(image, known, asking))
      return { ...found, mips: await copies.keep(sha256, found.mips) }
    },
  }
}
