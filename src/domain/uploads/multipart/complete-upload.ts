import { mapConcurrently } from '../../../lib/async/map-concurrently.ts'
import type { IncomingBlob } from '../../../ports/content/blob-store.ts'
import type {
  StagedUploadRecord,
  WrittenUpload,
} from '../../../ports/content/staged-upload-store.ts'
import type { UploadPart } from '../../../ports/content/upload-part-store.ts'
import type { Actor } from '../../access/actor.ts'
import type { AssetPath } from '../../content/asset-path.ts'
import { invalid, ServiceError } from '../../errors.ts'
import { tooLarge } from '../open-upload.ts'
import { ownCommit, storeUpload } from '../store-upload.ts'
import type { UploadParts } from '../upload-parts.ts'
import { maxPartNumber } from './choose-parts.ts'
import type { MultipartTurns } from './multipart-turns.ts'
import { completedOf, multipartOf } from './multipart-of.ts'
import type {
  CompletedUpload,
  Completion,
  CompletionPlan,
  MultipartPlace,
} from './multipart-uploads.ts'

const maxCompletedAs = 1024
const dropsAtOnce = 8

/** Makes a file of parts. */
export function createMultipartCompleter(parts: UploadParts, turns: MultipartTurns) {
  const { store, partStore } = parts

  async function conclude(
    record: StagedUploadRecord,
    outcome: WrittenUpload,
    stored: readonly UploadPart[],
  ): Promise<CompletedUpload> {
    const { id, inParts } = record
    await store.replace({ ...record, outcome })
    await partStore.removeAll(id)
    // Whoever waits has no use for it; what a kill leaves is collected later.
    void dropParts(stored, parts).catch(() => {})
    const { kind: _, ...written } = outcome
    const { completedAs = '' } = inParts ?? {}
    return { written: { path: record.path as AssetPath, ...written }, completedAs }
  }

  async function complete(record: StagedUploadRecord, plan: CompletionPlan, actor: Actor) {
    const completed = completedOf(record)
    if (completed !== undefined) return completed
    const stored = await partStore.list(record.id, { after: 0, limit: maxPartNumber })
    const own = await ownCommit(record, actor, parts)
    if (own !== undefined) return await conclude(record, own, stored)
    const completion = await plan(stored, multipartOf(record))
    requireFitting(completion, parts)
    const planned = { ...record, inParts: { completedAs: completion.completedAs } }
    const written = await storeUpload(
      {
        record: planned,
        contentType: record.contentType,
        staged: () => joined(completion, record, parts),
        ...(completion.precondition && { precondition: completion.precondition }),
        ...(completion.beside && { beside: completion.beside }),
      },
      actor,
      parts,
    )
    return await conclude(planned, written, stored)
  }

  return async (place: MultipartPlace, plan: CompletionPlan, actor: Actor) =>
    await turns.takeEven(place, actor, (record) => complete(record, plan, actor))
}

function requireFitting({ parts, completedAs }: Completion, { settings }: UploadParts): void {
  if (sizeOf(parts) > settings.maxFileBytes) throw tooLarge(settings.maxFileBytes)
  if (completedAs.length > maxCompletedAs)
    throw invalid('completedAs', `must have at most ${maxCompletedAs} characters`)
}

const sizeOf = (parts: Completion['parts']): number =>
  parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)

/** `undefined`: the blob store took the bytes over when the same was tried before. */
async function joined(
  { parts, completedAs }: Completion,
  { commit, inParts }: StagedUploadRecord,
  { staged, blobs }: UploadParts,
): Promise<IncomingBlob | undefined> {
  const ids = parts.filter(({ sizeBytes }) => sizeBytes > 0).map(({ bytesId }) => bytesId)
  if (ids.length === 0) return await blobs.receive(new Uint8Array(0))
  const bytes = await staged.join(ids)
  if (bytes !== undefined && bytes.sizeBytes !== sizeOf(parts)) {
    await bytes[Symbol.asyncDispose]()
    throw new Error('The bytes of parts are not as many as they were')
  }
  const isSame = commit !== undefined && inParts?.completedAs === completedAs
  if (bytes === undefined && !(isSame && (await blobs.stat(commit.sha256)))) throw partsAreGone()
  return bytes
}

const partsAreGone = (): ServiceError =>
  new ServiceError(
    'WriteConflict',
    'The parts were used by an attempt that could not be finished: begin a new upload',
  )

/** Forgets the bytes of parts. */
export async function dropParts(
  stored: readonly UploadPart[],
  { staged, room }: UploadParts,
): Promise<void> {
  for (const { bytesId } of stored) room.leave(bytesId)
  await mapConcurrently(stored, dropsAtOnce, ({ bytesId }) => staged.drop(bytesId))
}
