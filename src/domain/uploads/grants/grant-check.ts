import { canonicalType, sniffedBytes, sniffMediaType } from '../../../lib/bytes/sniff-media-type.ts'
import type { UploadGrantStore } from '../../../ports/access/upload-grant-store.ts'
import type { StagedUploadRecord } from '../../../ports/content/staged-upload-store.ts'
import { fileNameOf } from '../../content/asset-path.ts'
import { contentTypeOf, declaredType } from '../../content/media-type.ts'
import { ServiceError } from '../../errors.ts'
import type { WholeUploadCheck } from '../uploads.ts'
import { isAllowedType } from './allowed-types.ts'
import { grantIsOver, grantIsUsedUp } from './grant-actor.ts'
import type { UploadGrants } from './grants.ts'

interface Dependencies {
  readonly grants: Pick<UploadGrants, 'standing'>
  readonly store: Pick<UploadGrantStore, 'takeUse' | 'noteStored'>
}

/**
 * What is asked of an upload with a grant when all its bytes are there: that the grant still stands, that
 * the bytes are of a type that it allows, and that a use is left. From then on the use is spent.
 */
export const createGrantCheck =
  ({ grants, store }: Dependencies): WholeUploadCheck =>
  async (upload, firstBytes) => {
    const { id, grant, commit } = upload
    if (grant === undefined) return undefined
    if ((await grants.standing(grant.id)) === undefined) throw grantIsOver()
    // Bytes that were about to be stored before have been looked at, and lie elsewhere now.
    const type =
      grant.types === undefined || commit !== undefined
        ? undefined
        : allowedTypeOf(await firstBytes(sniffedBytes), { ...upload, types: grant.types })
    if (!(await store.takeUse(grant.id, id))) throw grantIsUsedUp()
    await store.noteStored(id)
    return type
  }

interface Judged extends Pick<StagedUploadRecord, 'path' | 'contentType'> {
  readonly types: readonly string[]
}

/**
 * Refuses bytes that are of no type the grant allows, whatever they are called. Answers what they are to be
 * stored as, where that is not what they are called.
 */
export function allowedTypeOf(
  head: Uint8Array,
  { path, contentType, types }: Judged,
): string | undefined {
  const fileName = fileNameOf(path)
  const named = declaredType(contentType, fileName) ?? contentTypeOf(fileName)
  const type = sniffMediaType(head, named)
  if (!isAllowedType(type, types))
    throw new ServiceError(
      'UnsupportedMediaType',
      `The grant allows ${types.join(', ')}; the bytes are ${type}`,
      { target: 'body' },
    )
  if (type === canonicalType(named)) return undefined
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type
}
