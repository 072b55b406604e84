import { KeyedQueue } from '../../../lib/async/keyed-queue.ts'
import type { StagedUploadRecord } from '../../../ports/content/staged-upload-store.ts'
import type { Actor } from '../../access/actor.ts'
import { uploadNotFound } from '../upload-records.ts'
import type { UploadParts } from '../upload-parts.ts'
import { isFor } from './multipart-of.ts'
import type { MultipartPlace } from './multipart-uploads.ts'

/** What changes the records of an upload in parts goes on one after another. */
export interface MultipartTurns {
  /** One that is open or was completed. Throws `UploadNotFound` or `UploadExpired`. */
  require(place: MultipartPlace, actor: Actor): Promise<StagedUploadRecord>
  /** One that is open. */
  requireOpen(place: MultipartPlace, actor: Actor): Promise<StagedUploadRecord>
  /** Runs `task` in its turn, with the record of an open upload as it is then. */
  take<T>(
    place: MultipartPlace,
    actor: Actor,
    task: (record: StagedUploadRecord) => Promise<T>,
  ): Promise<T>
  /** As {@link take}, of one that may have been completed. */
  takeEven<T>(
    place: MultipartPlace,
    actor: Actor,
    task: (record: StagedUploadRecord) => Promise<T>,
  ): Promise<T>
}

export function createMultipartTurns({ records }: Pick<UploadParts, 'records'>): MultipartTurns {
  const queue = new KeyedQueue()

  async function require({ id, path, preview }: MultipartPlace, actor: Actor) {
    const record = await records.requireInParts(id, actor)
    if (record.path !== path || !isFor(record, preview)) throw uploadNotFound()
    return record
  }

  async function requireOpen(place: MultipartPlace, actor: Actor) {
    const record = await require(place, actor)
    if (record.outcome !== undefined) throw uploadNotFound()
    return record
  }

  return {
    require,
    requireOpen,
    take: (place, actor, task) =>
      queue.run(place.id, async () => await task(await requireOpen(place, actor))),
    takeEven: (place, actor, task) =>
      queue.run(place.id, async () => await task(await require(place, actor))),
  }
}
