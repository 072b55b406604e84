import type { IncomingBlob } from '../../ports/content/blob-store.ts'
import type { StagedUploadRecord, WrittenUpload } from '../../ports/content/staged-upload-store.ts'
import type { Actor } from '../access/actor.ts'
import { type AssetPath, repositoryPath } from '../content/asset-path.ts'
import type { WrittenFile } from '../content/files/put/file-put.ts'
import type { PutRequest } from '../content/files/files.ts'
import { placeOfUpload } from './upload-place.ts'
import type { UploadParts } from './upload-parts.ts'

/** How far back the commit of an attempt that nobody heard of is looked for. */
const maxVersions = 50

/** Bytes that are whole, and what is to be known of them. */
export interface WholeUpload extends Pick<PutRequest, 'precondition' | 'beside'> {
  readonly record: StagedUploadRecord
  readonly contentType: string | undefined
  /** `undefined`: nothing is staged. It is disposed. */
  readonly staged: () => Promise<IncomingBlob | undefined>
}

/** Stores an upload whose bytes are all there, as `PUT` would. */
export async function storeUpload(
  { record, contentType, staged, precondition, beside }: WholeUpload,
  actor: Actor,
  parts: UploadParts,
): Promise<WrittenUpload> {
  const { store } = parts
  const { files } = await placeOfUpload(record, actor, parts)
  const { expectedSha256 } = record
  await using source = (await staged()) ?? (await keptBytes(record, parts))
  const { sha256, sizeBytes } = source
  // Before the commit, so that a process that is killed right after it can tell that it was its own.
  const begun = { requestId: actor.requestId, sha256, sizeBytes }
  await store.replace({ ...record, contentType, commit: begun })
  const written = await files.put(
    {
      path: record.path as AssetPath,
      source,
      contentType: contentType ?? null,
      ...(precondition && { precondition }),
      ...(expectedSha256 === undefined ? {} : { expectedSha256 }),
      ...(beside && { beside }),
    },
    actor,
  )
  return outcomeOf(written)
}

async function keptBytes(
  { commit: begun }: StagedUploadRecord,
  { blobs }: UploadParts,
): Promise<IncomingBlob> {
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
export async function ownCommit(
  record: StagedUploadRecord,
  actor: Actor,
  parts: UploadParts,
): Promise<WrittenUpload | undefined> {
  const { path, commit: begun } = record
  if (begun === undefined) return undefined
  const { commitId: until } = await placeOfUpload(record, actor, parts)
  const { requestId, sha256, sizeBytes } = begun
  const versions = await parts.content.versions(repositoryPath(path as AssetPath), {
    limit: maxVersions,
    until,
  })
  const place = versions.findIndex(({ request }) => request.requestId === requestId)
  const { id: commitId, file } = versions[place] ?? {}
  if (commitId === undefined || file === undefined) return undefined
  if ((await file.blob()).sha256 !== sha256) return undefined
  const outcome = versions[place + 1]?.file === undefined ? 'created' : 'updated'
  return { kind: 'written', sha256, sizeBytes, outcome, commitId }
}

const outcomeOf = ({ sha256, sizeBytes, outcome, commitId }: WrittenFile): WrittenUpload => ({
  kind: 'written',
  sha256,
  sizeBytes,
  outcome,
  ...(commitId !== undefined && { commitId }),
})
