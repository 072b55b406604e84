import type {
  ObjectRemoval,
  ObjectRemovals,
  RemovalOutcome,
} from '../../../../domain/content/objects/object-removals.ts'
import {
  type ObjectPlace,
  placeInRepository,
} from '../../../../domain/content/objects/object-place.ts'
import type { Manifest } from '../../../../ports/records/manifest.ts'
import { type S3Error, toS3Error } from '../../s3-error.ts'
import type { S3Operations, S3Request } from '../../s3-request.ts'
import {
  elementsOf,
  malformed,
  readXml,
  requiredTextIn,
  textIn,
  type XmlElement,
} from '../../xml/read-xml.ts'
import { onlyVersionId } from '../only-version.ts'
import { xmlResponse } from '../../xml/xml-response.ts'
import { markerHeaders, namedObject, requireBucket } from '../find-object.ts'
import { findablePlace } from '../object-key.ts'
import { preconditionFailed } from '../object-response.ts'
import { deleteVersion, takeVersion, type VersionDependencies } from './delete-version.ts'
import { type ConditionDependencies, writeCondition } from '../write-condition.ts'

export interface DeleteDependencies extends ConditionDependencies, VersionDependencies {
  readonly removals: ObjectRemovals
  readonly published: Pick<Manifest, 'asset' | 'zone'>
  /** What goes leaves no marker, and its only version is called `null`. */
  readonly isUnversioned?: true
}

/**
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObject.html and
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjects.html
 */
export const deleteObjects: S3Operations<DeleteDependencies> = (dependencies) => [
  {
    name: 'DeleteObject',
    method: 'DELETE',
    target: 'object',
    scope: 'storage:write',
    handle: (asked) => deleteOne(asked, dependencies),
  },
  {
    name: 'DeleteObjects',
    method: 'POST',
    target: 'bucket',
    query: ['delete'],
    scope: 'storage:write',
    handle: (asked) => deleteMany(asked, dependencies),
  },
]

async function deleteOne(asked: S3Request, dependencies: DeleteDependencies): Promise<Response> {
  const { bucket, key } = namedObject(asked)
  requireBucket(bucket, asked, dependencies.published)
  const place = findablePlace(bucket, key)
  if (place === undefined) return new Response(null, { status: 204 })
  const versionId = asked.query.get('versionId')
  if (versionId !== null)
    return await deleteVersion({ place, versionId, caller: asked.caller }, dependencies)
  const removal = await removalOf(place, asked.request.headers, dependencies)
  const { outcomes, commitId } = await dependencies.removals.remove(
    bucket,
    [removal],
    asked.caller.actor,
  )
  if (outcomes[0] === 'kept') throw preconditionFailed()
  return new Response(null, {
    status: 204,
    headers: commitId === undefined ? {} : markerHeaders(commitId),
  })
}

async function removalOf(
  place: ObjectPlace,
  headers: Headers,
  dependencies: DeleteDependencies,
): Promise<ObjectRemoval> {
  if (place.kind === 'marker') return { place }
  return { place, precondition: await writeCondition({ headers }, place.path, dependencies) }
}

const maxKeys = 1000

interface NamedKey {
  readonly key: string
  readonly versionId: string | undefined
  readonly etag: string | undefined
}

/** Of each key what became of it, in their order. */
type Deleted =
  | { readonly named: NamedKey; readonly outcome: RemovalOutcome; readonly isMarked: boolean }
  | { readonly named: NamedKey; readonly error: S3Error }

async function deleteMany(asked: S3Request, dependencies: DeleteDependencies): Promise<Response> {
  const bucket = asked.bucket ?? ''
  requireBucket(bucket, asked, dependencies.published)
  const { isUnversioned = false } = dependencies
  const { keys, isQuiet } = await readKeys(asked, isUnversioned)
  const planned = await Promise.all(keys.map((named) => plan(bucket, named, dependencies)))
  const removals = new Map<string, ObjectRemoval>()
  for (const { removal } of planned)
    if (removal !== undefined) removals.set(placeInRepository(removal.place), removal)
  const places = [...removals.keys()]
  const { outcomes, commitId } =
    removals.size === 0
      ? { outcomes: [], commitId: undefined }
      : await dependencies.removals.remove(bucket, [...removals.values()], asked.caller.actor)
  const taken = await takeVersions(bucket, { keys, caller: asked.caller }, dependencies)
  const results = planned.map(({ named, removal, error }): Deleted => {
    if (error !== undefined) return { named, error }
    const version = taken.get(named)
    if (version !== undefined) return version
    const outcome = removal && outcomes[places.indexOf(placeInRepository(removal.place))]
    if (outcome === 'kept') return { named, error: preconditionFailed() }
    return {
      named,
      outcome: outcome ?? 'absent',
      isMarked: outcome === 'removed' && !isUnversioned,
    }
  })
  return deleteResult(results, { isQuiet, commitId })
}

