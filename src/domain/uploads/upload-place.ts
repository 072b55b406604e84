import type { StagedUploadRecord } from '../../ports/content/staged-upload-store.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import type { Actor } from '../access/actor.ts'
import type { Files } from '../content/files/files.ts'
import { ServiceError } from '../errors.ts'

/** Where uploads go: to what is live, or to a preview. */
export interface UploadPlace {
  readonly files: Pick<Files, 'put'>
  readonly published: Pick<Manifest, 'asset' | 'zone'>
  /** The newest commit of a preview; `undefined` of what is live. */
  readonly commitId: string | undefined
}

export interface UploadPlaces extends Omit<UploadPlace, 'commitId'> {
  /** Refuses a preview that is not there with `PreviewNotFound`. Left out where there are none. */
  readonly ofPreview?: (zone: string, name: string, actor: Actor) => Promise<UploadPlace>
}

export async function placeOfUpload(
  { zone, preview }: Pick<StagedUploadRecord, 'zone' | 'preview'>,
  actor: Actor,
  { files, published, ofPreview }: UploadPlaces,
): Promise<UploadPlace> {
  if (preview === undefined) return { files, published, commitId: undefined }
  if (ofPreview !== undefined) return await ofPreview(zone, preview, actor)
  throw new ServiceError('PreviewNotFound', `There is no preview ${JSON.stringify(preview)}`, {
    target: 'preview',
  })
}
