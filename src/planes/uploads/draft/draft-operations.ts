import { z } from 'zod'

import { repositoryPath } from '../../../domain/content/asset-path.ts'
import type { SimilarAssets } from '../../../domain/media/likeness/similar-assets.ts'
import type { Upload, Uploads } from '../../../domain/uploads/uploads.ts'
import {
  type Access,
  type Caller,
  type HandledOperation,
  operation,
} from '../../../http/operation.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import { withGrantOf } from '../../../http/access/upload-grant.ts'
import { previewHeader, previewQuery, previewScope } from '../../previewed.ts'
import { previewOfUpload } from '../upload-preview.ts'
import { actorOf } from '../../caller.ts'
import { uploadResponse } from '../../storage/schemas.ts'
import { similarOf } from '../../assets/similar-assets.ts'
import { preferHeader, storedFile } from '../../storage/write-file.ts'
import { uploadLimit } from './draft-fields.ts'
import { draftProtocol, pieceType } from './draft-protocol.ts'
import { createDraftUploads } from './draft-uploads.ts'

export interface DraftDependencies {
  readonly uploads: Uploads
  readonly catalog: Pick<Manifest, 'zone'>
  readonly similarAssets: Pick<SimilarAssets, 'ofUpload'>
  /** The largest file that may be uploaded. */
  readonly maxFileBytes: number
  /** How long an upload lives from the last piece on. */
  readonly uploadTtlSeconds: number
  readonly now: () => Date
}

const base = '/api/uploads'
const params = z.object({ id: z.string().describe('The last segment of `Location`') })
const noBody = () => new Blob([]).stream()

const uploadState = z.object({
  HttpCode: z.int(),
  Message: z.string(),
  Id: z.string(),
  Path: z.string(),
  Offset: z.int().describe('How many bytes are there'),
  Length: z.int().nullable().describe('How many there are to be; null while that is not known'),
  IsComplete: z.boolean(),
  DateExpires: z.iso.datetime().describe('When an unfinished upload is forgotten'),
  File: uploadResponse.nullable().describe('What was stored, once it is complete'),
})

const write = { keys: ['access'], scope: 'storage:write', session: true, grant: true } as const
/** What is begun says itself whether it is for a preview. */
const mayBegin: Access = { ...write, previewScope }

const spoken = {
  plane: 'uploads',
  access: { ...write, ofPreviewScope: previewScope.name } satisfies Access,
  envelope: 'standard',
  protocol: draftProtocol,
} as const

const requestHeaders = {
  'Upload-Draft-Interop-Version': 'From 6 to 9, where it is sent',
  'Upload-Complete': '`?1`: with the content of this request the file is whole; `?0`: more follows',
  'Upload-Length': 'The size of the whole file in bytes',
  'Content-Digest': 'Of the content: `sha-256=:<base64>:` (RFC 9530)',
  ...preferHeader,
}
const responseHeaders = {
  'Upload-Draft-Interop-Version': '`9`',
  'Upload-Offset': 'How many bytes are there',
  'Upload-Complete': '`?1`: the file is whole, and the response is what storing it came to',
  'Upload-Length': 'The size of the file, where it is known',
  'Upload-Limit': '`max-size` in bytes; `max-age`, how many seconds the upload lives without more',
  'Repr-Digest': 'The SHA-256 of the file that was stored',
}

/** What `OPTIONS` tells. */
const discovery = ({ maxFileBytes, uploadTtlSeconds }: DraftDependencies) => ({
  'Accept-Patch': pieceType,
  'Upload-Limit': uploadLimit({ maxFileBytes, ttlSeconds: uploadTtlSeconds }),
})

/** The upload for programs that read JSON. */
const stateOf = async (
  upload: Upload,
  sent: { readonly request: Request; readonly caller: Caller },
  dependencies: Pick<DraftDependencies, 'catalog' | 'now' | 'similarAssets'>,
) => ({
  Message: upload.written === undefined ? 'The upload is under way' : 'File uploaded',
  Id: upload.id,
  Path: repositoryPath(upload.path),
  Offset: upload.offset,
  Length: upload.sizeBytes ?? null,
  IsComplete: upload.written !== undefined,
  DateExpires: upload.expiresAt.toISOString(),
  File:
    upload.written === undefined
      ? null
      : {
          ...storedFile(upload.written, dependencies),
          Similar: await similarOf(upload.written, sent, dependencies.similarAssets),
        },
})

