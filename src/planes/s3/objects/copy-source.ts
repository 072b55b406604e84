import { type Actor, reaches } from '../../../domain/access/actor.ts'
import { evaluatePreconditions } from '../../../http/request/conditional.ts'
import { S3Error } from '../s3-error.ts'
import { bucketNamed, headerOfPreview, type NamedBucket } from '../s3-preview.ts'
import type { S3Request } from '../s3-request.ts'
import { type FoundObject, type FindDependencies, findObjectAt } from './find-object.ts'
import { preconditionFailed, quotingTags } from './object-response.ts'
import { onlyVersionId } from './only-version.ts'
import { digestOf, entityTag } from './object-state.ts'
import type { ContentDigests } from '../../../domain/content/objects/content-digests.ts'

export interface CopySourceDependencies extends FindDependencies {
  readonly digests: Pick<ContentDigests, 'known' | 'of'>
  readonly sources: CopySources
}

/** What can be copied from, wherever the copy goes. */
export interface CopySources {
  readonly zoneExists: (name: string) => boolean
  /** Refuses a preview that is not there with `PreviewNotFound`. */
  open(bucket: NamedBucket, actor: Actor): Promise<OpenedSource>
}

export interface OpenedSource {
  readonly finding: FindDependencies
  /** The newest commit of what the source is of, where the copy is not of the same. */
  readonly elsewhere: string | undefined
}

export interface FoundSource extends FoundObject, Pick<OpenedSource, 'elsewhere'> {}

/**
 * The object that `x-amz-copy-source` names, which the caller must be allowed to read, and of which
 * `x-amz-copy-source-if-…` must hold.
 */
export async function findCopySource(
  asked: S3Request,
  dependencies: CopySourceDependencies,
): Promise<FoundSource> {
  const { request, caller } = asked
  const { sources } = dependencies
  const {
    bucket: name,
    key,
    versionId,
  } = readCopySource(request.headers.get('x-amz-copy-source') ?? '')
  const { zone, preview: named } = bucketNamed(name, sources.zoneExists)
  if (!caller.scopes.has('storage:read') || !reaches(caller.actor, zone))
    throw new S3Error('AccessDenied', 'Access Denied')
  // The header means all of its bucket that the request names.
  const isOfHeader = named === undefined && zone === asked.bucket
  const preview = isOfHeader ? headerOfPreview(request.headers) : named
  const { finding, elsewhere } = await sources.open({ zone, preview }, caller.actor)
  const isOnly = preview !== undefined && versionId === onlyVersionId
  const wanted = isOnly ? undefined : versionId
  const found = await findObjectAt({ ...asked, bucket: zone, key }, wanted, finding)
  await requireConditions(request, found, dependencies)
  // Of previews no version is named that could not be asked for.
  const state = preview === undefined ? found.state : { ...found.state, versionId: undefined }
  return { ...found, state, elsewhere }
}

interface NamedSource {
  readonly bucket: string
  readonly key: string
  readonly versionId: string | undefined
}

const maxLength = 4096

/** `/bucket/key?versionId=…`, percent-encoded, with or without its first slash. */
function readCopySource(field: string): NamedSource {
  if (field.length > maxLength) throw badSource()
  const [path, query] = splitOnce(field, '?versionId=')
  const [bucket, key] = splitOnce(path.startsWith('/') ? path.slice(1) : path, '/')
  const source = { bucket: decoded(bucket), key: decoded(key ?? ''), versionId: query }
  if (source.bucket === '' || source.key === '') throw badSource()
  return source
}

function splitOnce(text: string, separator: string): readonly [string, string?] {
  const place = text.indexOf(separator)
  return place === -1 ? [text] : [text.slice(0, place), text.slice(place + separator.length)]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw badSource()
  }
}

const badSource = () =>
  new S3Error(
    'InvalidArgument',
    'Copy Source must mention the source bucket and key: sourcebucket/sourcekey',
    { elements: { ArgumentName: 'x-amz-copy-source' } },
  )

const prefix = 'x-amz-copy-source-'

async function requireConditions(
  { headers }: Request,
  { state }: FoundObject,
  { digests }: CopySourceDependencies,
): Promise<void> {
  const own = new Headers()
  for (const name of ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since']) {
    const value = headers.get(`${prefix}${name}`)
    if (value !== null) own.set(name, value)
  }
  if ([...own].length === 0) return
  const validators = {
    etag: entityTag(state, (await digestOf(state, digests)).md5),
    lastModified: state.changedAt,
  }
  const asked = { method: 'GET', headers: quotingTags(own) }
  if (evaluatePreconditions(asked, validators) !== 'proceed') throw preconditionFailed()
}
