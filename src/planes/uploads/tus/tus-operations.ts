import { z } from 'zod'

import type { Uploads } from '../../../domain/uploads/uploads.ts'
import { type Access, type HandledOperation, operation } from '../../../http/operation.ts'
import { withGrantOf } from '../../../http/access/upload-grant.ts'
import { previewScope } from '../../previewed.ts'
import { previewOfUpload } from '../upload-preview.ts'
import { actorOf } from '../../caller.ts'
import { tusDiscovery, tusProtocol } from './tus-protocol.ts'
import { createTusUploads } from './tus-uploads.ts'

export interface TusDependencies {
  readonly uploads: Uploads
  /** The largest file that may be uploaded. */
  readonly maxFileBytes: number
}

const base = '/api/uploads/tus'
const params = z.object({ id: z.string().describe('The last segment of `Location`') })
const noBody = () => new Blob([]).stream()

const write = { keys: ['access'], scope: 'storage:write', session: true, grant: true } as const
/** What is begun says itself whether it is for a preview. */
const mayBegin: Access = { ...write, previewScope }

const spoken = {
  plane: 'uploads',
  access: { ...write, ofPreviewScope: previewScope.name } satisfies Access,
  envelope: 'standard',
  protocol: tusProtocol,
} as const

const versionHeader = { 'Tus-Resumable': '`1.0.0`' }
const responseHeaders = {
  'Tus-Resumable': '`1.0.0`',
  'Tus-Version': 'The versions that are spoken',
  'Upload-Offset': 'How many bytes are there',
  'Upload-Expires': 'When an unfinished upload is forgotten, unless more arrives',
}
const pieceHeaders = {
  'Content-Type': '`application/offset+octet-stream`',
  'Upload-Checksum': 'Of the body: `sha1`, `sha256`, `sha512` or `md5`, and the checksum in Base64',
}

const createTusUpload = operation({
  ...spoken,
  access: mayBegin,
  id: 'createTusUpload',
  method: 'post',
  path: base,
  summary: 'Begin an upload (tus)',
  description:
    'tus 1.0.0, for its clients: with creation, creation-with-upload, creation-defer-length, checksum, termination and expiration. The path of the file is `path` in `Upload-Metadata`.',
  requestHeaders: {
    ...versionHeader,
    ...pieceHeaders,
    'Upload-Length': 'The size of the file in bytes',
    'Upload-Defer-Length': '`1`: the size comes with a later piece',
    'Upload-Metadata':
      '`path`, and where that ends in `/` `filename`; `filetype`; anything else is kept and given back',
    Checksum: 'The SHA-256 of the whole file in hex',
    'If-Match': 'Only where the stored file has this `ETag`',
    'If-None-Match': '`*`: only where nothing is stored',
    'X-HTTP-Method-Override': 'The method, for clients that cannot send it',
  },
  responseHeaders: { ...responseHeaders, Location: 'The URL of the upload' },
  body: { kind: 'bytes', description: 'The first bytes of the file, or nothing' },
  responses: {
    201: { description: 'Begun' },
    412: { description: 'Not a version that is spoken' },
  },
}).handledBy(({ uploads }: TusDependencies) => {
  const tus = createTusUploads(uploads)
  return async ({ request, body, caller }) =>
    await tus.begin({
      headers: request.headers,
      body,
      actor: actorOf(caller),
      grantedPath: caller.grantedPath,
      preview: previewOfUpload(request, caller),
      locationOf: (id) => withGrantOf(request, `${base}/${id}`),
    })
}, tusDiscovery)

const getTusUpload = operation({
  ...spoken,
  id: 'getTusUpload',
  method: 'get',
  path: `${base}/{id}`,
  summary: 'How far an upload is (tus)',
  description: 'Takes the upload over: a request that still sends to it is broken off.',
  head: { id: 'headTusUpload', summary: 'How far an upload is (tus)' },
  params,
  requestHeaders: versionHeader,
  responseHeaders: {
    ...responseHeaders,
    'Upload-Length': 'The size of the file in bytes',
    'Upload-Defer-Length': '`1` while the size is not known',
    'Upload-Metadata': 'As it came when the upload was begun',
  },
  responses: { 200: { description: 'In headers' } },
}).handledBy(({ uploads }: TusDependencies) => {
  const tus = createTusUploads(uploads)
  return async ({ params: { id }, request: { headers }, caller }) =>
    await tus.stateOf(id, { headers, body: noBody(), actor: actorOf(caller) })
}, tusDiscovery)

const appendTusUpload = operation({
  ...spoken,
  id: 'appendTusUpload',
  method: 'patch',
  path: `${base}/{id}`,
  summary: 'Send more of a file (tus)',
  params,
  requestHeaders: {
    ...versionHeader,
    ...pieceHeaders,
    'Upload-Offset': 'How many bytes are there',
    'Upload-Length': 'The size of the file, where it was not said before',
  },
  responseHeaders,
  body: {
    kind: 'bytes',
    contentType: 'application/offset+octet-stream',
    description: 'The bytes that follow',
  },
  responses: {
    204: { description: 'Taken; stored where that was the rest' },
    409: { description: 'The offset is another one, or the file cannot be stored at its path' },
    410: { description: 'The time of the upload is over' },
    460: { description: 'The bytes do not have the checksum that came with them' },
  },
}).handledBy(({ uploads }: TusDependencies) => {
  const tus = createTusUploads(uploads)
  return async ({ params: { id }, request: { headers }, body, caller }) =>
    await tus.append(id, { headers, body, actor: actorOf(caller) })
}, tusDiscovery)

const terminateTusUpload = operation({
  ...spoken,
  id: 'terminateTusUpload',
  method: 'delete',
  path: `${base}/{id}`,
  summary: 'Give an upload up (tus)',
  description: 'What was finished stays stored.',
  params,
  requestHeaders: versionHeader,
  responseHeaders,
  responses: { 204: { description: 'Forgotten' } },
}).handledBy(({ uploads }: TusDependencies) => {
  const tus = createTusUploads(uploads)
  return async ({ params: { id }, request: { headers }, caller }) =>
    await tus.terminate(id, { headers, body: noBody(), actor: actorOf(caller) })
}, tusDiscovery)

export const tusOperations: readonly HandledOperation<TusDependencies>[] = [
  createTusUpload,
  getTusUpload,
  appendTusUpload,
  terminateTusUpload,
]
