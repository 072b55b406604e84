import type { BlobStore } from '../../../ports/content/blob-store.ts'
import {
  type ImageHeader,
  RenderSourceError,
  type SourceFormat,
  UnrenderableImageError,
} from '../../../ports/media/renderer.ts'
import type { StillKind } from '../../../ports/media/still-maker.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import { ServiceError } from '../../errors.ts'
import { inspectCost } from '../render/costs/cost-model.ts'
import { sourceMissing } from '../render/render-refusal.ts'
import type { RenderQueue, Work } from '../render/render-queue.ts'
import { requireRenderable, type Sources, sourcePath } from '../render/sources.ts'
import { stillKindOf } from '../stills/still-kind.ts'
import { fileOfName, readStillName } from '../stills/still-names.ts'
import { nothingToSee, type Stills } from '../stills/stills.ts'
import { sniffedBytes, sniffImageType } from './image-type.ts'

/** `sha256` names the pixels: of a still with the place in the file behind it (`stillName`). */
export type ImageRecord = Pick<AssetRecord, 'sha256' | 'zone' | 'sizeBytes'>

export interface Asking {
  readonly priority: Work<never>['priority']
  readonly signal?: AbortSignal | undefined
}

export interface InspectionDependencies extends Sources {
  readonly queue: RenderQueue
  readonly blobs: Pick<BlobStore, 'open'>
  readonly stills?: Stills | undefined
}

/** Reads the header of an image, or that of the still that is made of what is none. */
export type Inspection = (image: ImageRecord, asking: Asking) => Promise<ImageHeader>

export function createInspection(dependencies: InspectionDependencies): Inspection {
  const { queue, blobs, stills } = dependencies

  async function headerOf(
    { zone, signal }: Pick<ImageRecord, 'zone'> & Pick<Asking, 'signal'>,
    path: string,
    format: SourceFormat,
  ): Promise<ImageHeader> {
    const job = { kind: 'inspect', path, format } as const
    const work = { job, zone, cost: inspectCost, priority: 'interactive', signal } as const
    return (await queue.run(work)).result
  }

  /** What lies beside the pixels is in the file, and not in the still that is made of it. */
  async function carriedBy(image: ImageRecord, kind: StillKind, { signal }: Asking) {
    if (kind !== 'heic' && kind !== 'tiff') return undefined
    const { zone, sizeBytes } = image
    const file = { zone, sizeBytes, sha256: fileOfName(image.sha256) }
    const path = await sourcePath(dependencies, file)
    const job = { kind: 'carried', path, format: kind } as const
    const work = { job, zone, cost: inspectCost, priority: 'interactive' } as const
    return (await queue.run({ ...work, signal })).result
  }

  async function inspectStill(
    image: ImageRecord,
    head: Uint8Array,
    asking: Asking,
  ): Promise<ImageHeader> {
    const { isThumbnail = false } = readStillName(image.sha256).at
    const kind = isThumbnail ? thumbnailKindOf(head) : stillKindOf(head)
    if (kind === undefined || stills === undefined)
      throw new UnrenderableImageError(
        'unsupported-type',
        'is of a kind that cannot be transformed',
      )
    const { path, format, pages } = await stills.find(image, kind, asking)
    const header = await headerOf({ zone: image.zone, ...asking }, path, format)
    const carried = await carriedBy(image, kind, asking)
    return {
      ...header,
      ...(carried && { carried }),
      still: { of: kind, ...(pages !== undefined && { pages }) },
    }
  }

  return async (image, asking) => {
    const head = await headOf(blobs, image)
    const format = sniffImageType(head)
    if (format === undefined || readStillName(image.sha256).at.isThumbnail === true)
      return await inspectStill(image, head, asking)
    requireRenderable(image)
    requireFirstPage(image)
    const path = await sourcePath(dependencies, image)
    return await headerOf({ zone: image.zone, ...asking }, path, format)
  }
}

/** Thumbnails of other kinds of files are often of what the image was before it was cut. */
function thumbnailKindOf(head: Uint8Array): StillKind {
  const isHeif = stillKindOf(head) === 'heic' || sniffImageType(head) === 'avif'
  if (!isHeif) throw nothingToSee()
  return 'thumbnail'
}

/** What the first bytes say counts; what the file is called, or said to be, is not asked. */
async function headOf(
  blobs: Pick<BlobStore, 'open'>,
  { sha256: name, sizeBytes }: ImageRecord,
): Promise<Uint8Array> {
  const { sha256 } = readStillName(name)
  const blob = await blobs.open(sha256, { start: 0, end: Math.min(sizeBytes, sniffedBytes) })
  if (blob === undefined) throw sourceMissing()
  return await blob.bytes().catch(lost)
}

/** An image is one page, and no moment. */
function requireFirstPage({ sha256: name }: ImageRecord): void {
  const { page = 1, seconds, preview } = readStillName(name).at
  if (page === 1 && seconds === undefined && preview === undefined) return
  throw new ServiceError('UnprocessableImage', 'The image has one page', {
    target: page !== 1 ? 'page' : seconds === undefined ? 'preview' : 't',
  })
}

/** It was there a moment ago. */
function lost(cause: unknown): never {
  throw new RenderSourceError('The image is not where it should be', { cause })
}
