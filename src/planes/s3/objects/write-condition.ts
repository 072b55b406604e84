import type { AssetPath } from '../../../domain/content/asset-path.ts'
import type { Precondition } from '../../../domain/content/files/files.ts'
import type { ContentDigests } from '../../../domain/content/objects/content-digests.ts'
import { evaluatePreconditions } from '../../../http/request/conditional.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import { noSuchKey } from './find-object.ts'
import { preconditionFailed, quotingTags } from './object-response.ts'
import { digestOf, entityTag, stateOf } from './object-state.ts'

export interface ConditionDependencies {
  readonly published: Pick<Manifest, 'asset'>
  readonly digests: Pick<ContentDigests, 'known' | 'of'>
}

/**
 * `If-Match` and `If-None-Match` of a write, to be asked of what is stored when it is written. What an
 * entity-tag names is looked up now, and is these bytes from then on. Refuses what does not hold already.
 */
export async function writeCondition(
  { headers }: Pick<Request, 'headers'>,
  path: AssetPath,
  { published, digests }: ConditionDependencies,
): Promise<Precondition | undefined> {
  if (!headers.has('if-match') && !headers.has('if-none-match')) return undefined
  const asset = published.asset(path)
  const state = asset && stateOf(asset)
  if (state === undefined && headers.has('if-match'))
    throw noSuchKey(path.split('/').slice(2).join('/'))
  const etag = state && entityTag(state, (await digestOf(state, digests)).md5)
  const holds = (current: { readonly etag: string | undefined } | undefined) =>
    evaluatePreconditions(
      { method: 'PUT', headers: onlyTags(headers) },
      current && { etag: current.etag, lastModified: undefined },
    ) === 'proceed'
  if (!holds(state && { etag })) throw preconditionFailed()
  // Bytes that came meanwhile have another entity-tag.
  return (sha256) =>
    holds(sha256 === undefined ? undefined : { etag: sha256 === state?.sha256 ? etag : '""' })
}

const onlyTags = (headers: Headers) => {
  const quoted = quotingTags(headers)
  return {
    get: (name: string) =>
      name.startsWith('if-') && name.endsWith('match') ? quoted.get(name) : null,
  }
}
