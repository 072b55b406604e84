import { respondWith, type Content, unchangedFields } from '../../../http/response/respond.ts'
import { blobWhereTaken, DirectRequest, HeldResponse } from '../../../http/wire/held-response.ts'
import type { RequestHead } from '../../../http/wire/request-head.ts'
import { isFileBody } from '../store/body-files.ts'
import { cacheStatusMember, type CacheStatus } from '../rfc9111/cache-status.ts'
import { appendMember, isConditional } from '../rfc9111/message-fields.ts'
import { ageMs, type StoredBody, type StoredResponse } from '../store/stored-response.ts'

/** How a cache names itself in Cache-Status and Via. */
export interface CacheIdentity {
  readonly name: string
  readonly via: string
}

export interface StoredReuse {
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
export function responseFromStored(answer: StoredReuse, fields = fieldsOf(answer)): Response {
  const { stored, request } = answer
  if (stored.status !== 200) return otherResponse(answer, fields)
  const { body, conditionValidators, validators } = stored
  const held = heldFor(stored, request)
  if (held !== undefined) return new HeldResponse(held, { headers: withLength(fields, stored) })
  return respondWith(request, {
    validators: conditionValidators,
    rangeValidators: validators,
    sizeBytes: body.sizeBytes,
    headers: withLength(fields, stored),
    unchangedHeaders: () => unchangedFields(fields),
    open: (span) => (span === undefined ? openWhole(body, request) : body.open(span)),
    ...(request.headers.has('range') && multipartOf(body)),
  })
}

/** The body of a stored 200 where the request gets it whole, and from where it is. */
export const heldFor = (
  { status, body }: StoredResponse,
  request: RequestHead,
): Uint8Array<ArrayBuffer> | undefined =>
  status === 200 &&
  request instanceof DirectRequest &&
  request.method === 'GET' &&
  !isConditional(request.headers)
    ? body.held
    : undefined

/** A response of the origin that is not stored, handed on. */
export function responseFromOrigin(
  response: Response,
  fields: Headers,
  { status, identity }: Pick<StoredReuse, 'status' | 'identity'>,
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
}: Omit<StoredReuse, 'request'>): Headers {
  const headers = new Headers(originFields ?? stored.headers)
  if (originFields === undefined) headers.set('age', String(Math.floor(ageMs(stored, now) / 1000)))
  appendMember(headers, 'via', identity.via)
  appendMember(headers, 'cache-status', cacheStatusMember(identity.name, status))
  return headers
}

/** What was stored with another status than 200 has neither validators nor ranges. */
function otherResponse({ stored, request }: StoredReuse, fields: Headers): Response {
  const { status, body } = stored
  const isBodyless = request.method === 'HEAD' || status === 204
  const headers = withLength(fields, stored)
  const sent = isBodyless ? null : openWhole(body, request)
  return blobWhereTaken(request, sent, { status, headers })
}

/** The very fields where they say the length already: they may be shared. */
function withLength(fields: Headers, { status, body }: StoredResponse): Headers {
  const length = status === 204 ? undefined : body.sizeBytes?.toString()
  if (fields.get('content-length') === (length ?? null)) return fields
  const headers = new Headers(fields)
  headers.delete('content-length')
  if (length !== undefined) headers.set('content-length', length)
  return headers
}

const newBoundary = (): string => crypto.randomUUID()

/** Only of bytes that have all come in; else the whole is sent. */
function multipartOf(body: StoredBody): Pick<Content, 'multipart'> {
  const bytes = body.isComplete ? body.open() : undefined
  if (!(bytes instanceof Blob)) return {}
  return { multipart: { bytes, isFile: isFileBody(body), newBoundary } }
}

/** A file answered to a request with Range would be cut by Bun, which knows nothing of If-Range. */
function openWhole(body: StoredBody, request: Request): BodyInit {
  const opened = body.open()
  return opened instanceof Blob && isFileBody(body) && request.headers.has('range')
    ? opened.stream()
    : opened
}
