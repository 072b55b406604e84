import { evaluatePreconditions } from '../../../http/request/conditional.ts'
import {
  contentRange,
  multipartLayout,
  selectRange,
  unsatisfiedContentRange,
  type ByteSpan,
} from '../../../http/response/ranges.ts'
import { multipartBlob, sliceStream } from '../../../http/response/multipart-body.ts'
import { isFileBody } from '../store/body-files.ts'
import { cacheStatusMember, type CacheStatus } from '../rfc9111/cache-status.ts'
import { appendMember } from '../rfc9111/message-fields.ts'
import { ageMs, type StoredBody, type StoredResponse } from '../store/stored-response.ts'

/** How a cache names itself in Cache-Status and Via. */
export interface CacheIdentity {
  readonly name: string
  readonly via: string
}

export interface StoredAnswer {
  readonly stored: StoredResponse
  readonly request: Request
  readonly status: CacheStatus
  readonly identity: CacheIdentity
  readonly now: number
  /**
   * For the client whose request brought the response: the origin's own fields, those that must not
   * be used again included, and no Age of ours.
   */
  readonly originFields?: Headers
}

/**
 * A response from a stored one: 200, 304, 412, 206, 416 or whatever status was stored. `fields` may be
 * shared with other answers and are not changed.
 */
export function answerFromStored(answer: StoredAnswer, fields = fieldsOf(answer)): Response {
  const { stored, request } = answer
  if (stored.status !== 200) return wholeAnswer(answer, fields)
  const precondition = evaluatePreconditions(request, stored.conditionValidators)
  if (precondition === 'not-modified') return emptyAnswer(304, fields)
  if (precondition === 'failed') return emptyAnswer(412, fields)
  return rangeAnswer(answer, fields) ?? wholeAnswer(answer, fields)
}

/** A response of the origin that is not stored, handed on. */
export function answerFromOrigin(
  response: Response,
  fields: Headers,
  { status, identity }: Pick<StoredAnswer, 'status' | 'identity'>,
): Response {
  appendMember(fields, 'via', identity.via)
  appendMember(fields, 'cache-status', cacheStatusMember(identity.name, status))
  return new Response(response.body, {
    status: response.status,
    statusText: response.statusText,
    headers: fields,
  })
}

export function fieldsOf({
  stored,
  status,
  identity,
  now,
  originFields,
}: Omit<StoredAnswer, 'request'>): Headers {
  const headers = new Headers(originFields ?? stored.headers)
  if (originFields === undefined) headers.set('age', String(Math.floor(ageMs(stored, now) / 1000)))
  appendMember(headers, 'via', identity.via)
  appendMember(headers, 'cache-status', cacheStatusMember(identity.name, status))
  return headers
}

function wholeAnswer({ stored, request }: StoredAnswer, fields: Headers): Response {
  const { status, body } = stored
  const isBodyless = request.method === 'HEAD' || status === 204
  const opened = isBodyless ? null : openWhole(body, request)
  const isTold = opened instanceof Blob && fields.has('content-length')
  const headers = isTold ? fields : withLength(fields, stored)
  return new Response(opened, { status, headers })
}

function withLength(fields: Headers, { status, body }: StoredResponse): Headers {
  const headers = new Headers(fields)
  headers.delete('content-length')
  if (body.sizeBytes !== undefined && status !== 204)
    headers.set('content-length', String(body.sizeBytes))
  return headers
}

/** A file answered to a request with Range would be cut by Bun, which knows nothing of If-Range. */
function openWhole(body: StoredBody, request: Request): BodyInit {
  const opened = body.open()
  return opened instanceof Blob && isFileBody(body) && request.headers.has('range')
    ? opened.stream()
    : opened
}

function emptyAnswer(status: 304 | 412 | 416, fields: Headers): Response {
  if (!fields.has('content-length')) return new Response(null, { status, headers: fields })
  const headers = new Headers(fields)
  headers.delete('content-length')
  return new Response(null, { status, headers })
}

/** `undefined` where the whole is to be sent. */
function rangeAnswer({ stored, request }: StoredAnswer, fields: Headers): Response | undefined {
  const { body, validators } = stored
  const { sizeBytes } = body
  if (sizeBytes === undefined || !request.headers.has('range')) return undefined
  const decision = selectRange(request, { ...validators, sizeBytes })
  if (decision.kind === 'none') return undefined
  const headers = new Headers(fields)
  if (decision.kind === 'single') return singleRange(stored, decision.span, headers)
  if (decision.kind === 'multiple') return multipleRanges(stored, decision.spans, headers)
  headers.set('content-range', unsatisfiedContentRange(sizeBytes))
  return emptyAnswer(416, headers)
}

function singleRange({ body }: StoredResponse, span: ByteSpan, headers: Headers): Response {
  headers.set('content-range', contentRange(span, body.sizeBytes ?? 0))
  headers.set('content-length', String(span.end - span.start))
  return new Response(body.open(span), { status: 206, headers })
}

/** Only of bytes that have all come in; else the whole is sent. */
function multipleRanges(
  { body }: StoredResponse,
  spans: readonly ByteSpan[],
  headers: Headers,
): Response | undefined {
  const bytes = body.isComplete ? body.open() : undefined
  if (!(bytes instanceof Blob)) return undefined
  const contentType = headers.get('content-type') ?? 'application/octet-stream'
  const boundary = crypto.randomUUID()
  const layout = multipartLayout(spans, { sizeBytes: bytes.size, contentType, boundary })
  headers.set('content-type', layout.contentType)
  headers.set('content-length', String(layout.contentLength))
  const parts = isFileBody(body) ? sliceStream(bytes, layout) : multipartBlob(bytes, layout)
  return new Response(parts, { status: 206, headers })
}
