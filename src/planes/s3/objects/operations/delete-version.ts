import type { ObjectPlace } from '../../../../domain/content/objects/object-place.ts'
import type {
  VersionRemoval,
  VersionRemovals,
} from '../../../../domain/content/objects/version-removals.ts'
import type { S3Request } from '../../s3-request.ts'
import { checkedVersionId } from '../find-object.ts'

export interface VersionDependencies {
  readonly versionRemovals: VersionRemovals
}

interface NamedVersion {
  readonly place: ObjectPlace
  readonly versionId: string
  readonly caller: S3Request['caller']
}

/** Takes the newest version back. An older one goes for good, so whoever removes it may remove zones too. */
export const takeVersion = (
  { place, versionId, caller: { actor, scopes } }: NamedVersion,
  { versionRemovals }: VersionDependencies,
): Promise<VersionRemoval> =>
  versionRemovals.remove({
    place,
    versionId: checkedVersionId(versionId),
    actor,
    mayForget: scopes.has('zones:write'),
  })

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
