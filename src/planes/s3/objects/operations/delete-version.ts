import type { Actor } from '../../../../domain/access/actor.ts'
import type { ObjectPlace } from '../../../../domain/content/objects/object-place.ts'
import type {
  VersionRemoval,
  VersionRemovals,
} from '../../../../domain/content/objects/version-removals.ts'
import { S3Error } from '../../s3-error.ts'
import { checkedVersionId } from '../find-object.ts'

export interface VersionDependencies {
  readonly versionRemovals: VersionRemovals
}

interface NamedVersion {
  readonly place: ObjectPlace
  readonly versionId: string
  readonly actor: Actor
}

/** Takes the newest version back; older ones are what git is for, and stay. */
export async function takeVersion(
  { place, versionId, actor }: NamedVersion,
  { versionRemovals }: VersionDependencies,
): Promise<VersionRemoval> {
  const outcome = await versionRemovals.remove(place, checkedVersionId(versionId), actor)
  if (outcome === 'history')
    throw new S3Error(
      'NotImplemented',
      'Only the newest version of an object can be deleted: history is kept in git.',
    )
  return outcome
}

export async function deleteVersion(
  version: NamedVersion,
  dependencies: VersionDependencies,
): Promise<Response> {
  const outcome = await takeVersion(version, dependencies)
  const headers = {
    'x-amz-version-id': version.versionId,
    ...(outcome === 'deletion' && { 'x-amz-delete-marker': 'true' }),
  }
  return new Response(null, { status: 204, headers })
}
