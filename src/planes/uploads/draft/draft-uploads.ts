import { invalid, ServiceError } from '../../../domain/errors.ts'
import type { Upload, UploadPiece, Uploads, UploadTerms } from '../../../domain/uploads/uploads.ts'
import {
  commonTerms,
  hasContent,
  type UploadBeginning,
  type UploadRequest,
} from '../upload-request.ts'
import { uploadTarget } from '../upload-target.ts'
import { readFilename, readUploadFields, stateFields, type UploadFields } from './draft-fields.ts'
import { completeMember, pieceType } from './draft-protocol.ts'

/** What became of an upload by a request, and the fields that say so. */
export interface SpokenUpload {
  readonly upload: Upload
  readonly headers: Readonly<Record<string, string>>
}

/** A request that begins an upload, and the decoded path that its URL names. */
export type DraftBeginning = UploadBeginning & { readonly path: string | undefined }

/** The requests of the draft. */
export interface DraftUploads {
  begin(request: DraftBeginning): Promise<SpokenUpload>
  stateOf(id: string, request: UploadRequest): Promise<SpokenUpload>
  append(id: string, request: UploadRequest): Promise<SpokenUpload>
  cancel(id: string, request: UploadRequest): Promise<void>
}

interface Dependencies {
  readonly uploads: Uploads
  readonly maxFileBytes: number
  readonly now: () => Date
}

export function createDraftUploads(dependencies: Dependencies): DraftUploads {
  const { uploads } = dependencies
  const spoken = (upload: Upload): SpokenUpload => ({
    upload,
    headers: stateFields(upload, dependencies),
  })

  return {
    async begin(request) {
      const { headers, body, actor, locationOf } = request
      const fields = readUploadFields(headers, 0)
      const begun = await uploads.create(termsOf(request, fields), actor)
      const upload = await firstPiece(uploads, begun, { headers, body, actor })
      const { headers: state } = spoken(upload)
      return { upload, headers: { ...state, Location: locationOf(upload.id) } }
    },
    async stateOf(id, { headers, actor }) {
      readUploadFields(headers, 0)
      return spoken(await uploads.find(id, actor))
    },
    async append(id, request) {
      const piece = pieceOf(request)
      const { written } = await uploads.find(id, request.actor)
      if (written !== undefined) throw await alreadyComplete(request)
      return spoken(await appendPiece(uploads, { id, piece, request }))
    },
    async cancel(id, { headers, actor }) {
      readUploadFields(headers, 0)
      await uploads.cancel(id, actor)
    },
  }
}

function termsOf(
  { headers, path, grantedPath, preview }: DraftBeginning,
  fields: UploadFields,
): UploadTerms {
  return {
    path: uploadTarget({ path, filename: readFilename(headers) }, grantedPath),
    preview,
    // An upload of no bytes would be finished before anybody has called it complete.
    sizeBytes: fields.isComplete === false && fields.sizeBytes === 0 ? undefined : fields.sizeBytes,
    contentType: headers.get('content-type'),
    ...commonTerms(headers),
  }
}

/** A request that says nothing of completeness is an ordinary upload: its content is the whole file. */
async function firstPiece(uploads: Uploads, { id, written }: Upload, request: UploadRequest) {
  const { headers, body, actor } = request
  const { isComplete = true, checksum } = readUploadFields(headers, 0)
  try {
    const piece = { offset: 0, body, isLast: isComplete, ...(checksum && { checksum }) }
    // What has no bytes is finished by now, but a body may come all the same.
    return await uploads.append(id, written ? { offset: 0, body } : piece, actor)
  } catch (thrown) {
    // Nobody knows its URL yet, so nobody can go on with it.
    await uploads.cancel(id, actor).catch(() => {})
    throw thrown
  }
}

function pieceOf({ headers, body }: UploadRequest): UploadPiece {
  if (headers.get('content-type')?.trim().toLowerCase() !== pieceType)
    throw new ServiceError('UnsupportedMediaType', `Content-Type must be ${pieceType}`, {
      target: 'Content-Type',
    })
  const { offset, isComplete, sizeBytes, checksum } = readUploadFields(headers)
  if (offset === undefined) throw invalid('Upload-Offset', 'must be there, a whole number of bytes')
  if (isComplete === undefined) throw invalid('Upload-Complete', 'must be there, ?1 or ?0')
  return {
    offset,
    body,
    isLast: isComplete,
    ...(sizeBytes !== undefined && { sizeBytes }),
    ...(checksum && { checksum }),
  }
}

interface Appending {
  readonly id: string
  readonly piece: UploadPiece
  readonly request: UploadRequest
}

async function appendPiece(
  uploads: Uploads,
  { id, piece, request: { actor } }: Appending,
): Promise<Upload> {
  try {
    return await uploads.append(id, piece, actor)
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown
    // One that is sent more than it is to have takes nothing any more.
    if (thrown.code === 'UploadLengthMismatch' && thrown.target === 'body')
      await uploads.cancel(id, actor)
    if (thrown.code !== 'OffsetMismatch') throw thrown
    throw new ServiceError(thrown.code, thrown.message, {
      target: 'Upload-Offset',
      context: { ...thrown.context, Provided: piece.offset },
      cause: thrown,
    })
  }
}

async function alreadyComplete(request: UploadRequest): Promise<ServiceError> {
  const isMore = await hasContent(request)
  return new ServiceError('UploadLengthMismatch', 'The upload is complete: nothing can be added', {
    target: 'body',
    context: { [completeMember]: !isMore },
  })
}
