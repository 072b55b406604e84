import { canonicalType, sniffedBytes, sniffMediaType } from '../../../lib/bytes/sniff-media-type.ts'
import type { UploadGrantStore } from '../../../ports/access/upload-grant-store.ts'
import type { StagedUploadRecord } from '../../../ports/content/staged-upload-store.ts'
import type { Change, Tree } from '../../../ports/content/content-store.ts'
import { type AssetPath, fileNameOf } from '../../content/asset-path.ts'
import type { MetadataPatch } from '../../content/metadata/edit-metadata.ts'
import { contentTypeOf, declaredType } from '../../content/media-type.ts'
import { ServiceError } from '../../errors.ts'
import type { WholeUploadCheck } from '../uploads.ts'
import { isAllowedType } from './allowed-types.ts'
import { grantIsOver, grantIsUsedUp } from './grant-actor.ts'
import type { UploadGrants } from './grants.ts'

interface Dependencies {
  readonly grants: Pick<UploadGrants, 'standing'>
  readonly store: Pick<UploadGrantStore, 'takeUse' | 'noteStored'>
  readonly describedBeside: (
    tree: Tree,
    said: { readonly path: AssetPath; readonly patch: MetadataPatch },
  ) => Promise<readonly Change[]>
}

/**
 * What is asked of an upload with a grant when all its bytes are there: that the grant still stands, that
 * the bytes are of a type that it allows, and that a use is left. From then on the use is spent.
 */
export const createGrantCheck =
  ({ grants, store, describedBeside }: Dependencies): WholeUploadCheck =>
  async (upload, firstBytes) => {
    const { id, grant, commit } = upload
    if (grant === undefined) return undefined
    const record = await grants.standing(grant.id)
    if (record === undefined) throw grantIsOver()
    // Bytes that were about to be stored before have been looked at, and lie elsewhere now.
    const contentType =
      grant.types === undefined || commit !== undefined
        ? undefined
        : allowedTypeOf(await firstBytes(sniffedBytes), { ...upload, types: grant.types })
    if (!(await store.takeUse(grant.id, id))) throw grantIsUsedUp()
    await store.noteStored(id)
    const { metadata: patch } = record
    const path = upload.path as AssetPath
    return {
      contentType,
      ...(patch && { beside: (tree) => describedBeside(tree, { path, patch }) }),
    }
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
