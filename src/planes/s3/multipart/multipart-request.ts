import type { MultipartPlace } from '../../../domain/uploads/multipart/multipart-uploads.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import type { AssetPath } from '../../../domain/content/asset-path.ts'
import { namedObject, requireBucket } from '../objects/find-object.ts'
import { findablePlace } from '../objects/object-key.ts'
import { S3Error } from '../s3-error.ts'
import type { S3Request } from '../s3-request.ts'

export interface NamedUpload extends MultipartPlace {
  readonly bucket: string
  readonly key: string
}

/** The upload that a request of an object names; not looked up. */
export function namedUpload(asked: S3Request, published: Pick<Manifest, 'zone'>): NamedUpload {
  const { bucket, key } = namedObject(asked)
  requireBucket(bucket, asked, published)
  const place = findablePlace(bucket, key)
  if (place?.kind !== 'asset') throw noSuchUpload()
  return { bucket, key, path: place.path, id: asked.query.get('uploadId') ?? '' }
}

export const noSuchUpload = () =>
  new S3Error(
    'NoSuchUpload',
    'The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.',
  )

/** The key of an object at a path of its bucket. */
export const keyOfPath = (path: AssetPath | string): string => path.split('/').slice(2).join('/')

export function partNumberIn(query: URLSearchParams): number {
  const text = query.get('partNumber') ?? ''
  const number = /^\d{1,5}$/u.test(text) ? Number(text) : 0
  if (number >= 1 && number <= 10_000) return number
  throw new S3Error(
    'InvalidArgument',
    'Part number must be an integer between 1 and 10000, inclusive',
    { elements: { ArgumentName: 'partNumber', ArgumentValue: text.slice(0, 100) } },
  )
}

interface Count {
  readonly usual: number
  readonly most: number
}

/** A whole number that a parameter says. */
export function countIn(query: URLSearchParams, name: string, { usual, most }: Count): number {
  const text = query.get(name)
  if (text === null || text === '') return usual
  if (!/^\d{1,10}$/u.test(text) || Number(text) > 2 ** 31 - 1)
    throw new S3Error(
      'InvalidArgument',
      `Argument ${name} must be an integer between 0 and 2147483647`,
      { elements: { ArgumentName: name, ArgumentValue: text.slice(0, 100) } },
    )
  return Math.min(Number(text), most)
}
