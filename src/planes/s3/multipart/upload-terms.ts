import type { ObjectWords } from '../../../domain/content/objects/object-sidecar.ts'
import type { MultipartUpload } from '../../../domain/uploads/multipart/multipart-uploads.ts'
import type { ObjectChecksum } from '../../../ports/records/asset-metadata.ts'
import type { ChecksumPlan } from './whole-checksum.ts'

/** What whoever begins an upload says of the object that it will be. */
export interface UploadTerms {
  readonly words: ObjectWords
  readonly checksum?: ChecksumPlan
}

/** As the upload keeps it. */
export const keptTerms = (terms: UploadTerms): string => JSON.stringify(terms)

export const termsOf = ({
  clientMetadata = '{"words":{}}',
}: Pick<MultipartUpload, 'clientMetadata'>) => JSON.parse(clientMetadata) as UploadTerms

/** What whoever completes an upload is told, and told again. */
export interface CompletedTerms {
  /** Without its quotes. */
  readonly etag: string
  readonly checksum?: ObjectChecksum
}

export const completedTermsOf = (completedAs: string) => JSON.parse(completedAs) as CompletedTerms
