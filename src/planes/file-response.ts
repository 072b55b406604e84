import { entityTagOf, type FileReader } from '../domain/content/delivered/published-bytes.ts'
import { ServiceError } from '../domain/errors.ts'
import { rangeNotSatisfiable } from '../http/response/envelopes.ts'
import { readableBody } from '../lib/bytes/byte-streams.ts'
import { respondWithLater } from '../http/response/respond.ts'
import type { AssetRecord } from '../ports/records/asset.ts'

interface Source {
  readonly asset: AssetRecord
  readonly reader: FileReader
  /** Besides those that every answer about the file has. */
  readonly headers: Readonly<Record<string, string>>
}

/** The response with a stored file, or with what the request asks of it. */
export async function fileResponse(
  request: Request,
  { asset, reader, headers }: Source,
): Promise<Response> {
  const { sizeBytes } = asset
  const response = await respondWithLater(request, {
    validators: { etag: entityTagOf(asset.sha256), lastModified: asset.changedAt },
    sizeBytes,
    headers: { ...headersOf(asset), ...headers, 'Content-Length': String(sizeBytes) },
    open: async (span) => await readableBody(await reader.open(asset, span)),
  })
  if (response.status === 412)
    throw new ServiceError('PreconditionFailed', 'The stored file is not the one the request names')
  if (response.status === 416) throw rangeNotSatisfiable(sizeBytes)
  return response
}

const headersOf = (asset: AssetRecord): Record<string, string> => ({
  'Content-Type': asset.contentType,
  ETag: entityTagOf(asset.sha256),
  'Last-Modified': asset.changedAt.toUTCString(),
  'Accept-Ranges': 'bytes',
  'X-Content-Type-Options': 'nosniff',
})