/** One after another: each is a commit of its own. */
async function takeVersions(
  bucket: string,
  { keys, caller }: { readonly keys: readonly NamedKey[]; readonly caller: S3Request['caller'] },
  dependencies: DeleteDependencies,
): Promise<ReadonlyMap<NamedKey, Deleted>> {
  const taken = new Map<NamedKey, Deleted>()
  for (const named of keys) {
    const { key, versionId } = named
    if (versionId === undefined) continue
    const result = await attempt<Deleted>(named, async () => {
      const place = findablePlace(bucket, key)
      const removed = place && (await takeVersion({ place, versionId, caller }, dependencies))
      return { named, outcome: 'absent', isMarked: removed === 'deletion' }
    })
    taken.set(named, result)
  }
  return taken
}

/** What is refused of one key is told of that key. */
async function attempt<T>(
  named: NamedKey,
  work: () => Promise<T>,
): Promise<T | { readonly named: NamedKey; readonly error: S3Error }> {
  try {
    return await work()
  } catch (thrown) {
    const error = toS3Error(thrown)
    if (error.code === 'InternalError' || error.code === 'ServiceUnavailable') throw thrown
    return { named, error }
  }
}

interface Planned {
  readonly named: NamedKey
  /** Absent where there can be no such object, and where a version is named. */
  readonly removal?: ObjectRemoval
  readonly error?: S3Error
}

async function plan(
  bucket: string,
  named: NamedKey,
  dependencies: DeleteDependencies,
): Promise<Planned> {
  if (named.versionId !== undefined) return { named }
  return await attempt<Planned>(named, async () => {
    const place = findablePlace(bucket, named.key)
    if (place === undefined) return { named }
    const headers = new Headers(named.etag === undefined ? {} : { 'if-match': named.etag })
    return { named, removal: await removalOf(place, headers, dependencies) }
  })
}

async function readKeys({ content }: S3Request, isUnversioned: boolean) {
  // Each key is an element; whether results are wanted is another one.
  const root = await readXml(content, 'Delete', { maxItems: maxKeys + 2 })
  const keys = elementsOf(root, 'Object').map((object) => ({
    key: requiredTextIn(object, 'Key'),
    versionId: versionIn(object, isUnversioned),
    etag: textIn(object, 'ETag'),
  }))
  if (keys.length === 0 || keys.length > maxKeys)
    throw malformed(`it must name 1 to ${maxKeys} keys`)
  return { keys, isQuiet: textIn(root, 'Quiet')?.toLowerCase() === 'true' }
}

function versionIn(object: XmlElement, isUnversioned: boolean): string | undefined {
  const versionId = textIn(object, 'VersionId')
  return isUnversioned && versionId === onlyVersionId ? undefined : versionId
}

interface Answered {
  readonly isQuiet: boolean
  readonly commitId: string | undefined
}

function deleteResult(results: readonly Deleted[], { isQuiet, commitId }: Answered): Response {
  const deleted = results.flatMap((result) =>
    'error' in result || isQuiet ? [] : [deletedElement(result.named, result.isMarked, commitId)],
  )
  const errors = results.flatMap((result) =>
    'error' in result ? [errorElement(result.named, result.error)] : [],
  )
  return xmlResponse('DeleteResult', { Deleted: deleted, Error: errors })
}

const deletedElement = (
  { key, versionId }: NamedKey,
  isMarked: boolean,
  commitId: string | undefined,
) => ({
  Key: key,
  VersionId: versionId,
  ...(isMarked && { DeleteMarker: true, DeleteMarkerVersionId: versionId ?? commitId }),
})

const errorElement = ({ key, versionId }: NamedKey, { code, message }: S3Error) => ({
  Key: key,
  VersionId: versionId,
  Code: code,
  Message: message,
})
