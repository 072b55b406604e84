import type { UploadGrantRecord } from '../../../ports/access/upload-grant-store.ts'
import type {
  StagedUploadRecord,
  StagedUploadStore,
  StoredFileCondition,
} from '../../../ports/content/staged-upload-store.ts'
import type { Actor } from '../../access/actor.ts'
import type { WrittenFile } from '../../content/files/put/file-put.ts'
import { ServiceError } from '../../errors.ts'
import type { UploadPiece, Uploads, UploadTerms } from '../uploads.ts'
import { grantIdOf, grantIsOver } from './grant-actor.ts'
import { allowedTypeOf } from './grant-check.ts'
import type { GrantUses } from './grant-uses.ts'
import { isForDirectory } from './granted-path.ts'
import type { UploadGrants } from './grants.ts'
import { judgedBytes } from './judged-bytes.ts'

/**
 * Uploads, of which those of an actor with a grant are held to what it says. One use of the grant is held
 * from the moment an upload begins, and given back where nothing comes of it.
 */
export interface GrantedUploads extends Uploads {
  /** One request that brings the whole file. Where it fails nothing of it stays. */
  store(
    terms: UploadTerms,
    body: ReadableStream<Uint8Array> | Uint8Array,
    actor: Actor,
  ): Promise<WrittenFile>
}

interface Dependencies {
  readonly uploads: Uploads
  readonly uses: GrantUses
  readonly staged: Pick<StagedUploadStore, 'find'>
  readonly grants: Pick<UploadGrants, 'standing'>
  /** Cannot be guessed. */
  readonly newId: () => string
}

export function createGrantedUploads(dependencies: Dependencies): GrantedUploads {
  const { uploads, uses, grants, newId } = dependencies

  async function begin(terms: UploadTerms, actor: Actor, isAtOnce: boolean) {
    const grantId = grantIdOf(actor)
    if (grantId === undefined) return await uploads.create(terms, actor)
    const record = await grants.standing(grantId)
    if (record === undefined) throw grantIsOver()
    const granted = { ...grantedTerms(terms, record, isAtOnce), id: newId() }
    return await uses.hold({ uploadId: granted.id, grantId, actor }, () =>
      uploads.create(granted, actor),
    )
  }

  async function append(id: string, piece: UploadPiece, actor: Actor) {
    const record = await ownRecord(id, actor, dependencies)
    if (record === undefined) return await uploads.append(id, piece, actor)
    const { types } = record.grant ?? {}
    const body =
      types === undefined || piece.offset !== 0
        ? piece.body
        : judgedBytes(piece.body, (head) => allowedTypeOf(head, { ...record, types }))
    return await uses.follow({ uploadId: id, actor }, () =>
      uploads.append(id, { ...piece, body }, actor),
    )
  }

  return {
    append,
    create: (terms, actor) => begin(terms, actor, false),

    async find(id, actor) {
      const record = await ownRecord(id, actor, dependencies)
      return record === undefined
        ? await uploads.find(id, actor)
        : await uses.follow({ uploadId: id, actor }, () => uploads.find(id, actor))
    },

    async cancel(id, actor) {
      const record = await ownRecord(id, actor, dependencies)
      await uploads.cancel(id, actor)
      if (record !== undefined) await uses.giveBackUnlessStored(id)
    },

    async store(terms, body, actor) {
      const { id, written } = await begin(terms, actor, true)
      if (written !== undefined) return written
      try {
        const upload = await append(id, { offset: 0, body, isLast: true }, actor)
        if (upload.written === undefined) throw new Error('a whole upload was not stored')
        return upload.written
      } catch (thrown) {
        await uses.end(id, actor)
        throw thrown
      }
    },
  }
}

/** The record of an upload of the actor's own grant; `undefined` for an actor with a key. */
async function ownRecord(
  id: string,
  actor: Actor,
  { staged, grants }: Pick<Dependencies, 'staged' | 'grants'>,
): Promise<StagedUploadRecord | undefined> {
  const grantId = grantIdOf(actor)
  if (grantId === undefined) return undefined
  const record = await staged.find(id)
  if (record?.grant?.id !== grantId)
    throw new ServiceError('UploadNotFound', 'There is no such upload')
  if ((await grants.standing(grantId)) === undefined) throw grantIsOver()
  return record
}

function grantedTerms(
  terms: UploadTerms,
  { id, path, maxBytes, types, overwrites }: UploadGrantRecord,
  isAtOnce: boolean,
): UploadTerms {
  const isCovered = isForDirectory(path) ? terms.path.startsWith(path) : terms.path === path
  if (!isCovered)
    throw new ServiceError('Forbidden', 'the grant is for another path', { target: 'path' })
  const condition: StoredFileCondition = overwrites
    ? { ...terms.condition }
    : { ...terms.condition, isNot: 'anything' }
  return {
    ...terms,
    condition,
    grant: {
      id,
      ...(maxBytes !== undefined && { maxBytes }),
      ...(types && { types }),
      ...(isAtOnce && { isAtOnce }),
    },
  }
}
