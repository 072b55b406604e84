import { evaluatePreconditions, type Validators } from '../request/conditional.ts'
import { multipartBlob, sliceStream, type Sliceable } from './multipart-body.ts'
import {
  contentRange,
  multipartLayout,
  selectRange,
  unsatisfiedContentRange,
  type ByteSpan,
  type RangeDecision,
} from './ranges.ts'
import { blobWhereTaken } from '../wire/held-response.ts'
import type { RequestHead } from '../wire/request-head.ts'

/** A selected representation (RFC 9110 §3.2): what a request that found it is answered with. */
export interface Content<Opened = BodyInit> {
  readonly validators: Validators
  /** For If-Range, where others hold for it. */
  readonly rangeValidators?: Validators
  /** `undefined` where ranges are ignored, e.g. because nobody knows yet how long it will be. */
  readonly sizeBytes: number | undefined
  /** The fields of a 200. They may be shared: they are copied before anything is changed. */
  readonly headers: Headers | Readonly<Record<string, string>>
  /** The fields of a 304, where they are others. */
  readonly unchangedHeaders?: () => Headers
  /** Called at most once, and not at all where nothing of the bytes is sent. */
  open(span?: ByteSpan): Opened
  /** Absent where several ranges at once are answered with the whole, as RFC 9110 §14.2 allows. */
  readonly multipart?: Multipart
}

interface Multipart {
  readonly bytes: Sliceable
  /** Whether they are read from a file, or from elsewhere. */
  readonly isFile: boolean
  /** Text that does not occur in the bytes: pass something random. */
  readonly newBoundary: () => string
}

/**
 * The response to GET or HEAD: 412 or 304 for what the preconditions say (RFC 9110 §13.2.2), then 206 or
 * 416 for a range, else 200. A 412 and a 416 have no body: whoever refuses in an envelope looks at the
 * status.
 */
export function respondWith(request: RequestHead, content: Content): Response {
  const { init, body = null, opens } = planResponse(request, content)
  return blobWhereTaken(request, opens === undefined ? body : content.open(opens.span), init)
}

/** As `respondWith`, for bytes that are waited for. */
export async function respondWithLater(
  request: RequestHead,
  content: Content<Promise<BodyInit>>,
): Promise<Response> {
  const { init, body = null, opens } = planResponse(request, content)
  const sent = opens === undefined ? body : await content.open(opens.span)
  return blobWhereTaken(request, sent, init)
}

export interface FirstSpan {
  readonly span: ByteSpan
  /** Whether the response has no other part. */
  readonly isOnly: boolean
}

/** Those of the stored bytes that the response begins with; `undefined` where it has none of them. */
export function firstSpanOf(
  request: RequestHead,
  content: Pick<Content<unknown>, 'validators'> & { readonly sizeBytes: number },
): FirstSpan | undefined {
  if (request.method === 'HEAD' || evaluatePreconditions(request, content.validators) !== 'proceed')
    return undefined
  const range = rangeOf(request, content, content.sizeBytes)
  if (range.kind === 'none') return { span: { start: 0, end: content.sizeBytes }, isOnly: true }
  if (range.kind === 'unsatisfiable') return undefined
  const [span] = range.kind === 'single' ? [range.span] : range.spans
  return span && { span, isOnly: range.kind === 'single' }
}

/** What of a response is known before any byte of it is read. */
export interface ResponsePlan {
  readonly init: { readonly status?: number; readonly headers: HeadersInit }
  /** What is to be opened; absent where `body` is all. */
  readonly opens?: { readonly span: ByteSpan | undefined }
  readonly body?: BodyInit
}

/** As `respondWith` would respond. A body of several ranges is made at once; any other is still to be opened. */
export function planResponse(
  request: RequestHead,
  content: Omit<Content<unknown>, 'open'>,
): ResponsePlan {
  const precondition = evaluatePreconditions(request, content.validators)
  if (precondition === 'failed') return { init: { status: 412, headers: withoutLength(content) } }
  if (precondition === 'not-modified')
    return {
      init: { status: 304, headers: content.unchangedHeaders?.() ?? withoutLength(content) },
    }
  const { sizeBytes } = content
  return sizeBytes === undefined
    ? whole(request, content)
    : ranged(request, { ...content, sizeBytes }, rangeOf(request, content, sizeBytes))
}

const rangeOf = (
  request: RequestHead,
  { rangeValidators, validators }: Pick<Content<unknown>, 'rangeValidators' | 'validators'>,
  sizeBytes: number,
): RangeDecision =>
  request.headers.has('range')
    ? selectRange(request, { ...(rangeValidators ?? validators), sizeBytes })
    : { kind: 'none' }

type Sized = Omit<Content<unknown>, 'open'> & { readonly sizeBytes: number }

function ranged(request: RequestHead, content: Sized, range: RangeDecision): ResponsePlan {
  const { sizeBytes, multipart } = content
  if (range.kind === 'single') return part(content, range.span)
  if (range.kind === 'multiple' && multipart !== undefined)
    return parts(content, range.spans, multipart)
  if (range.kind !== 'unsatisfiable') return whole(request, content)
  const headers = withoutLength(content)
  headers.set('Content-Range', unsatisfiedContentRange(sizeBytes))
  return { init: { status: 416, headers } }
}

/** Bun gives a HEAD no length of a body that is not there. */
function whole(
  { method }: RequestHead,
  { headers, sizeBytes }: Pick<Content<unknown>, 'headers' | 'sizeBytes'>,
): ResponsePlan {
  if (method !== 'HEAD') return { init: { headers }, opens: { span: undefined } }
  const own = new Headers(headers)
  if (sizeBytes !== undefined) own.set('Content-Length', String(sizeBytes))
  return { init: { headers: own } }
}

function part({ headers, sizeBytes }: Sized, span: ByteSpan): ResponsePlan {
  const own = new Headers(headers)
  own.set('Content-Range', contentRange(span, sizeBytes))
  own.set('Content-Length', String(span.end - span.start))
  return { init: { status: 206, headers: own }, opens: { span } }
}

function parts(
  { headers, sizeBytes }: Sized,
  spans: readonly ByteSpan[],
  { bytes, isFile, newBoundary }: Multipart,
): ResponsePlan {
  const own = new Headers(headers)
  const contentType = own.get('Content-Type') ?? 'application/octet-stream'
  const layout = multipartLayout(spans, { sizeBytes, contentType, boundary: newBoundary() })
  own.set('Content-Type', layout.contentType)
  own.set('Content-Length', String(layout.contentLength))
  const isInMemory = bytes instanceof Blob && !isFile
  const body = isInMemory ? multipartBlob(bytes, layout) : sliceStream(bytes, layout)
  return { init: { status: 206, headers: own }, body }
}

function withoutLength({ headers }: Pick<Content<unknown>, 'headers'>): Headers {
  const own = new Headers(headers)
  own.delete('Content-Length')
  return own
}

/** What describes the body of a 200 has no place in a 304 (RFC 9110 §15.4.5). */
const bodyFields = [
  'content-type',
  'content-length',
  'content-encoding',
  'content-language',
  'accept-ranges',
] as const

/** The fields of a 304, from those of the 200. */
export function unchangedFields(headers: Headers): Headers {
  const left = new Headers(headers)
  for (const name of bodyFields) left.delete(name)
  return left
}
