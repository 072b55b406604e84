import { z } from 'zod'

import { decodePath } from '../../domain/content/asset-path.ts'
import { entityTagOf } from '../../domain/content/delivered/published-bytes.ts'
import type { WrittenFile } from '../../domain/content/files/put/file-put.ts'
import { invalid } from '../../domain/errors.ts'
import { grantIdOf, grantIsOver } from '../../domain/uploads/grants/grant-actor.ts'
import { grantedPath, type NamedFile } from '../../domain/uploads/grants/granted-path.ts'
import type { GrantedUploads } from '../../domain/uploads/grants/granted-uploads.ts'
import type { UploadGrants } from '../../domain/uploads/grants/grants.ts'
import { tooLarge } from '../../domain/uploads/open-upload.ts'
import { type Caller, type HandledOperation, operation } from '../../http/operation.ts'
import { announcedLength } from '../../http/request/body.ts'
import { inUtf8 } from '../../http/request/multipart.ts'
import type { UploadGrantRecord } from '../../ports/access/upload-grant-store.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import { actorOf, baseUrlOf } from '../caller.ts'
import { requestedChecksum } from '../storage/requested-checksum.ts'
import { uploadResponse } from '../storage/schemas.ts'
import { storedFile } from '../storage/write-file.ts'
import { readUploadForm } from './upload-form.ts'
import { commonTerms } from './upload-request.ts'

interface Dependencies {
  readonly uploads: GrantedUploads
  readonly grants: Pick<UploadGrants, 'standing'>
  readonly catalog: Pick<Manifest, 'zone'>
  readonly maxFileBytes: number
  readonly baseUrl: string | undefined
  /** Origins that the operator names; a form may lead to their pages. */
  readonly corsOrigins: ReadonlySet<string>
  readonly now: () => Date
}

/** A grant lets somebody store a file; what else there is is none of their business. */
const untold = { Similar: null } as const

const redirectField = 'success_action_redirect'

const granted = {
  plane: 'uploads',
  envelope: 'standard',
  path: '/api/uploads/granted/{path}',
  access: { keys: [], grant: true },
  params: z.object({
    path: z.string().describe('Of the file, below the directory of the grant; else empty'),
  }),
  query: z.object({ grant: z.string().describe('As in `Url` of `createUploadGrant`') }),
} as const

const putGrantedFile = operation({
  ...granted,
  id: 'putGrantedFile',
  method: 'put',
  summary: 'Store a file with an upload grant',
  requestHeaders: {
    'Content-Type': 'Of the file, where the grant names no types; else the bytes say it',
    Checksum: 'The SHA-256 of the body in hex',
    'Content-Digest': 'The same as `sha-256=:<base64>:` (RFC 9530)',
  },
  body: { kind: 'bytes', description: 'The bytes of the file' },
  responses: { 201: { description: 'Committed', schema: uploadResponse } },
}).handledBy((dependencies: Dependencies) => async ({ params, body, request, caller, respond }) => {
  const { headers } = request
  const expectedSha256 = requestedChecksum(headers)
  const { condition } = commonTerms(headers)
  const written = await dependencies.uploads.store(
    {
      path: targetOf(caller, { path: decodePath(params.path), fileName: undefined }),
      sizeBytes: announcedLength(request),
      contentType: headers.get('content-type'),
      ...(expectedSha256 !== undefined && { expectedSha256 }),
      ...(condition && { condition }),
    },
    body,
    actorOf(caller),
  )
  return respond(
    201,
    { ...storedFile(written, dependencies), ...untold },
    { ETag: entityTagOf(written.sha256) },
  )
})

const postGrantedForm = operation({
  ...granted,
  id: 'postGrantedForm',
  method: 'post',
  summary: 'Store the file of an HTML form with an upload grant',
  description: `One file, after the other fields: \`path\` names it below the directory of the grant (else its own name does), \`${redirectField}\` is the page that the browser is led to, of this service or of an origin that the grant or the operator names.`,
  body: {
    kind: 'bytes',
    contentType: 'multipart/form-data',
    description: 'The form',
    schema: z.object({
      path: z.string().optional(),
      [redirectField]: z.string().optional(),
      file: z.string().describe('The file'),
    }),
  },
  responses: {
    201: { description: 'Committed', schema: uploadResponse },
    303: { description: `Committed; leads to \`${redirectField}\`` },
  },
}).handledBy((dependencies: Dependencies) => async ({ params, body, request, caller, respond }) => {
  const record = await recordOf(caller, dependencies)
  refuseLongForm(request, record, dependencies)
  const allowed = pagesOf(request, record, dependencies)
  await using form = await readUploadForm(
    body,
    request.headers.get('content-type'),
    (name, value) => {
      if (name === redirectField) requirePage(value, allowed)
    },
  )
  const { fields, fileName, contentType, file } = form
  const named = fields.get('path') ?? decodePath(params.path)
  const path = targetOf(caller, { path: named, fileName })
  if (path.includes('\ufffd')) throw invalid('file', inUtf8)
  const terms = { path, sizeBytes: undefined, contentType: contentType ?? null }
  const written = await dependencies.uploads.store(terms, file, actorOf(caller))
  const redirect = fields.get(redirectField)
  return redirect === undefined
    ? respond(
        201,
        { ...storedFile(written, dependencies), ...untold },
        { ETag: entityTagOf(written.sha256) },
      )
    : leadTo(redirect, written)
})

/** Files that come with nothing but a grant, whole. */
export const grantedFileOperations: readonly HandledOperation<Dependencies>[] = [
  putGrantedFile,
  postGrantedForm,
]

function targetOf({ grantedPath: granting }: Caller, named: NamedFile) {
  if (granting === undefined) throw grantIsOver()
  return grantedPath(granting, named)
}

async function recordOf(caller: Caller, { grants }: Pick<Dependencies, 'grants'>) {
  const record = await grants.standing(grantIdOf(caller) ?? '')
  if (record === undefined) throw grantIsOver()
  return record
}

/** What a form needs besides its file. */
const maxRestBytes = 65_536

function refuseLongForm(
  request: Request,
  record: UploadGrantRecord,
  { maxFileBytes }: Pick<Dependencies, 'maxFileBytes'>,
): void {
  const maxBytes = record.maxBytes ?? maxFileBytes
  if ((announcedLength(request) ?? 0) > maxBytes + maxRestBytes) throw tooLarge(maxBytes)
}

const pagesOf = (
  request: Request,
  { origins = [] }: UploadGrantRecord,
  { baseUrl, corsOrigins }: Pick<Dependencies, 'baseUrl' | 'corsOrigins'>,
): ReadonlySet<string> =>
  new Set([...origins, ...corsOrigins, new URL(baseUrlOf(request, baseUrl)).origin])

/** An address of anybody's choice would make this service a way to lead people astray. */
function requirePage(text: string, origins: ReadonlySet<string>): void {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/u.test(url.protocol) || !origins.has(url.origin))
    throw invalid(redirectField, 'must be a page of this service or of an origin of the grant')
}

function leadTo(page: string, { path }: WrittenFile): Response {
  const url = new URL(page)
  url.searchParams.set('path', path)
  return new Response(null, { status: 303, headers: { Location: url.href } })
}
