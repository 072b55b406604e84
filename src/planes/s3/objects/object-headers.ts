import type { ContentDigest } from '../../../ports/objects/content-digest-store.ts'
import { isHarmless, sandboxPolicy } from '../../../lib/text/media-types.ts'
import type { ObjectChecksum } from '../../../ports/records/asset-metadata.ts'
import type { S3Request } from '../s3-request.ts'
import { fieldText } from './field-text.ts'
import { entityTag, type ObjectState } from './object-state.ts'
import { overriddenHeaders } from './response-overrides.ts'

/** The fields of every response about an object, `Content-Length` not among them. */
export function objectHeaders(
  { request, query, caller }: Pick<S3Request, 'request' | 'query' | 'caller'>,
  state: ObjectState,
  digest: ContentDigest,
): Record<string, string> {
  const { contentType, changedAt, versionId, object } = state
  const headers: Record<string, string> = {
    'content-type': contentType,
    etag: entityTag(state, digest.md5),
    'last-modified': changedAt.toUTCString(),
    'accept-ranges': 'bytes',
  }
  if (versionId !== undefined) headers['x-amz-version-id'] = versionId
  if (object !== undefined) addWords(headers, object)
  if (request.headers.get('x-amz-checksum-mode')?.toUpperCase() === 'ENABLED')
    Object.assign(headers, checksumHeaders(checksumOf(state, digest)))
  if (query.size > 0) Object.assign(headers, overriddenHeaders(query, caller))
  // On a host name of the service's own: see decision 026.
  if (!isHarmless(headers['content-type'] ?? '')) headers['content-security-policy'] = sandboxPolicy
  return headers
}

function addWords(
  headers: Record<string, string>,
  { user = {}, headers: said = {}, tags = {} }: NonNullable<ObjectState['object']>,
): void {
  for (const [name, value] of Object.entries(said)) headers[name] = fieldText(value)
  for (const [name, value] of Object.entries(user)) headers[`x-amz-meta-${name}`] = fieldText(value)
  const tagCount = Object.keys(tags).length
  if (tagCount > 0) headers['x-amz-tagging-count'] = String(tagCount)
}

/** The one that was sent, or else SHA-256, which is always known but of what came in parts. */
export function checksumOf(
  { sha256, object }: Pick<ObjectState, 'sha256' | 'object'>,
  { checksum }: ContentDigest,
): ObjectChecksum | undefined {
  if (object?.etag !== undefined) return object.checksum
  return {
    type: 'FULL_OBJECT',
    ...(checksum ?? {
      algorithm: 'SHA256',
      value: Buffer.from(sha256, 'hex').toString('base64'),
    }),
  }
}

export const checksumHeaders = (
  checksum: ObjectChecksum | undefined,
): Readonly<Record<string, string>> =>
  checksum === undefined
    ? {}
    : {
        [`x-amz-checksum-${checksum.algorithm.toLowerCase()}`]: checksum.value,
        'x-amz-checksum-type': checksum.type,
      }
