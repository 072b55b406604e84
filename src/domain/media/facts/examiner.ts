import type { SourceFormat } from '../../../ports/media/renderer.ts'
import { sniffedBytes, sniffImageType } from './image-type.ts'
import type { BlobStore } from '../../../ports/content/blob-store.ts'
import type { AnalysedFacts } from '../../../ports/media/media-facts-store.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import {
  type Box,
  type ImageHeader,
  RenderSourceError,
  UnrenderableImageError,
} from '../../../ports/media/renderer.ts'
import { analyseCost, inspectCost, trimCost } from '../render/cost-model.ts'
import { sourceMissing } from '../render/render-refusal.ts'
import type { RenderQueue, Work } from '../render/render-queue.ts'
import type { SmallerCopies } from '../render/smaller-copies.ts'
import { requireRenderable, type Sources, sourcePath, withSoundSource } from '../render/sources.ts'
import { shapeOf } from '../recipe/plan/job-of-plan.ts'

export type ImageRecord = Pick<AssetRecord, 'sha256' | 'zone' | 'sizeBytes'>

export interface Asking {
  readonly priority: Work<never>['priority']
  readonly signal?: AbortSignal | undefined
}

/** Has images looked at where they can do no harm. */
export interface Examiner {
  /** Throws `UnprocessableImage` for what is no image we can work on. */
  inspect(image: ImageRecord, signal: AbortSignal): Promise<ImageHeader>
  /** Looks at every pixel, and keeps the smaller copies that it makes. */
  analyse(image: ImageRecord, header: ImageHeader, asking: Asking): Promise<AnalysedFacts>
  /** What is left of it without its border. */
  trim(image: ImageRecord, wanted: Trimming, asking: Asking): Promise<Box>
}

export interface Trimming {
  readonly header: ImageHeader
  /** How much of 255 a pixel of the border may differ. */
  readonly threshold: number
}

export interface ExaminerDependencies extends Sources {
  readonly queue: RenderQueue
  readonly blobs: Pick<BlobStore, 'open'>
  readonly copies: SmallerCopies
}

export function createExaminer(dependencies: ExaminerDependencies): Examiner {
  const { queue, blobs, copies } = dependencies

  async function inspect(image: ImageRecord, signal: AbortSignal): Promise<ImageHeader> {
    const format = await formatOf(blobs, image)
    const path = await sourcePath(dependencies, image.sha256)
    const work = {
      job: { kind: 'inspect', path, format },
      zone: image.zone,
      cost: inspectCost,
      priority: 'interactive',
      signal,
    } as const
    return (await queue.run(work)).result
  }

  async function look({ sha256, zone }: ImageRecord, header: ImageHeader, asking: Asking) {
    const isVector = header.format === 'svg'
    const path = await sourcePath(dependencies, sha256)
    const job = {
      kind: 'analyse',
      source: { path, size: header, ...shapeOf(header) },
      mipWidths: isVector || header.frames > 1 ? [] : copies.widths,
      findFaces: !isVector,
    } as const
    return (await queue.run({ job, zone, cost: analyseCost(header), ...asking })).result
  }

  async function trim(
    { sha256, zone }: ImageRecord,
    { header, threshold }: Trimming,
    asking: Asking,
  ): Promise<Box> {
    const path = await sourcePath(dependencies, sha256)
    const source = { path, size: header, ...shapeOf(header) }
    const job = { kind: 'trim', source, threshold } as const
    return (await queue.run({ job, zone, cost: trimCost(header), ...asking })).result
  }

  return {
    trim: (image, wanted, asking) =>
      withSoundSource(dependencies, image.sha256, () => trim(image, wanted, asking)),
    inspect: (image, signal) =>
      withSoundSource(dependencies, image.sha256, () => inspect(image, signal)),
    async analyse(image, header, asking) {
      const { sha256 } = image
      const found = await withSoundSource(dependencies, sha256, () => look(image, header, asking))
      return { ...found, mips: await copies.keep(sha256, found.mips) }
    },
  }
}

/** By the bytes; what the file is called, or said to be, is not asked. */
async function formatOf(
  blobs: Pick<BlobStore, 'open'>,
  { sha256, sizeBytes }: ImageRecord,
): Promise<SourceFormat> {
  requireRenderable({ sizeBytes })
  const blob = await blobs.open(sha256, { start: 0, end: Math.min(sizeBytes, sniffedBytes) })
  if (blob === undefined) throw sourceMissing()
  const format = sniffImageType(await blob.bytes().catch(lost))
  if (format === undefined)
    throw new UnrenderableImageError('unsupported-type', 'is of a kind that cannot be transformed')
  return format
}

/** It was there a moment ago. */
function lost(cause: unknown): never {
  throw new RenderSourceError('The image is not where it should be', { cause })
}
