import type { IncomingBlob } from '../../ports/content/blob-store.ts'
import type { StagedUploadRecord, UploadOutcome } from '../../ports/content/staged-upload-store.ts'
import type { Actor } from '../access/actor.ts'
import { type AssetPath, repositoryPath } from '../content/asset-path.ts'
import type { WrittenFile } from '../content/files/files.ts'
import { type ErrorCode, ServiceError } from '../errors.ts'
import { offsetOf } from './append-piece.ts'
import { holds } from './open-upload.ts'
import { refusedOutcome, uploadOf } from './upload-records.ts'
import type { UploadParts } from './upload-parts.ts'
import type { Upload } from './uploads.ts'

/** What may pass by itself: the bytes stay, and whoever asks again tries again. */
const passing: ReadonlySet<ErrorCode> = new Set(['Unavailable', 'InternalError', 'ZoneSuspended'])
/** How far back the commit of an attempt that nobody heard of is looked for. */
const maxVersions = 50

type Written = Extract<UploadOutcome, { readonly kind: 'written' }>

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
      const written = (await ownCommit(record, parts)) ?? (await commit(record, actor, parts))
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
): Promise<Written> {
  const { files, store, staged, checkWhole } = parts
  const { id, expectedSha256, condition } = record
  const granted = await checkWhole?.(record, (count) => staged.first(id, count))
  const contentType = granted?.contentType ?? record.contentType
  await using source = await wholeBytes(record, parts)
  const { sha256, sizeBytes } = source
  // Before the commit, so that a process that is killed right after it can tell that it was its own.
  const begun = { requestId: actor.requestId, sha256, sizeBytes }
  await store.replace({ ...record, contentType, commit: begun })
  const written = await files.put(
    {
      path: record.path as AssetPath,
      source,
      contentType: contentType ?? null,
      precondition: (current) => holds(condition, current),
      ...(expectedSha256 === undefined ? {} : { expectedSha256 }),
      ...(granted?.beside && { beside: granted.beside }),
    },
    actor,
  )
  return outcomeOf(written)
}

async function wholeBytes(
  { id, commit: begun }: StagedUploadRecord,
  { staged, blobs }: UploadParts,
): Promise<IncomingBlob> {
  const bytes = await staged.finish(id)
  if (bytes !== undefined) return bytes
  return begun === undefined || begun.sizeBytes === 0
    ? await blobs.receive(new Uint8Array(0))
    : keptBlob(begun)
}

/** Bytes that an attempt before left in the blob store. */
function keptBlob({ sha256, sizeBytes }: { readonly sha256: string; readonly sizeBytes: number }) {
  const keep = async () => ({ sha256, sizeBytes })
  return { sha256, sizeBytes, keep, keepLazily: keep, async [Symbol.asyncDispose]() {} }
}

/** What an attempt has committed whose end was not recorded, e.g. since the process was killed. */
async function ownCommit(
  { path, commit: begun }: StagedUploadRecord,
  { content }: UploadParts,
): Promise<Written | undefined> {
  if (begun === undefined) return undefined
  const { requestId, sha256, sizeBytes } = begun
  const versions = await content.versions(repositoryPath(path as AssetPath), {
    limit: maxVersions,
  })
  const place = versions.findIndex(({ request }) => request.requestId === requestId)
  const file = versions[place]?.file
  if (file === undefined || (await file.blob()).sha256 !== sha256) return undefined
  const wasThere = versions[place + 1]?.file !== undefined
  return { kind: 'written', sha256, sizeBytes, outcome: wasThere ? 'updated' : 'created' }
}

const outcomeOf = ({ sha256, sizeBytes, outcome }: WrittenFile): Written => ({
  kind: 'written',
  sha256,
  sizeBytes,
  outcome,
})
