import {
  evaluatePreconditions,
  type FieldReader,
  ifRangeHolds,
} from '../../../http/request/conditional.ts'
import { blobWhereTaken } from '../../../http/wire/held-response.ts'
import { type ByteSpan, contentRange, decideRange } from '../../../http/response/ranges.ts'
import type { ObjectMetadata } from '../../../ports/records/asset-metadata.ts'
import { S3Error } from '../s3-error.ts'
import type { S3Request } from '../s3-request.ts'
import type { ObjectState } from './object-state.ts'

interface Content {
  readonly state: ObjectState
  readonly headers: Record<string, string>
  readonly open: (span: ByteSpan | undefined) => Promise<BodyInit>
}

/**
 * GET or HEAD of an object: 304 or `PreconditionFailed` for what the conditions say (RFC 9110 §13.2.2), 206
 * for a range or a part, else 200. Of several ranges at once the whole is sent, as S3 does; HEAD has ranges too.
 */
export async function objectResponse(
  { request, query }: Pick<S3Request, 'request' | 'query'>,
  { state, headers, open }: Content,
): Promise<Response> {
  const validators = { etag: headers['etag'], lastModified: state.changedAt }
  const asked = { method: request.method, headers: quotingTags(request.headers) }
  const precondition = evaluatePreconditions(asked, validators)
  if (precondition === 'failed') throw preconditionFailed()
  if (precondition === 'not-modified')
    return new Response(null, { status: 304, headers: withoutChecksums(headers) })
  const chosen = chosenBytes(
    { request, query },
    state,
    ifRangeHolds(asked.headers.get('if-range'), validators),
  )
  const body = request.method === 'HEAD' ? null : await open(chosen?.span)
  const sent = isWhole(chosen, state) ? headers : withoutChecksums(headers)
  return blobWhereTaken(request, body, {
    status: chosen === undefined ? 200 : 206,
    headers: { ...sent, ...bytesHeaders(chosen, state.sizeBytes) },
  })
}

const isWhole = (chosen: ChosenBytes | undefined, { sizeBytes }: ObjectState): boolean =>
  chosen === undefined || chosen.span.end - chosen.span.start === sizeBytes

/** Clients hold what they get to the checksum that comes with it, and the one known is of the whole. */
const withoutChecksums = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith('x-amz-checksum-')),
  )

interface ChosenBytes {
  readonly span: ByteSpan
  /** How many parts there are, where one was asked for. */
  readonly partCount?: number | undefined
}

/** The part or the range that is asked for; `undefined` where it is the whole. */
function chosenBytes(
  { request, query }: Pick<S3Request, 'request' | 'query'>,
  state: ObjectState,
  isRanged: boolean,
): ChosenBytes | undefined {
  const part = partSpan(request, query, state)
  if (part !== undefined) return part
  const span = isRanged ? rangeSpan(request, state.sizeBytes) : undefined
  return span && { span }
}

function bytesHeaders(
  chosen: ChosenBytes | undefined,
  sizeBytes: number,
): Readonly<Record<string, string>> {
  if (chosen === undefined) return { 'content-length': String(sizeBytes) }
  const { span, partCount: count } = chosen
  const { start, end } = span
  return {
    'content-length': String(end - start),
    ...(end > start && { 'content-range': contentRange(span, sizeBytes) }),
    ...(count !== undefined && { 'x-amz-mp-parts-count': String(count) }),
  }
}

export const preconditionFailed = () =>
  new S3Error('PreconditionFailed', 'At least one of the pre-conditions you specified did not hold')

/** Clients of S3 may leave the quotes of an entity-tag out. */
export const quotingTags = (headers: Headers): FieldReader => ({
  get(name) {
    const value = headers.get(name)
    if (value === null || !tagFields.has(name)) return value
    return bareTag.test(value) ? `"${value.trim()}"` : value
  },
})

const tagFields: ReadonlySet<string> = new Set(['if-match', 'if-none-match', 'if-range'])
const bareTag = /^\s*[0-9a-f]{32}(?:-\d{1,5})?\s*$/iu

/** `undefined` where the whole is meant. Refuses what is not there. */
function rangeSpan({ headers }: Request, sizeBytes: number): ByteSpan | undefined {
  const range = headers.get('range')
  if (range === null || range.length > 1024) return undefined
  // Of nothing there is no range, where one is asked for.
  const isEmpty = sizeBytes === 0 && decideRange(range, 1).kind !== 'none'
  const decision = isEmpty ? ({ kind: 'unsatisfiable' } as const) : decideRange(range, sizeBytes)
  if (decision.kind === 'unsatisfiable')
    throw new S3Error('InvalidRange', 'The requested range is not satisfiable', {
      elements: { RangeRequested: range, ActualObjectSize: String(sizeBytes) },
      headers: { 'Content-Range': `bytes */${sizeBytes}` },
    })
  return decision.kind === 'single' ? decision.span : undefined
}

function partSpan(
  { headers }: Request,
  query: URLSearchParams,
  { sizeBytes, object }: ObjectState,
): ChosenBytes | undefined {
  const text = query.get('partNumber')
  if (text === null) return undefined
  if (headers.has('range'))
    throw new S3Error(
      'InvalidRequest',
      'Cannot specify both Range header and partNumber query parameter',
    )
  if (!/^\d{1,5}$/u.test(text) || Number(text) < 1 || Number(text) > 10_000)
    throw new S3Error(
      'InvalidArgument',
      'Part number must be an integer between 1 and 10000, inclusive',
      {
        elements: { ArgumentName: 'partNumber', ArgumentValue: text.slice(0, 100) },
      },
    )
  const { parts } = object ?? {}
  const span = parts ? spanIn(parts, Number(text)) : wholeSpan(Number(text), sizeBytes)
  if (span === undefined)
    throw new S3Error('InvalidPart', 'The requested part number is not satisfiable')
  return { span, partCount: parts && partCount(parts) }
}

const wholeSpan = (number: number, end: number): ByteSpan | undefined =>
  number === 1 ? { start: 0, end } : undefined

export const partCount = (parts: NonNullable<ObjectMetadata['parts']>): number =>
  parts.reduce((sum, { count }) => sum + count, 0)

function spanIn(parts: NonNullable<ObjectMetadata['parts']>, number: number): ByteSpan | undefined {
  let start = 0
  let before = 0
  for (const { sizeBytes, count } of parts) {
    if (number <= before + count) {
      const from = start + (number - before - 1) * sizeBytes
      return { start: from, end: from + sizeBytes }
    }
    before += count
    start += count * sizeBytes
  }
  return undefined
}
