import type { SourceFormat } from '../../ports/renderer.ts'
import { sniffedBytes, sniffImageType } from './image-type.ts'
import type { BlobStore } from '../../ports/blob-store.ts'
import type { AnalysedFacts } from '../../ports/media-facts-store.ts'
import type { AssetRecord } from '../../ports/publication-store.ts'
import type { ImageHeader } from '../../ports/renderer.ts'
import type { SourceFiles } from '../../ports/source-files.ts'
import { ServiceError } from '../errors.ts'
import { analyseCost, inspectCost } from './cost-model.ts'
import { renderRefusal } from './render-refusal.ts'
import type { RenderQueue, Work } from './render-queue.ts'
import type { SmallerCopies } from './smaller-copies.ts'
import { shapeOf } from './transform-plan.ts'

export type PictureRecord = Pick<AssetRecord, 'sha256' | 'zone' | 'sizeBytes'>

export interface Asking {
  readonly priority: Work<never>['priority']
  readonly signal?: AbortSignal | undefined
}

/** Has pictures looked at where they can do no harm. */
export interface Examiner {
  /** Throws `UnprocessableImage` for what is no picture we can work on. */
  inspect(picture: PictureRecord, signal: AbortSignal): Promise<ImageHeader>
  /** Looks at every pixel, and keeps the smaller copies that it makes. */
  analyse(picture: PictureRecord, header: ImageHeader, asking: Asking): Promise<AnalysedFacts>
}

export interface ExaminerDependencies {
  readonly queue: RenderQueue
  readonly blobs: Pick<BlobStore, 'open'>
  readonly files: Pick<SourceFiles, 'path'>
  readonly copies: SmallerCopies
}

const maxSourceBytes = 25 * 2 ** 20

export function createExaminer({ queue, blobs, files, copies }: ExaminerDependencies): Examiner {
  return {
    async inspect(picture, signal) {
      const format = await formatOf(blobs, picture)
      const path = await sourcePath(files, picture.sha256)
      const work = {
        job: { kind: 'inspect', path, format },
        zone: picture.zone,
        cost: inspectCost,
        priority: 'interactive',
        signal,
      } as const
      return (await queue.run(work).catch(renderRefusal)).result
    },
    async analyse({ sha256, zone }, header, asking) {
      const isVector = header.format === 'svg'
      const path = await sourcePath(files, sha256)
      const job = {
        kind: 'analyse',
        source: { path, size: header, ...shapeOf(header) },
        mipWidths: isVector || header.frames > 1 ? [] : copies.widths,
        findFaces: !isVector,
      } as const
      const work = { job, zone, cost: analyseCost(header), ...asking }
      const { result } = await queue.run(work).catch(renderRefusal)
      return { ...result, mips: await copies.keep(sha256, result.mips) }
    },
  }
}

/** By the bytes; what the file is called, or said to be, is not asked. */
async function formatOf(
  blobs: Pick<BlobStore, 'open'>,
  { sha256, sizeBytes }: PictureRecord,
): Promise<SourceFormat> {
  if (sizeBytes > maxSourceBytes) throw unprocessable('must have at most 25 MB')
  const blob = await blobs.open(sha256, { start: 0, end: Math.min(sizeBytes, sniffedBytes) })
  if (blob === undefined) throw sourceMissing()
  const format = sniffImageType(await blob.bytes())
  if (format === undefined) throw unprocessable('is of a kind that cannot be transformed')
  return format
}

export async function sourcePath(
  files: Pick<SourceFiles, 'path'>,
  sha256: string,
): Promise<string> {
  const path = await files.path(sha256)
  if (path === undefined) throw sourceMissing()
  return path
}

const unprocessable = (what: string) => new ServiceError('UnprocessableImage', `The image ${what}`)

const sourceMissing = () =>
  new ServiceError('Unavailable', 'The image is not at hand now; try again in a few seconds')
