import { createUploadAppender } from './append-piece.ts'
import { collectUploads } from './collect-uploads.ts'
import { createUploadFinisher } from './finish-upload.ts'
import { createMultipartUploads } from './multipart/create-multipart-uploads.ts'
import type { MultipartUploads } from './multipart/multipart-uploads.ts'
import { createUploadOpener } from './open-upload.ts'
import { uploadParts } from './upload-parts.ts'
import { networkOf } from '../../lib/net/address-list.ts'
import type { UploadDependencies, Uploads } from './uploads.ts'

/** What of unfinished uploads there is, as their bounds count it. */
export interface UploadsInUse {
  openIn(zone: string): Promise<number>
  openFrom(address: string): Promise<number>
  bytesIn(zone: string): Promise<number>
}

/** Uploads whose bytes are staged until they are whole. */
export interface StagedUploads extends Uploads, UploadsInUse {
  /** Removes what is of no use any more; answers of how many uploads. */
  collect(): Promise<number>
  readonly multipart: MultipartUploads
}

export function createUploads(dependencies: UploadDependencies): StagedUploads {
  const parts = uploadParts(dependencies)
  const { records, turns, staged, store, room, now } = parts
  const finishIfWhole = createUploadFinisher(parts)
  const open = createUploadOpener(parts)
  const append = createUploadAppender(parts)

  return {
    async create(terms, actor) {
      const record = await open(terms, actor)
      return await turns.take(record.id, () => finishIfWhole(record, actor))
    },
    async find(id, actor) {
      await records.require(id, actor)
      return await turns.take(id, async () =>
        finishIfWhole(await records.require(id, actor), actor),
      )
    },
    async append(id, piece, actor) {
      await records.require(id, actor)
      return await turns.take(id, async (signal) => {
        const record = await records.require(id, actor)
        const appended = await append(record, piece, signal)
        return await finishIfWhole(appended, actor)
      })
    },
    async cancel(id, actor) {
      await records.require(id, actor)
      await turns.take(id, async () => {
        await staged.drop(id)
        await store.remove(id)
        room.leave(id)
      })
    },
    collect: () => collectUploads(parts),
    multipart: createMultipartUploads(parts, open),
    openIn: (zone) => store.countOpen({ zone }, now()),
    openFrom: (address) => store.countOpen({ network: networkOf(address) }, now()),
    async bytesIn(zone) {
      await room.prepare()
      return room.bytesOf(zone)
    },
  }
}
