import type { AssetPath } from '../../../../domain/content/asset-path.ts'
import type { DirectoryMarkers } from '../../../../domain/content/objects/directory-markers.ts'
import type { ObjectCopies } from '../../../../domain/content/objects/object-copies.ts'
import type { MarkerPlace } from '../../../../domain/content/objects/object-place.ts'
import type { ObjectWords } from '../../../../domain/content/objects/object-sidecar.ts'
import { S3Error } from '../../s3-error.ts'
import type { S3Operations, S3Request } from '../../s3-request.ts'
import { xmlResponse } from '../../xml/xml-response.ts'
import { refuseAbsentFeatures } from '../absent-features.ts'
import { type CopySourceDependencies, findCopySource, type FoundSource } from '../copy-source.ts'
import { type FoundObject, namedObject, requireBucket } from '../find-object.ts'
import { placeOfKey } from '../object-key.ts'
import { digestOf, entityTag } from '../object-state.ts'
import { metadataWordsOf, tagWordsOf } from '../request-words.ts'
import { writeCondition } from '../write-condition.ts'

export interface CopyDependencies extends CopySourceDependencies {
  readonly copies: ObjectCopies
  readonly markers: DirectoryMarkers
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html */
export const copyObject: S3Operations<CopyDependencies> = (dependencies) => [
  {
    name: 'CopyObject',
    method: 'PUT',
    target: 'object',
    header: 'x-amz-copy-source',
    scope: 'storage:write',
    handle: async (asked) => {
      const { bucket, key } = namedObject(asked)
      requireBucket(bucket, asked, dependencies.published)
      const to = placeOfKey(bucket, key)
      refuseAbsentFeatures(asked.request.headers, to)
      const source = await findCopySource(asked, dependencies)
      if (to.kind === 'marker') return await copyToMarker(asked, { source, to }, dependencies)
      if (source.place.kind === 'marker') throw notOfMarker()
      return await copyAsset(asked, { source, from: source.place.path, to: to.path }, dependencies)
    },
  },
]

const notOfMarker = () =>
  new S3Error(
    'InvalidRequest',
    'A directory marker can only be copied to a key that ends in a slash',
  )

async function copyToMarker(
  { request, caller }: S3Request,
  { source, to }: { readonly source: FoundObject; readonly to: MarkerPlace },
  { markers, digests }: CopyDependencies,
): Promise<Response> {
  const { state } = source
  if (state.sizeBytes > 0)
    throw new S3Error('InvalidArgument', 'key must not end in a slash where the object has bytes', {
      elements: { ArgumentName: 'key' },
    })
  const {
    sha256: _sha256,
    etag: _etag,
    parts: _parts,
    checksum: _sum,
    ...said
  } = state.object ?? {}
  const words = editOf(request.headers).words(said)
  const versionId = await markers.put({ place: to, words: () => words }, caller.actor)
  return copied({ state, versionId, etag: entityTag(state, (await digestOf(state, digests)).md5) })
}

interface AssetCopy {
  readonly source: FoundSource
  readonly from: AssetPath
  readonly to: AssetPath
}

async function copyAsset(
  { request, caller }: S3Request,
  { source: { state, isFormer, elsewhere }, from, to }: AssetCopy,
  dependencies: CopyDependencies,
): Promise<Response> {
  const { digests, published, copies } = dependencies
  const edit = editOf(request.headers)
  const isItself = from === to && !isFormer && elsewhere === undefined
  if (isItself && !edit.isEditing) throw changesNothing()
  const { sha256, contentType } = state
  const commitId = isFormer ? state.versionId : elsewhere
  const written = await copies.copy(
    {
      source: { path: from, sha256, contentType, commitId, isElsewhere: elsewhere !== undefined },
      to,
      precondition: await writeCondition(request, to, dependencies),
      contentType: edit.contentType,
      words: edit.words,
    },
    caller.actor,
  )
  const etag = entityTag(state, (await digestOf(state, digests)).md5)
  const changedAt = published.asset(to)?.changedAt ?? state.changedAt
  return copied({ state: { ...state, changedAt }, versionId: written.versionId, etag })
}

/** What is said of the copy in place of what is said of its source. */
function editOf(headers: Headers) {
  const replacesMetadata = replaces(headers, 'x-amz-metadata-directive')
  const replacesTags = replaces(headers, 'x-amz-tagging-directive')
  const metadata = replacesMetadata ? metadataWordsOf(headers) : undefined
  const tags = replacesTags ? tagWordsOf(headers) : undefined
  return {
    isEditing: replacesMetadata || replacesTags,
    contentType: replacesMetadata ? headers.get('content-type') : undefined,
    words: (said: ObjectWords): ObjectWords => ({
      ...said,
      ...replacing(metadata, wordNames),
      ...replacing(tags, ['tags']),
    }),
  }
}

const wordNames = ['user', 'headers'] as const

/** What is not said any more is taken back. */
const replacing = (
  words: ObjectWords | undefined,
  names: readonly (keyof ObjectWords)[],
): ObjectWords =>
  words === undefined ? {} : { ...Object.fromEntries(names.map((name) => [name, {}])), ...words }

function replaces(headers: Headers, name: string): boolean {
  const directive = headers.get(name) ?? 'COPY'
  if (directive === 'COPY' || directive === 'REPLACE') return directive === 'REPLACE'
  throw new S3Error('InvalidArgument', `Unknown directive in ${name}`, {
    elements: { ArgumentName: name, ArgumentValue: directive.slice(0, 100) },
  })
}

const changesNothing = () =>
  new S3Error(
    'InvalidRequest',
    "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes.",
  )

interface Copied extends Pick<FoundObject, 'state'> {
  readonly versionId: string | undefined
  readonly etag: string
}

function copied({ state, versionId, etag }: Copied): Response {
  const response = xmlResponse('CopyObjectResult', {
    LastModified: state.changedAt.toISOString(),
    ETag: etag,
  })
  if (versionId !== undefined) response.headers.set('x-amz-version-id', versionId)
  if (state.versionId !== undefined)
    response.headers.set('x-amz-copy-source-version-id', state.versionId)
  return response
}
