import { z } from 'zod'

import {
  type AssetPath,
  decodePath,
  parseAssetPath,
  repositoryPath,
  zoneOf,
} from '../../domain/content/asset-path.ts'
import { entityTagOf } from '../../domain/content/delivered/published-bytes.ts'
import type { WrittenFile } from '../../domain/content/files/put/file-put.ts'
import type { Files, Precondition } from '../../domain/content/files/files.ts'
import type { SimilarAssets } from '../../domain/media/likeness/similar-assets.ts'
import { type HandledOperation, operation } from '../../http/operation.ts'
import { passingStream } from '../../lib/bytes/byte-streams.ts'
import { similarOf } from '../assets/similar-assets.ts'
import { actorOf } from '../caller.ts'
import { previewHeader, type Previewed, previewQuery, previewScope, verbsOf } from '../previewed.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import { requestedChecksum } from './requested-checksum.ts'
import { deleteResponse, maxFileBytes, storagePathParams, uploadResponse } from './schemas.ts'
import { evaluatePreconditions } from '../../http/request/conditional.ts'

interface Verbs {
  readonly files: Files
  readonly catalog: Pick<Manifest, 'zone'>
}

type Dependencies = Previewed<Verbs> & {
  readonly similarAssets: Pick<SimilarAssets, 'ofUpload'>
  readonly now: () => Date
}

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><circle cx="32" cy="32" r="30"/></svg>'

/** Of every request that stores images. */
export const preferHeader = {
  Prefer: '`wait=5`: once the file is stored, the response waits so many seconds for `Similar`',
}

const preconditionHeaders = {
  'If-Match': 'Only where the stored file has this `ETag`',
  'If-None-Match': '`*`: only where nothing is stored',
}

const uploadHeaders = {
  Checksum: 'The SHA-256 of the body in hex',
  'Content-Digest': 'The same as `sha-256=:<base64>:` (RFC 9530)',
  'Content-Type': 'Else it follows the name of the file',
  ...preferHeader,
  ...preconditionHeaders,
  ...previewHeader,
}

const putFile = operation({
  id: 'putFile',
  plane: 'storage',
  method: 'put',
  path: '/api/storage/{path}',
  summary: 'Store a file',
  example: {
    params: { path: 'acme/v1/logos/logo.svg' },
    body: svg,
    contentType: 'image/svg+xml',
  },
  description:
    'The body is the file. Send its SHA-256 as `Checksum` (hex) or `Content-Digest` and a body that arrives damaged is refused.',
  access: { keys: ['access'], scope: 'storage:write', session: true, previewScope },
  envelope: 'standard',
  params: storagePathParams,
  query: z.object(previewQuery),
  requestHeaders: uploadHeaders,
  body: { kind: 'bytes', maxBytes: maxFileBytes, description: 'The bytes of the file' },
  responses: {
    201: {
      description: 'Committed',
      schema: uploadResponse,
    },
  },
}).handledBy(
  ({ now, similarAssets, ...verbs }: Dependencies) =>
    async ({ params, body, request, caller, respond }) => {
      const path = parseAssetPath(decodePath(params.path))
      const zone = zoneOf(path)
      const { files, catalog } = await verbsOf<Verbs>(verbs, { request, caller, zone })
      const expectedSha256 = requestedChecksum(request.headers)
      const written = await files.put(
        {
          path,
          source: passingStream(body),
          contentType: request.headers.get('content-type'),
          precondition: preconditionOf(request),
          ...(expectedSha256 === undefined ? {} : { expectedSha256 }),
        },
        actorOf(caller),
      )
      const fields = {
        ...storedFile(written, { catalog, now }),
        Checksum: expectedSha256 ?? null,
        Similar: await similarOf(written, { request, caller }, similarAssets),
      }
      return respond(201, fields, { ETag: entityTagOf(written.sha256) })
    },
)

/** What is said of a file that was stored, however it came. */
export const storedFile = (
  { path, sizeBytes, sha256, outcome }: WrittenFile,
  { catalog, now }: Pick<Verbs, 'catalog'> & Pick<Dependencies, 'now'>,
) =>
  ({
    HttpCode: 201,
    Message: 'File uploaded',
    Path: repositoryPath(path),
    Length: sizeBytes,
    Checksum: sha256,
    DateCreated: now().toISOString(),
    EdgeStatus: outcome === 'created' ? 'pending' : 'purging',
    EdgeNote: edgeNoteOf([path], edgeNotes[outcome], catalog),
  }) as const

const deleteFile = operation({
  id: 'deleteFile',
  plane: 'storage',
  method: 'delete',
  path: '/api/storage/{path}',
  summary: 'Delete a file',
  example: { params: { path: 'acme/v1/titles/hello.txt' } },
  access: { keys: ['access'], scope: 'storage:write', session: true, previewScope },
  envelope: 'standard',
  params: storagePathParams,
  query: z.object(previewQuery),
  requestHeaders: { ...preconditionHeaders, ...previewHeader },
  responses: { 200: { description: 'Deleted', schema: deleteResponse } },
}).handledBy(
  ({ now: _now, similarAssets: _similarAssets, ...verbs }: Dependencies) =>
    async ({ params, request, caller, respond }) => {
      const path = parseAssetPath(decodePath(params.path).replace(/\/$/u, ''))
      const { files } = await verbsOf<Verbs>(verbs, { request, caller, zone: zoneOf(path) })
      await files.remove(path, actorOf(caller), preconditionOf(request))
      return respond(200, {
        HttpCode: 200,
        Message: 'File deleted',
        Path: repositoryPath(path),
        EdgeStatus: 'purging',
        EdgeNote: 'Removed from the repository; edges stop serving it at once.',
      })
    },
)

const edgeNotes: Readonly<Record<WrittenFile['outcome'], string>> = {
  created: 'Committed; edges serve it within seconds.',
  updated: 'Committed; edges drop the former file and serve this one within seconds.',
  unchanged: 'The file is unchanged: these bytes were stored already, and no commit was made.',
}

/** `PUT` and `DELETE` of one file. */
export const writeFileOperations: readonly HandledOperation<Dependencies>[] = [putFile, deleteFile]

/** The request's `If-Match` and `If-None-Match`, to be asked of whatever is stored when it is written. */
export const preconditionOf =
  (request: Request): Precondition =>
  (currentSha256) =>
    evaluatePreconditions(
      request,
      currentSha256 === undefined
        ? undefined
        : { etag: entityTagOf(currentSha256), lastModified: undefined },
    ) === 'proceed'

const disabledNote =
  'Committed; the zone is disabled, so edges serve nothing of it until it is enabled again.'

/** What becomes of a write at the edges: nothing, where one of its zones is switched off. */
export const edgeNoteOf = (
  paths: readonly AssetPath[],
  note: string,
  published: Pick<Manifest, 'zone'>,
): string =>
  paths.some((path) => published.zone(zoneOf(path))?.enabled === false) ? disabledNote : note
