import { invalid, ServiceError } from '../../../domain/errors.ts'
import type { Upload, Uploads, UploadTerms } from '../../../domain/uploads/uploads.ts'
import {
  commonTerms,
  hasContent,
  type UploadBeginning,
  type UploadRequest,
} from '../upload-request.ts'
import { uploadTarget } from '../upload-target.ts'
import { readBytes, readChecksum, readLength, readMetadata } from './tus-fields.ts'
import { isSpoken, versionField } from './tus-protocol.ts'

/** The requests of tus. */
export interface TusUploads {
  begin(request: UploadBeginning): Promise<Response>
  stateOf(id: string, request: UploadRequest): Promise<Response>
  append(id: string, request: UploadRequest): Promise<Response>
  terminate(id: string, request: UploadRequest): Promise<Response>
}

const pieceType = 'application/offset+octet-stream'

export const createTusUploads = (uploads: Uploads): TusUploads => ({
  async begin(request) {
    requireVersion(request.headers)
    const { headers, actor, locationOf } = request
    const begun = await uploads.create(termsOf(request), actor)
    const upload = isPiece(headers)
      ? await firstPiece(uploads, begun, request)
      : await withoutContent(uploads, begun, request)
    const fields = { ...stateFields(upload), Location: locationOf(upload.id) }
    return new Response(null, { status: 201, headers: fields })
  },
  async stateOf(id, { headers, actor }) {
    requireVersion(headers)
    const upload = await uploads.find(id, actor)
    const { sizeBytes, clientMetadata } = upload
    return new Response(null, {
      status: 200,
      headers: {
        ...stateFields(upload),
        'Cache-Control': 'no-store',
        ...(sizeBytes === undefined
          ? { 'Upload-Defer-Length': '1' }
          : { 'Upload-Length': String(sizeBytes) }),
        ...(clientMetadata !== undefined && { 'Upload-Metadata': clientMetadata }),
      },
    })
  },
  async append(id, { headers, body, actor }) {
    requireVersion(headers)
    if (!isPiece(headers)) throw wrongType()
    const offset = readBytes(headers, 'Upload-Offset')
    if (offset === undefined) throw invalid('Upload-Offset', 'must be there')
    const piece = { offset, body, ...pieceOf(headers) }
    const upload = await uploads.append(id, piece, actor)
    return new Response(null, { status: 204, headers: stateFields(upload) })
  },
  async terminate(id, { headers, actor }) {
    requireVersion(headers)
    await uploads.cancel(id, actor)
    return new Response(null, { status: 204 })
  },
})

function requireVersion(headers: Headers): void {
  if (!isSpoken(headers.get(versionField)))
    throw new ServiceError(
      'PreconditionFailed',
      `${versionField} must be a version in Tus-Version`,
      {
        target: versionField,
      },
    )
}

function termsOf({ headers, grantedPath, preview }: UploadBeginning): UploadTerms {
  if (headers.has('upload-concat'))
    throw invalid('Upload-Concat', 'must not be there: the extension is not offered')
  const field = headers.get('upload-metadata')
  const metadata = readMetadata(field)
  return {
    path: uploadTarget(
      {
        path: metadata.get('path'),
        filename: metadata.get('filename') ?? metadata.get('name'),
      },
      grantedPath,
    ),
    preview,
    sizeBytes: readLength(headers),
    contentType: metadata.get('filetype') ?? metadata.get('type') ?? null,
    ...commonTerms(headers),
    ...(field !== null && { clientMetadata: field }),
  }
}

/** A size that the client said to say later comes with a piece. */
function pieceOf(headers: Headers) {
  const sizeBytes = readBytes(headers, 'Upload-Length')
  const checksum = readChecksum(headers.get('upload-checksum'))
  return { ...(sizeBytes !== undefined && { sizeBytes }), ...(checksum && { checksum }) }
}

/**
 * Until it has the response, nobody knows the URL of the upload: where its first piece fails, nobody can
 * go on with it.
 */
async function firstPiece(
  uploads: Uploads,
  { id }: Upload,
  { headers, body, actor }: UploadRequest,
): Promise<Upload> {
  try {
    const piece = { offset: 0, body, ...pieceOf(headers) }
    return await uploads.append(id, piece, actor)
  } catch (thrown) {
    await uploads.cancel(id, actor).catch(() => {})
    throw thrown
  }
}

async function withoutContent(
  uploads: Uploads,
  upload: Upload,
  request: UploadRequest,
): Promise<Upload> {
  if (!(await hasContent(request))) return upload
  await uploads.cancel(upload.id, request.actor)
  throw wrongType()
}

const isPiece = (headers: Headers): boolean =>
  headers.get('content-type')?.trim().toLowerCase() === pieceType

const wrongType = () =>
  new ServiceError('UnsupportedMediaType', `Content-Type must be ${pieceType}`, {
    target: 'Content-Type',
  })

/** A finished upload does not expire: it is a file. */
const stateFields = ({ offset, expiresAt, written }: Upload): Record<string, string> => ({
  'Upload-Offset': String(offset),
  ...(written === undefined
    ? { 'Upload-Expires': expiresAt.toUTCString() }
    : { ETag: `"${written.sha256}"` }),
})
