import type { Actor } from '../../domain/access/actor.ts'
import { isPreviewName } from '../../domain/content/previews/preview-name.ts'
import { onlyVersionId } from './objects/only-version.ts'
import { S3Error } from './s3-error.ts'
import type { S3Path } from './s3-path.ts'
import type { S3Operation, S3Request } from './s3-request.ts'

/** The operations of a preview; refuses one that is not there with `PreviewNotFound`. */
export type S3Preview = (
  zone: string,
  name: string,
  actor: Actor,
) => Promise<readonly S3Operation[]>

/** What a request is about, and the preview of the bucket that it names. */
export interface PreviewedPath extends S3Path {
  readonly preview: string | undefined
}

/** By the header `Sedge-Preview`, or a bucket `<name>--<zone>` where there is none that is called so. */
export function previewedPath(
  path: S3Path,
  headers: Headers,
  zoneExists: (name: string) => boolean,
): PreviewedPath {
  const named = headerOfPreview(headers)
  if (named !== undefined || path.bucket === undefined) return { ...path, preview: named }
  const { zone, preview } = bucketNamed(path.bucket, zoneExists)
  return { ...path, bucket: zone, preview }
}

export const headerOfPreview = (headers: Headers): string | undefined =>
  headers.get('sedge-preview')?.trim()

/** A zone, or a preview of it. */
export interface NamedBucket {
  readonly zone: string
  readonly preview: string | undefined
}

/** `<name>--<zone>` is a preview, unless a zone is called so. */
export function bucketNamed(bucket: string, zoneExists: (name: string) => boolean): NamedBucket {
  const gap = zoneExists(bucket) ? -1 : bucket.indexOf('--')
  const preview = bucket.slice(0, Math.max(0, gap))
  return isPreviewName(preview)
    ? { zone: bucket.slice(gap + 2), preview }
    : { zone: bucket, preview: undefined }
}

/** The same operation, of the preview, which is a bucket without versions. */
export async function operationOfPreview(
  { name }: S3Operation,
  { bucket, caller, query }: S3Request,
  { preview, open }: { readonly preview: string; readonly open: S3Preview },
): Promise<S3Operation> {
  if (bucket === undefined) throw new S3Error('InvalidArgument', 'A preview is of one bucket.')
  const operations = await open(bucket, preview, caller.actor)
  const found = operations.find((each) => each.name === name)
  const versionId = query.get('versionId') ?? onlyVersionId
  if (found !== undefined && versionId === onlyVersionId) return unversioned(found)
  throw new S3Error('NotImplemented', `Previews have no ${name}.`)
}

const unversioned = (operation: S3Operation): S3Operation => ({
  ...operation,
  async handle(asked) {
    const query = new URLSearchParams(asked.query)
    query.delete('versionId')
    const response = await operation.handle({ ...asked, query })
    response.headers.delete('x-amz-version-id')
    response.headers.delete('x-amz-delete-marker')
    return response
  },
})
