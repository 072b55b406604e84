import { RenderSourceError, UnrenderableImageError } from '../../../ports/media/renderer.ts'
import type { StillOrigin } from '../../../ports/media/renderer.ts'
import type { BlobStore } from '../../../ports/content/blob-store.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import { ServiceError } from '../../errors.ts'
import { fileOfName } from '../stills/still-names.ts'
import { renderRefusal, sourceMissing } from './render-refusal.ts'

/** The files that images are made from. */
export interface Sources {
  readonly files: Required<Pick<BlobStore, 'path'>>
  /**
   * Compares bytes that look wrong with what they should be, and puts them right where they are others.
   * Answers whether it did. Left out where nobody can.
   */
  readonly mend?: ((sha256: string) => Promise<boolean>) | undefined
  /** What stands for files that are no images; left out where nothing does. */
  readonly stills?: StillFiles | undefined
}

/** `sha256` names the pixels: of a still with the place in the file behind it (`stillName`). */
export interface SourceRecord extends Pick<AssetRecord, 'sha256' | 'zone'> {
  /** Of the file. Left out by who has a still's header already: the file was small enough to make it once. */
  readonly sizeBytes?: AssetRecord['sizeBytes']
}

export interface StillFiles {
  /** A local file with the still, which is made anew where it was forgotten. */
  path(still: SourceRecord, origin: StillOrigin): Promise<string>
  /** Forgets all that was made of a file. */
  forget(name: string): Promise<void>
}

/** Throws `Unavailable` where it is not at hand. `still` says that it is one. */
export async function sourcePath(
  { files, stills }: Sources,
  source: SourceRecord,
  still?: StillOrigin,
): Promise<string> {
  const path =
    still === undefined ? await files.path(source.sha256) : await stills?.path(source, still)
  if (path === undefined) throw sourceMissing()
  return path
}

/** What is larger may be here in parts alone. */
export function requireRenderable({ sizeBytes }: { readonly sizeBytes: number }): void {
  if (sizeBytes > maxSourceBytes)
    throw new ServiceError('UnprocessableImage', 'The image must have at most 25 MB')
}

const maxSourceBytes = 25 * 2 ** 20

const doubtfulReasons: ReadonlySet<string> = new Set(['damaged', 'crashed', 'unsupported-type'])

/**
 * Does work that reads the bytes `sha256`. An image is refused as damaged only where its bytes are its
 * own: where they were lost or others, they are put right and the work is done once more. Rejects in
 * terms of the service.
 */
export async function withSoundSource<T>(
  { mend }: Pick<Sources, 'mend'>,
  sha256: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isDoubtful(error) || !(await mend?.(fileOfName(sha256)))) return renderRefusal(error)
    return await work().catch(renderRefusal)
  }
}

const isDoubtful = (error: unknown): boolean =>
  error instanceof RenderSourceError ||
  (error instanceof UnrenderableImageError && doubtfulReasons.has(error.reason))
