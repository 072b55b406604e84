import { z } from 'zod'

import type { BroughtObjects } from '../../../domain/content/brought-objects.ts'
import type { StoredObjects } from '../../../domain/content/stored-objects.ts'
import { ServiceError } from '../../../domain/errors.ts'
import { cacheLifetimes } from '../../../http/response/cache-lifetimes.ts'
import { respondWithLater } from '../../../http/response/respond.ts'
import { readableBody } from '../../../lib/bytes/byte-streams.ts'
import { lfsResponse, readLfsBody } from './lfs-wire.ts'
import type { ObjectGrants } from './object-grants.ts'

export interface ObjectDependencies {
  readonly objects: StoredObjects
  readonly grants: ObjectGrants
  readonly brought: BroughtObjects
}

/** An object of the URL, with the right to it in the query. */
export interface ObjectRequest {
  readonly request: Request
  readonly oid: string
  readonly query: URLSearchParams
}

const everybody = { zones: undefined }

/** Its bytes, or a part of them: a client goes on where it was cut off. */
export async function download(
  { request, oid, query }: ObjectRequest,
  { objects, grants }: ObjectDependencies,
): Promise<Response> {
  const { sizeBytes } = grants.check('download', oid, query)
  const bytes = await objects.open(oid)
  if (bytes === undefined) throw noSuchObject()
  const response = await respondWithLater(request, {
    validators: { etag: `"${oid}"`, lastModified: undefined },
    sizeBytes,
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Length': String(sizeBytes),
      'Content-Disposition': 'attachment',
      'Cache-Control': cacheLifetimes.privatePinned,
      'Accept-Ranges': 'bytes',
      ETag: `"${oid}"`,
    },
    open: async (span) => await readableBody(span ? bytes.slice(span.start, span.end) : bytes),
  })
  if (response.status === 412)
    throw new ServiceError('PreconditionFailed', 'The object is not the one the request names')
  return response
}

export async function upload(
  { request, oid, query }: ObjectRequest,
  { objects, grants, brought }: ObjectDependencies,
): Promise<Response> {
  const { sizeBytes, zones = [] } = grants.check('upload', oid, query)
  const length = request.headers.get('content-length')
  if (length !== null && Number(length) !== sizeBytes)
    throw new ServiceError('InvalidParameter', `the body must have ${sizeBytes} bytes`)
  await objects.receive({ sha256: oid, sizeBytes }, request.body ?? new Blob([]).stream())
  brought.note(oid, zones)
  return new Response(null)
}

const verification = z.object({ oid: z.string(), size: z.number() })

/** Whether an upload arrived. */
export async function verify(
  { request, oid, query }: ObjectRequest,
  { objects, grants }: ObjectDependencies,
): Promise<Response> {
  const { sizeBytes } = grants.check('verify', oid, query)
  const said = await readLfsBody(request, verification)
  if (said.oid !== oid || said.size !== sizeBytes)
    throw new ServiceError('InvalidParameter', 'oid and size must be those of the batch')
  const stored = (await objects.sizes([oid], everybody)).get(oid)
  if (stored !== sizeBytes) throw noSuchObject()
  return lfsResponse({})
}

const noSuchObject = () => new ServiceError('NotFound', 'There is no such object')
