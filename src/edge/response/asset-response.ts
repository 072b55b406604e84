import { bodyOf } from '../../lib/bytes/byte-streams.ts'
import { type Content, planResponse, respondWith } from '../../http/response/respond.ts'
import { formatHttpDate } from '../../http/request/http-date.ts'
import type { CacheResult } from '../hits/hit-counter.ts'
import { extended, type Representation } from './representation.ts'
import type { RequestHead } from '../../http/wire/request-head.ts'
import { createWireResponse, withFile, type WireResponse } from '../../http/wire/wire-response.ts'
import { openSendable } from '../../lib/files/sendable-file.ts'

/** An answer and what is to be counted of it. */
export interface AssetResponse {
  readonly response: Response
  readonly bodyBytes: number
}

/** What of the request does not hold. */
export type Failure = 'precondition' | 'range'

export interface Question {
  readonly request: RequestHead
  readonly representation: Representation
  readonly cache: CacheResult
  /** Fields this answer has and no other, such as the request's id. */
  readonly extra: Readonly<Record<string, string | undefined>> | undefined
  readonly now: () => Date
  readonly newBoundary: () => string
}

/** Answers GET or HEAD from a representation; a failed precondition (412) or range (416) is the caller's to refuse. */
export function assetResponse(question: Question): AssetResponse | Failure {
  const { request, representation } = question
  const { body, sizeBytes } = representation
  const response = respondWith(request, {
    ...contentOf(question),
    // A body that is a file brings Bun's own range code into play. It ignores what this ignores: tested.
    open: (span) => bodyOf(span === undefined ? body : body.slice(span.start, span.end)),
  })
  if (response.status === 412) return 'precondition'
  if (response.status === 416) return 'range'
  return { response, bodyBytes: bodyBytesOf(request, response, sizeBytes) }
}

const contentOf = (question: Question): Omit<Content, 'open'> => {
  const { representation, cache, newBoundary, extra } = question
  const { sizeBytes, isFile } = representation
  return {
    validators: representation,
    sizeBytes,
    headers: headersOf(question),
    unchangedHeaders: () => withExtra(representation.notModified(cache).headers, extra),
    multipart: {
      get bytes() {
        return representation.body
      },
      isFile,
      newBoundary,
    },
  }
}

/**
 * The same as it is sent, where all of it is at hand. `undefined` where it is not, where something does not
 * hold, and for several ranges at once.
 */
export function assetOnWire(question: Question): WireResponse | undefined {
  const { held, sizeBytes, isFile } = question.representation
  const { init, body, opens } = planResponse(question.request, contentOf(question))
  const { status = 200 } = init
  if (body !== undefined || status >= 400) return undefined
  const parts = { status, headers: new Headers(init.headers) }
  if (opens === undefined) return createWireResponse(parts)
  const { start, end } = opens.span ?? { start: 0, end: sizeBytes }
  if (held !== undefined)
    return createWireResponse({ ...parts, body: held.bytes.subarray(start, end) })
  const file = isFile
    ? openSendable(question.representation.body, { sizeBytes, start, end })
    : undefined
  return file && withFile(createWireResponse({ ...parts, fileBytes: end - start }), file)
}

/** Bun gives a HEAD no Date. */
function headersOf({ request, representation, cache, extra, now }: Question): Headers {
  const { headers } = representation.full(cache)
  return request.method === 'HEAD'
    ? extended(headers, { Date: formatHttpDate(now()), ...extra })
    : withExtra(headers, extra)
}

const withExtra = (headers: Headers, extra: Question['extra']): Headers =>
  extra === undefined ? headers : extended(headers, extra)

function bodyBytesOf(
  { method }: RequestHead,
  { status, headers }: Response,
  sizeBytes: number,
): number {
  if (method === 'HEAD' || status === 304) return 0
  return status === 206 ? Number(headers.get('content-length')) : sizeBytes
}

/**
 * Sends the whole representation as what a rule shows instead of something that is not there: no
 * validators, no ranges, and nobody may keep it.
 */
export function responseWithStatus(question: Question, status: number): AssetResponse {
  const { request, representation, cache, extra } = question
  const headers = extended(representation.full(cache).headers, extra ?? {})
  for (const name of ['ETag', 'Last-Modified', 'Accept-Ranges']) headers.delete(name)
  headers.set('Cache-Control', 'no-store')
  const isHead = request.method === 'HEAD'
  if (isHead) headers.set('Content-Length', String(representation.sizeBytes))
  return {
    response: new Response(isHead ? null : bodyOf(representation.body), { status, headers }),
    bodyBytes: isHead ? 0 : representation.sizeBytes,
  }
}