const createUpload = operation({
  ...spoken,
  access: mayBegin,
  id: 'createUpload',
  method: 'post',
  path: base,
  summary: 'Begin an upload, or send a whole file',
  description:
    'Resumable Uploads for HTTP, a draft of the IETF: files of any size, in as many requests as it takes. Without `Upload-Complete` the body is the whole file.',
  example: {
    query: { path: 'acme/v1/titles/upload.txt' },
    body: 'hello',
    contentType: 'text/plain',
  },
  query: z.object({
    path: z
      .string()
      .optional()
      .describe('`<zone>/v1/…`; where it ends in `/`, `Content-Disposition` names the file'),
    ...previewQuery,
  }),
  requestHeaders: {
    ...requestHeaders,
    'Content-Type': 'Of the file; else it follows the name of the file',
    'Content-Disposition': 'The `filename`, where `path` ends in `/`',
    Checksum: 'The SHA-256 of the whole file in hex',
    'Repr-Digest': 'The same as `sha-256=:<base64>:` (RFC 9530)',
    'If-Match': 'Only where the stored file has this `ETag`',
    'If-None-Match': '`*`: only where nothing is stored',
    ...previewHeader,
  },
  responseHeaders: { ...responseHeaders, Location: 'The URL of the upload' },
  body: { kind: 'bytes', description: 'The first bytes of the file, or all of them' },
  responses: { 201: { description: 'Begun, or stored', schema: uploadState } },
}).handledBy((dependencies: DraftDependencies) => {
  const draft = createDraftUploads(dependencies)
  return async ({ query: { path }, request, body, caller, respond }) => {
    const { upload, headers } = await draft.begin({
      headers: request.headers,
      body,
      path,
      actor: actorOf(caller),
      grantedPath: caller.grantedPath,
      preview: previewOfUpload(request, caller),
      locationOf: (id) => withGrantOf(request, `${base}/staged/${id}`),
    })
    const state = await stateOf(upload, { request, caller }, dependencies)
    return respond(201, { HttpCode: 201, ...state }, headers)
  }
}, discovery)

const getUpload = operation({
  ...spoken,
  id: 'getUpload',
  method: 'get',
  path: `${base}/staged/{id}`,
  summary: 'How far an upload is',
  description: 'Takes the upload over: a request that still sends to it is broken off.',
  head: { id: 'headUpload', summary: 'How far an upload is, in headers' },
  params,
  requestHeaders,
  responseHeaders,
  responses: { 200: { description: 'Where it stands', schema: uploadState } },
}).handledBy((dependencies: DraftDependencies) => {
  const draft = createDraftUploads(dependencies)
  return async ({ params: { id }, request, caller, respond }) => {
    const asked = { headers: request.headers, body: noBody(), actor: actorOf(caller) }
    const { upload, headers } = await draft.stateOf(id, asked)
    const { ETag: _, ...fields } = headers
    const state = await stateOf(upload, { request, caller }, dependencies)
    return respond(200, { HttpCode: 200, ...state }, { ...fields, 'Cache-Control': 'no-store' })
  }
}, discovery)

const appendUpload = operation({
  ...spoken,
  id: 'appendUpload',
  method: 'patch',
  path: `${base}/staged/{id}`,
  summary: 'Send more of a file',
  params,
  requestHeaders: {
    ...requestHeaders,
    'Content-Type': '`application/partial-upload`',
    'Upload-Offset': 'How many bytes are there',
  },
  responseHeaders,
  body: { kind: 'bytes', contentType: pieceType, description: 'The bytes that follow' },
  responses: {
    201: { description: 'The file is whole and stored', schema: uploadState },
    204: { description: 'Taken; more is to follow' },
    409: {
      description: 'The offset is another one, or the file cannot be stored at its path',
      otherContentTypes: ['application/problem+json'],
    },
    410: { description: 'The time of the upload is over' },
  },
}).handledBy((dependencies: DraftDependencies) => {
  const draft = createDraftUploads(dependencies)
  return async ({ params: { id }, request, body, caller, respond }) => {
    const piece = { headers: request.headers, body, actor: actorOf(caller) }
    const { upload, headers } = await draft.append(id, piece)
    if (upload.written === undefined) return new Response(null, { status: 204, headers })
    const state = await stateOf(upload, { request, caller }, dependencies)
    return respond(201, { HttpCode: 201, ...state }, headers)
  }
}, discovery)

const cancelUpload = operation({
  ...spoken,
  id: 'cancelUpload',
  method: 'delete',
  path: `${base}/staged/{id}`,
  summary: 'Give an upload up',
  description: 'What was finished stays stored.',
  params,
  requestHeaders,
  responseHeaders,
  responses: { 204: { description: 'Forgotten' } },
}).handledBy((dependencies: DraftDependencies) => {
  const draft = createDraftUploads(dependencies)
  return async ({ params: { id }, request: { headers }, caller }) => {
    await draft.cancel(id, { headers, body: noBody(), actor: actorOf(caller) })
    return new Response(null, { status: 204 })
  }
}, discovery)

export const draftOperations: readonly HandledOperation<DraftDependencies>[] = [
  createUpload,
  getUpload,
  appendUpload,
  cancelUpload,
]
