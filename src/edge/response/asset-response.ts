import { evaluatePreconditions } from '../../http/request/conditional.ts'
import {
  contentRange,
  multipartLayout,
  selectRange,
  type ByteSpan,
} from '../../http/response/ranges.ts'
import { formatHttpDate } from '../../http/request/http-date.ts'
import { multipartBlob, sliceStream } from '../../http/response/multipart-body.ts'
import type { CacheResult } from '../hits/hit-counter.ts'
import { extended, type Representation } from './representation.ts'

/** An answer and what is to be counted of it. */
export interface Answer {
  readonly response: Response
  readonly bodyBytes: number
}

/** What of the request does not hold. */
export type Failure = 'precondition' | 'range'

export interface Question {
  readonly request: Request
  readonly representation: Representation
  readonly cache: CacheResult
  /** Fields this answer has and no other, such as the request's id. */
  readonly extra: Readonly<Record<string, string | undefined>> | undefined
  readonly now: () => Date
  readonly newBoundary: () => string
}

/** Answers GET or HEAD from a representation; a failed precondition (412) or range (416) is the caller's to refuse. */
export function answer(question: Question): Answer | Failure {
  const { request, representation } = question
  const precondition = evaluatePreconditions(request, representation)
  if (precondition === 'failed') return 'precondition'
  if (precondition === 'not-modified') return notModified(question)
  if (request.method === 'HEAD') return head(question)
  return request.headers.get('range') === null ? whole(question) : ranged(question)
}

/**
 * Sends the whole representation as what a rule shows instead of something that is not there: no
 * validators, no ranges, and nobody may keep it.
 */
export function answerWithStatus(question: Question, status: number): Answer {
  const { request, representation, cache, extra } = question
  const headers = extended(representation.full(cache).headers, extra ?? {})
  for (const name of ['ETag', 'Last-Modified', 'Accept-Ranges']) headers.delete(name)
  headers.set('Cache-Control', 'no-store')
  const isHead = request.method === 'HEAD'
  if (isHead) headers.set('Content-Length', String(representation.sizeBytes))
  return {
    response: new Response(isHead ? null : representation.body, { status, headers }),
    bodyBytes: isHead ? 0 : representation.sizeBytes,
  }
}

function notModified({ representation, cache, extra }: Question): Answer {
  const init = representation.notModified(cache)
  return {
    response: new Response(
      null,
      extra === undefined ? init : { status: 304, headers: extended(init.headers, extra) },
    ),
    bodyBytes: 0,
  }
}

function whole({ representation, cache, extra }: Question): Answer {
  const init = representation.full(cache)
  return {
    response: new Response(
      representation.body,
      extra === undefined ? init : { headers: extended(init.headers, extra) },
    ),
    bodyBytes: representation.sizeBytes,
  }
}

/** Bun gives a HEAD neither the length of a body that is not there nor a Date. */
function head({ representation, cache, extra, now }: Question): Answer {
  const headers = extended(representation.full(cache).headers, {
    'Content-Length': String(representation.sizeBytes),
    Date: formatHttpDate(now()),
    ...extra,
  })
  return { response: new Response(null, { headers }), bodyBytes: 0 }
}

function ranged(question: Question): Answer | Failure {
  const { request, representation, cache, extra } = question
  const range = selectRange(request, representation)
  // A body that is a file brings Bun's own range code into play. It ignores what this ignores: tested.
  if (range.kind === 'none') return whole(question)
  if (range.kind === 'unsatisfiable') return 'range'
  const headers = extended(representation.full(cache).headers, extra ?? {})
  return range.kind === 'single'
    ? part(representation, headers, range.span)
    : multipart(question, range.spans, headers)
}

function part({ body, sizeBytes }: Representation, headers: Headers, span: ByteSpan): Answer {
  headers.set('Content-Range', contentRange(span, sizeBytes))
  const response = new Response(body.slice(span.start, span.end), { status: 206, headers })
  return { response, bodyBytes: span.end - span.start }
}

function multipart(
  { representation, newBoundary }: Question,
  spans: readonly ByteSpan[],
  headers: Headers,
): Answer {
  const { sizeBytes, contentType, body, isFile } = representation
  const layout = multipartLayout(spans, { sizeBytes, contentType, boundary: newBoundary() })
  headers.set('Content-Type', layout.contentType)
  const parts = isFile ? sliceStream(body, layout) : multipartBlob(body, layout)
  const response = new Response(parts, { status: 206, headers })
  return { response, bodyBytes: layout.contentLength }
}
