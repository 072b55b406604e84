import { createStagedRoom, type StagedRoom } from './staged-room.ts'
import { createUploadRecords, type UploadRecords } from './upload-records.ts'
import { createUploadTurns, type UploadTurns } from './upload-turns.ts'
import type { UploadDependencies } from './uploads.ts'

/** The staged bytes of parts that nothing is recorded of yet. */
export type ArrivingParts = Set<string>

/** What the steps of an upload share. */
export interface UploadParts extends UploadDependencies {
  readonly records: UploadRecords
  readonly room: StagedRoom
  readonly turns: UploadTurns
  readonly arriving: ArrivingParts
}

export const uploadParts = (dependencies: UploadDependencies): UploadParts => ({
  ...dependencies,
  records: createUploadRecords(dependencies),
  room: createStagedRoom(dependencies),
  turns: createUploadTurns(),
  arriving: new Set(),
})
