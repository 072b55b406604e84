import type { StagedUploadRecord } from '../../../ports/content/staged-upload-store.ts'
import type { AssetPath } from '../../content/asset-path.ts'
import { writtenOf } from '../upload-records.ts'
import type { CompletedUpload, MultipartUpload, UploadPreview } from './multipart-uploads.ts'

/** What is recorded of an upload in parts, for whoever asks for it. */
export const multipartOf = (record: StagedUploadRecord): MultipartUpload => ({
  id: record.id,
  path: record.path as AssetPath,
  clientMetadata: record.clientMetadata,
  createdAt: record.createdAt,
  credentialId: record.credentialId,
  completed: completedOf(record),
})

/** Whether an upload is for the preview, or where there is none for what is live. */
export const isFor = (
  { preview, createdAt }: StagedUploadRecord,
  wanted: UploadPreview | undefined,
): boolean => preview === wanted?.name && (wanted === undefined || createdAt >= wanted.createdAt)

export function completedOf(record: StagedUploadRecord): CompletedUpload | undefined {
  const written = writtenOf(record)
  return written && { written, completedAs: record.inParts?.completedAs ?? '' }
}
