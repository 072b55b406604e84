import { entityTagOf } from '../domain/content/delivered/entity-tag.ts'
import type { FileReader } from '../domain/content/delivered/file-reader.ts'
import { ServiceError } from '../domain/errors.ts'
import { evaluatePreconditions } from '../http/request/conditional.ts'
import { rangeNotSatisfiable } from '../http/response/envelopes.ts'
import { contentRange, selectRange } from '../http/response/ranges.ts'
import type { AssetRecord } from '../ports/records/asset.ts'

interface Source {
  readonly asset: AssetRecord
  readonly reader: FileReader
  /** Besides those that every answer about the file has. */
  readonly headers: Readonly<Record<string, string>>
}

/** A stored file as an answer: preconditions first, then the range (RFC 9110 §13.2.2). */
export async function fileAnswer(
  request: Request,
  { asset, reader, headers: extra }: Source,
): Promise<Response> {
  const current = {
    etag: entityTagOf(asset.sha256),
    lastModified: asset.changedAt,
    sizeBytes: asset.sizeBytes,
  }
  const headers = { ...headersOf(asset), ...extra }
  const precondition = evaluatePreconditions(request, current)
  if (precondition === 'failed')
    throw new ServiceError('PreconditionFailed', 'The stored file is not the one the request names')
  if (precondition === 'not-modified') return new Response(null, { status: 304, headers })

  const range = selectRange(request, current)
  if (range.kind === 'unsatisfiable') throw rangeNotSatisfiable(asset.sizeBytes)
  if (range.kind === 'single')
    return new Response(await reader.open(asset, range.span), {
      status: 206,
      headers: {
        ...headers,
        'Content-Range': contentRange(range.span, asset.sizeBytes),
        'Content-Length': String(range.span.end - range.span.start),
      },
    })
  // Several ranges at once are answered with the whole, as RFC 9110 §14.2 allows.
  const length = { 'Content-Length': String(asset.sizeBytes) }
  return new Response(await reader.open(asset), { headers: { ...headers, ...length } })
}

const headersOf = (asset: AssetRecord): Record<string, string> => ({
  'Content-Type': asset.contentType,
  ETag: entityTagOf(asset.sha256),
  'Last-Modified': asset.changedAt.toUTCString(),
  'Accept-Ranges': 'bytes',
  'X-Content-Type-Options': 'nosniff',
})
