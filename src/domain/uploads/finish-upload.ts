import type {
  StagedUploadRecord,
  UploadOutcome,
  WrittenUpload,
} from '../../ports/content/staged-upload-store.ts'
import type { Actor } from '../access/actor.ts'
import { type ErrorCode, ServiceError } from '../errors.ts'
import { offsetOf } from './append-piece.ts'
import { holds } from './open-upload.ts'
import { ownCommit, storeUpload } from './store-upload.ts'
import { refusedOutcome, uploadOf } from './upload-records.ts'
import type { UploadParts } from './upload-parts.ts'
import type { Upload } from './uploads.ts'

/** What may pass by itself: the bytes stay, and whoever asks again tries again. */
const passing: ReadonlySet<ErrorCode> = new Set(['Unavailable', 'InternalError', 'ZoneSuspended'])

/** Stores an upload whose bytes are all there, as `PUT` would. Anything else is answered as it stands. */
export function createUploadFinisher(
  parts: UploadParts,
): (record: StagedUploadRecord, actor: Actor) => Promise<Upload> {
  const { store, staged, room } = parts

  async function conclude(record: StagedUploadRecord, outcome: UploadOutcome) {
    const concluded = { ...record, outcome }
    await store.replace(concluded)
    await staged.drop(record.id)
    room.leave(record.id)
    return concluded
  }

  return async (record, actor) => {
    if (record.outcome !== undefined) return uploadOf(record, 0)
    const offset = await offsetOf(record, parts)
    if (offset !== record.sizeBytes || record.awaitsCompletion) return uploadOf(record, offset)
    try {
      const written =
        (await ownCommit(record, actor, parts)) ?? (await commit(record, actor, parts))
      return uploadOf(await conclude(record, written), offset)
    } catch (thrown) {
      if (thrown instanceof ServiceError && !passing.has(thrown.code))
        await conclude(record, refusedOutcome(thrown))
      throw thrown
    }
  }
}

async function commit(
  record: StagedUploadRecord,
  actor: Actor,
  parts: UploadParts,
): Promise<WrittenUpload> {
  const { staged, checkWhole } = parts
  const { id, condition } = record
  const granted = await checkWhole?.(record, (count) => staged.first(id, count))
  return await storeUpload(
    {
      record,
      contentType: granted?.contentType ?? record.contentType,
      staged: () => staged.finish(id),
      precondition: (current) => holds(condition, current),
      ...(granted?.beside && { beside: granted.beside }),
    },
    actor,
    parts,
  )
}
